import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const [platform, heir, giver] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-standard-1', lifecycle: { onDelete: 'Retain' } };
const hour = 3_600_000;
const open = { action: 'ACCEPT', protocol: 'TCP', ports: '1-65535', addresses: { ipv4: ['0.0.0.0/0'] } };
const edge = { accountRef, inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT', inbound: [] as object[] };
const access = (more: object = {}) => ({
  access: [
    { namespaces: [heir], adopt: 'Any' },
    { namespaces: [giver], ...more },
  ],
});
let world: World;
let operator: RunningOperator;
let id: number;
let wall: string;
const user = () => new CloudUser(world);
const behind = async (): Promise<readonly unknown[]> =>
  (await user().list(`${wall}/devices`)).map(({ entity }) => (entity as { id: number }).id).toSorted((a, b) => a - b);
const shown = async () => ({ ...(await user().get(wall)), ...(await user().get(`${wall}/rules`)) });
const edit = (spec: object) => world.patch('CloudFirewall', 'edge', { spec }, giver);
const idOf = async (kind: string, name: string, namespace = giver) =>
  Number((await world.ready(kind, name, hour, namespace)).status?.['id']);
async function behindEdge(spec: object): Promise<void> {
  await world.apply('CloudFirewall', 'edge', { ...edge, ...spec }, giver);
  wall = String((await world.ready('CloudFirewall', 'edge', hour, giver)).status?.['path']);
  await world.clock.runUntil(async () => (await behind()).includes(id), hour);
}
async function give(): Promise<void> {
  await world.delete('CloudInstance', 'gift', giver);
  await world.gone('CloudInstance', 'gift', hour, giver);
  await world.apply('CloudInstance', 'shop', { ...machine, adopt: { id } }, heir);
  await world.ready('CloudInstance', 'shop', hour, heir);
  await world.clock.advance(hour / 2);
}
const why = async (): Promise<string> => String((await world.condition('CloudFirewall', 'edge', 'Synced', giver))?.message);

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, giver]) await world.namespace(name);
  await world.account(access(), platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', hour, platform);
  for (const name of ['gift', 'other']) await world.apply('CloudInstance', name, machine, giver);
  id = await idOf('CloudInstance', 'gift');
  await idOf('CloudInstance', 'other');
});

describe('of a firewall with a machine behind it that one team let go of and another adopted', () => {
  const both = { instanceRefs: [{ name: 'gift' }, { name: 'other' }] };

  it.each([
    ['that lists it', both],
    ['that leaves alone what is behind it', undefined],
  ])('%s, nothing that it lets through is changed, and its deletion leaves it', async (_, refs) => {
    await behindEdge(both);
    if (refs === undefined) await world.apply('CloudFirewall', 'edge', edge, giver);
    await give();
    const before = changesOf(world).length;
    await edit({ inbound: [open] });
    await world.clock.advance(hour / 2);
    expect(await why()).toContain(`instance ${id}, which is behind this firewall, belongs to an object of another namespace`);
    expect(await why()).not.toContain('shop');
    await edit({ enabled: false, inboundPolicy: 'ACCEPT' });
    await world.clock.advance(hour / 2);
    operator.kill();
    operator = await world.start();
    await world.clock.advance(hour / 2);
    await world.delete('CloudFirewall', 'edge', giver);
    await world.gone('CloudFirewall', 'edge', hour, giver);
    expect(changesOf(world).slice(before)).toEqual([]);
    expect(await shown()).toMatchObject({ inbound: [], inbound_policy: 'DROP', status: 'enabled' });
  });
  it('the machine is not taken out, and what is its own is', async () => {
    await behindEdge(both);
    await give();
    await edit({ instanceRefs: [] });
    await world.clock.advance(hour / 2);
    expect(await behind()).toEqual([id]);
    await edit({ instanceRefs: [{ name: 'other' }], tags: ['prod'] });
    await world.clock.advance(hour / 2);
    expect(await behind()).toHaveLength(2);
    expect((await shown())['tags']).toContain('prod');
  });
  it('what a colleague changed stays as it is', async () => {
    await behindEdge(both);
    await give();
    await user().put(`${wall}/rules`, { inbound: [], inbound_policy: 'ACCEPT', outbound: [], outbound_policy: 'ACCEPT' });
    await world.clock.advance(3 * hour);
    expect(await shown()).toMatchObject({ inbound_policy: 'ACCEPT' });
  });
  it('who has the machine adopts it after that, and changes it', async () => {
    await behindEdge(both);
    await give();
    await world.delete('CloudFirewall', 'edge', giver);
    await world.gone('CloudFirewall', 'edge', hour, giver);
    const theirs = { ...edge, instanceRefs: [{ name: 'shop' }], inbound: [open], adopt: { id: Number(wall.split('/').at(-1)) } };
    await world.apply('CloudFirewall', 'wall', { ...theirs, lifecycle: { approve: ['InPlace'] } }, heir);
    await world.ready('CloudFirewall', 'wall', hour, heir);
    expect(await shown()).toMatchObject({ inbound: [{ ports: '1-65535' }] });
    expect(await behind()).toContain(id);
  });
  it.each([
    ['who has it lets go of it', () => world.delete('CloudInstance', 'shop', heir)],
    ['its namespace may adopt', () => world.patch('CloudAccount', 'default', { spec: access({ adopt: 'Any' }) }, platform)],
    [
      'somebody takes it out in the account',
      async () => {
        const device = (await user().list(`${wall}/devices`)).find(({ entity }) => (entity as { id: number }).id === id);
        await user().delete(`${wall}/devices/${String(device?.['id'])}`);
      },
    ],
  ])('changed again once %s', async (_, ends) => {
    await behindEdge(both);
    await world.apply('CloudFirewall', 'edge', edge, giver);
    await give();
    await edit({ inbound: [open] });
    await world.clock.advance(hour / 2);
    expect(await why()).toContain('belongs to an object of another namespace');
    await ends();
    await world.ready('CloudFirewall', 'edge', hour, giver);
    expect(await shown()).toMatchObject({ inbound: [{ ports: '1-65535' }] });
  });
});
