import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const [platform, heir, giver] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-standard-1', lifecycle: { onDelete: 'Retain' } };
const volume = { accountRef, sizeGiB: 20, lifecycle: { onDelete: 'Delete' } };
const attached = { ...volume, instanceRef: { name: 'gift' } };
const hour = 3_600_000;
const access = (more: object = {}) => ({
  access: [
    { namespaces: [heir], adopt: 'Any' },
    { namespaces: [giver], ...more },
  ],
});
let world: World;
let operator: RunningOperator;
let id: number;
let path: string;
const idOf = async (kind: string, name: string, namespace = giver) =>
  Number((await world.ready(kind, name, hour, namespace)).status?.['id']);
const shown = () => new CloudUser(world).get(path);
const why = async (): Promise<string> => String((await world.condition('CloudVolume', 'data', 'Synced', giver))?.message);
const annotate = (annotations: object) => world.patch('CloudVolume', 'data', { metadata: { annotations } }, giver);
async function letGo(): Promise<void> {
  await world.delete('CloudInstance', 'gift', giver);
  await world.gone('CloudInstance', 'gift', hour, giver);
}
async function give(): Promise<void> {
  await letGo();
  await world.apply('CloudInstance', 'shop', { ...machine, adopt: { id }, label: 'shop-machine' }, heir);
  await world.ready('CloudInstance', 'shop', hour, heir);
  await world.clock.advance(hour / 2);
}
async function goes(): Promise<void> {
  await world.delete('CloudVolume', 'data', giver);
  await world.gone('CloudVolume', 'data', hour, giver);
}
/** Changes of the volume, and what would be made of it: not those of machines. */
const ofVolumes = (since = 0): readonly string[] =>
  changesOf(world)
    .slice(since)
    .filter((call) => call.includes('/volumes') || call.includes('/configs'));

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, giver]) await world.namespace(name);
  await world.account(access(), platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', hour, platform);
  for (const name of ['gift', 'other']) await world.apply('CloudInstance', name, machine, giver);
  id = await idOf('CloudInstance', 'gift');
  await idOf('CloudInstance', 'other');
  for (const name of ['gift', 'other']) {
    await world.apply('CloudInstanceConfig', name, { accountRef, instanceRef: { name }, label: 'main', devices: {} }, giver);
    await idOf('CloudInstanceConfig', name);
  }
  await world.apply('CloudVolume', 'data', attached, giver);
  path = String((await world.ready('CloudVolume', 'data', hour, giver)).status?.['path']);
});

describe('a volume that is attached to a machine that one team let go of and another adopted', () => {
  it.each([
    ['detached', { instanceRef: null }],
    ['moved', { instanceRef: { name: 'other' } }],
    ['grown', { sizeGiB: 40 }],
    ['renamed', { label: 'another' }],
    ['made anew elsewhere', { instanceRef: null, region: 'us-east', lifecycle: { onDelete: 'Delete', replace: 'Allow' } }],
  ])('is not %s, also after a restart, and its object says why', async (_, spec) => {
    await give();
    const before = changesOf(world).length;
    await world.patch('CloudVolume', 'data', { spec }, giver);
    await world.clock.advance(hour / 2);
    expect(await why()).toContain(`the volume is attached to /vm/instances/${id}, which belongs to an object of another namespace`);
    expect(await why()).not.toContain('shop');
    operator.kill();
    operator = await world.start();
    await world.clock.advance(hour);
    expect(ofVolumes(before)).toEqual([]);
    expect(await shown()).toMatchObject({ vm_id: id, size: 20 });
  });
  it('is not detached or deleted with its object, which lets go of it; then its new holder may adopt it', async () => {
    await give();
    operator.kill();
    const before = changesOf(world).length;
    await world.delete('CloudVolume', 'data', giver);
    operator = await world.start();
    await world.gone('CloudVolume', 'data', hour, giver);
    expect(ofVolumes(before)).toEqual([]);
    const adopt = { id: Number(path.split('/').at(-1)) };
    await world.apply('CloudVolume', 'theirs', { accountRef, instanceRef: { name: 'shop' }, adopt }, heir);
    await world.ready('CloudVolume', 'theirs', hour, heir);
    expect(await shown()).toMatchObject({ vm_id: id });
  });
  it.each(['looked at', 'paused'])('is neither copied nor put into a configuration of another machine while it is %s', async (how) => {
    if (how === 'paused') await annotate({ 'cloudhosting.dev/pause': 'true' });
    await give();
    const before = changesOf(world).length;
    await world.apply('CloudVolume', 'copy', { ...volume, volumeRef: { name: 'data' } }, giver);
    const devices = { sdb: { volumeRef: { name: 'data' } } };
    await world.apply('CloudInstanceConfig', 'reads', { accountRef, instanceRef: { name: 'other' }, label: 'reads', devices }, giver);
    for (const [kind, name] of [
      ['CloudVolume', 'copy'],
      ['CloudInstanceConfig', 'reads'],
    ] as const)
      expect((await world.reason(kind, name, 'ReferenceNotReady', hour, giver)).message).toContain(
        `CloudVolume data is in use by /vm/instances/${id}, which belongs to an object of another namespace`,
      );
    await world.clock.advance(hour);
    expect(ofVolumes(before).filter((call) => call !== 'POST /vm/instances/1001/configs')).toEqual([]);
  });
  it('tells not what the machine is called by now', async () => {
    await give();
    expect(JSON.stringify((await world.get('CloudVolume', 'data', giver)).status)).not.toContain('shop-machine');
    expect((await world.get('CloudVolume', 'data', giver)).status).toMatchObject({ instanceId: id });
  });
  it('is its object’s own again once somebody detached it, or nobody has the machine', async () => {
    await give();
    await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40, instanceRef: null } }, giver);
    await world.clock.advance(hour / 2);
    expect(await shown()).toMatchObject({ vm_id: id, size: 20 });
    await world.delete('CloudInstance', 'shop', heir);
    await world.gone('CloudInstance', 'shop', hour, heir);
    await world.ready('CloudVolume', 'data', hour, giver);
    expect(await shown()).toMatchObject({ vm_id: null, size: 40 });
  });
  it('has its tags, which change nothing of the machine', async () => {
    await give();
    await world.patch('CloudVolume', 'data', { spec: { tags: ['ours'], instanceRef: null } }, giver);
    await world.clock.advance(hour / 2);
    expect((await shown())['tags']).toContain('ours');
    expect(await shown()).toMatchObject({ vm_id: id });
  });
});

it('is changed as ever while nobody has the machine, by who may adopt, and on a machine of one’s own', async () => {
  await letGo();
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'other' } } }, giver);
  await world.ready('CloudVolume', 'data', hour, giver);
  await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 30 } }, giver);
  await world.ready('CloudVolume', 'data', hour, giver);
  await world.apply('CloudVolume', 'copy', { ...volume, sizeGiB: 30, volumeRef: { name: 'data' } }, giver);
  await world.ready('CloudVolume', 'copy', hour, giver);
  await goes();
  expect(ofVolumes().at(-1)).toBe(`DELETE ${path}`);
});

it('is detached by who may adopt anything', async () => {
  await world.patch('CloudAccount', 'default', { spec: access({ adopt: 'Any' }) }, platform);
  await give();
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: null } }, giver);
  await world.ready('CloudVolume', 'data', hour, giver);
  expect(await shown()).toMatchObject({ vm_id: null });
});
