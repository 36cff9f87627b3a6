import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

// What team-b made and let go is team-a's by now; both use the account of `platform`.
const [platform, heir, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-nanode-1' };
const volume = { accountRef, region: 'eu-central', sizeGiB: 20 };
const hour = 3_600_000;
let world: World;
beforeEach(() => begin());
async function begin(more: Record<string, unknown> = {}): Promise<void> {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [heir], adopt: 'Any' }, { namespaces: [tenant] }], ...more }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
}
const rows = (collection: string): readonly Record<string, unknown>[] => world.emulator.control.rows(collection) as never;
const statusOf = async (kind: string, name: string, namespace = tenant) => (await world.get(kind, name, namespace)).status;
async function toldOf(kind: string, name: string): Promise<string> {
  const conditions = (await statusOf(kind, name))?.['conditions'] as { type: string; reason: string; message: string }[] | undefined;
  const synced = conditions?.find(({ type }) => type === 'Synced');
  return `${synced?.reason}: ${synced?.message}`;
}

type Case = readonly [kind: string, spec: Record<string, unknown>];
/** The tenant makes it and lets it go: its id, and the annotations that the object had. */
async function letGo([kind, spec]: Case): Promise<{ id: unknown; annotations: Record<string, string> | undefined }> {
  await world.apply(kind, 'gift', { ...spec, lifecycle: { onDelete: 'Retain' } }, tenant);
  const { status, metadata } = await world.ready(kind, 'gift', hour, tenant);
  await world.delete(kind, 'gift', tenant);
  await world.gone(kind, 'gift', hour, tenant);
  return { id: status?.['id'], annotations: metadata.annotations as never };
}
/** The heir renames its object: for some seconds nobody has the thing. */
async function renamed([kind, spec]: Case, id: unknown): Promise<void> {
  await world.delete(kind, 'shop', heir);
  await world.gone(kind, 'shop', hour, heir);
  await world.clock.advance(60_000);
  await world.apply(kind, 'store', { ...spec, adopt: { id } }, heir);
  await world.ready(kind, 'store', hour, heir);
}
const paused = (value: string | null) => ({ metadata: { annotations: { 'cloudhosting.dev/pause': value } } });
const admin = (kind: string, spec: Record<string, unknown>, annotations: unknown) =>
  world.admin('POST', world.path(kind, tenant), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind,
    metadata: { name: 'gift', namespace: tenant, annotations },
    spec,
  });

describe('what was given away', () => {
  const cases: readonly Case[] = [
    ['CloudInstance', machine],
    ['CloudVolume', volume],
  ];
  it.each(cases)('is not taken back by its label when the new owner makes its object anew (%s)', async (kind, spec) => {
    const { id } = await letGo([kind, spec]);
    await world.apply(kind, 'shop', { ...spec, adopt: { id } }, heir);
    await world.ready(kind, 'shop', hour, heir);
    await world.apply(kind, 'gift', { ...spec, lifecycle: { onDelete: 'Delete' } }, tenant);
    await world.clock.advance(60_000);
    await renamed([kind, spec], id);
    expect(await toldOf(kind, 'gift')).not.toContain(String(id));
    const before = changesOf(world).length;
    await world.delete(kind, 'gift', tenant);
    await world.gone(kind, 'gift', hour, tenant);
    expect(changesOf(world).slice(before)).toEqual([]);
  });

  it('is not taken back by spec.adopt', async () => {
    const { id } = await letGo(['CloudVolume', volume]);
    await world.apply('CloudVolume', 'gift', { ...volume, adopt: { id } }, tenant);
    await world.clock.advance(60_000);
    expect(await toldOf('CloudVolume', 'gift')).toContain('Forbidden: the account does not let namespace team-b adopt anything');
    expect((await statusOf('CloudVolume', 'gift'))?.['path']).toBeUndefined();
  });

  it('is not taken back, nor deleted, by what was signed for the earlier object', async () => {
    const { annotations } = await letGo(['CloudVolume', volume]);
    await admin('CloudVolume', { ...volume, lifecycle: { onDelete: 'Delete' } }, annotations);
    await world.clock.advance(60_000);
    expect(await toldOf('CloudVolume', 'gift')).toContain('IdentityConflict');
    await world.delete('CloudVolume', 'gift', tenant);
    await world.gone('CloudVolume', 'gift', hour, tenant);
    expect(rows('volumes')).toHaveLength(1);
  });

  it.each([
    ['the account', accountRef, [{ namespaces: [tenant] }, { namespaces: [heir], adopt: 'Any' }]],
    ['a CloudAccount of its own', { name: 'default', namespace: heir }, [{ namespaces: [tenant] }]],
  ])('waits for the new owner while the account recovers, however late that one is looked at, through %s', async (_, through, access) => {
    const { id } = await letGo(['CloudVolume', volume]);
    await world.account({}, heir);
    // A listing of half a minute ago counts.
    await world.clock.advance(60_000);
    await world.patch('CloudAccount', 'default', { spec: { recover: true, access }, ...paused('true') }, platform);
    await world.patch('CloudAccount', 'default', paused('true'), heir);
    await world.apply('CloudVolume', 'gift', volume, tenant);
    await world.apply('CloudVolume', 'store', { ...volume, accountRef: through, adopt: { id } }, heir);
    await world.patch('CloudVolume', 'store', paused('true'), heir);
    for (const namespace of [platform, heir]) await world.patch('CloudAccount', 'default', paused(null), namespace);
    await world.clock.advance(600_000);
    expect(await toldOf('CloudVolume', 'gift')).toMatch(/^Ambiguous/);
    expect((await statusOf('CloudVolume', 'gift'))?.['path']).toBeUndefined();
    await world.patch('CloudVolume', 'store', paused(null), heir);
    await world.clock.advance(600_000);
    expect((await statusOf('CloudVolume', 'store', heir))?.['id']).toBe(id);
  });
  it('is its new owner’s while the account recovers, whichever is looked at first', async () => {
    const { id } = await letGo(['CloudVolume', volume]);
    // A listing of half a minute ago counts.
    await world.clock.advance(60_000);
    await world.patch('CloudAccount', 'default', { spec: { recover: true }, ...paused('true') }, platform);
    await world.apply('CloudVolume', 'gift', volume, tenant);
    await world.apply('CloudVolume', 'store', { ...volume, adopt: { id } }, heir);
    await world.patch('CloudAccount', 'default', paused(null), platform);
    await world.clock.advance(600_000);
    expect((await statusOf('CloudVolume', 'gift'))?.['path']).toBeUndefined();
    expect((await statusOf('CloudVolume', 'store', heir))?.['id']).toBe(id);
  });
});

describe('who let it go and wants it back', () => {
  beforeEach(async () => {
    await letGo(['CloudVolume', volume]);
    await world.apply('CloudVolume', 'gift', volume, tenant);
    await world.clock.advance(60_000);
  });
  it('is told whom to ask, and no second one is made', async () => {
    const label = String(rows('volumes')[0]?.['label']);
    expect(await toldOf('CloudVolume', 'gift')).toBe(
      `AlreadyExists: {"label":"${label}"} exists in the account already, and was made for an object of this name, which let it go (lifecycle.onDelete: Retain, for example) or lost its status. Somebody else may count on it by now, so it is not taken without leave. To get one of your own choose another name. To get that one ask the owner of CloudAccount platform/default, who may let namespace team-b adopt (spec.access[].adopt: Any), have all that was lost found again (spec.recover: true), or delete it there`,
    );
    expect(rows('volumes')).toHaveLength(1);
  });
  it.each([
    ['adopt', { access: [{ namespaces: [tenant], adopt: 'Any' }] }],
    ['recover', { recover: true }],
  ])('has it once the owner of the account says %s', async (_, spec) => {
    await world.patch('CloudAccount', 'default', { spec }, platform);
    const { status } = await world.ready('CloudVolume', 'gift', hour, tenant);
    expect([status?.['id'], rows('volumes').length]).toEqual([String(rows('volumes')[0]?.['id']), 1]);
  });
  it('has a new one once it is deleted in the account', async () => {
    await new CloudUser(world).delete(`/volumes/${String(rows('volumes')[0]?.['id'])}`);
    await world.ready('CloudVolume', 'gift', 2 * hour, tenant);
  });
});

// So late that none of its attempts' times tells of it, only its mark, and that it was not there before.
it.each([
  ['CloudInstance', 'instances', machine],
  ['CloudVolume', 'volumes', volume],
] as const)('what an open create of the object made much too late is its own (%s)', async (kind, collection, spec) => {
  const late = { kind: 'commit-late', seconds: 100 } as const;
  world.emulator.control.addFault({ match: { method: 'POST', username: 'admin' }, times: 1, effect: late });
  await world.apply(kind, 'slow', spec, tenant);
  const { status } = await world.ready(kind, 'slow', hour, tenant);
  expect([status?.['origin'], rows(collection).map(({ id }) => String(id))]).toEqual(['Created', [status?.['id']]]);
});

it('the account’s own namespace takes what bears its mark', async () => {
  await world.apply('CloudVolume', 'own', { ...volume, lifecycle: { onDelete: 'Retain' } }, platform);
  const { status } = await world.ready('CloudVolume', 'own', hour, platform);
  await world.delete('CloudVolume', 'own', platform);
  await world.gone('CloudVolume', 'own', hour, platform);
  await world.apply('CloudVolume', 'own', volume, platform);
  expect((await world.ready('CloudVolume', 'own', hour, platform)).status?.['id']).toBe(status?.['id']);
});

describe('a name that is guessed', () => {
  const legacy = { label: 'legacy-db' };
  const policies = { inbound_policy: 'DROP', outbound_policy: 'DROP' };
  it.each([
    ['CloudInstance', '/vm/instances', { region: 'eu-central', type: 'g6-nanode-1', ...legacy }, { ...machine, ...legacy }],
    ['CloudVolume', '/volumes', { region: 'eu-central', size: 20, ...legacy }, { ...volume, ...legacy }],
    [
      'CloudFirewall',
      '/networking/firewalls',
      { ...legacy, rules: policies },
      { accountRef, ...legacy, inboundPolicy: 'DROP', outboundPolicy: 'DROP' },
    ],
    ['CloudObjectKey', '/object-storage/keys', { ...legacy, bucket_access: [] }, { accountRef, ...legacy, bucketAccess: [] }],
  ] as const)('tells a tenant neither path nor id of what is there (%s)', async (kind, path, body, spec) => {
    await new CloudUser(world).post(path, body);
    await world.clock.advance(hour / 2);
    await world.apply(kind, 'probe', spec, tenant);
    await world.clock.advance(60_000);
    const events = world.server.objects('/events').filter(({ metadata }) => metadata.namespace === tenant);
    expect(await toldOf(kind, 'probe')).toContain(
      'AlreadyExists: {"label":"legacy-db"} exists in the account already, and nothing shows that it was made for this object. To get one of your own choose another name. To get that one ask the owner of CloudAccount platform/default',
    );
    expect(JSON.stringify([events, await statusOf(kind, 'probe')])).not.toMatch(/\b1000\b/);
  });

  it('of another installation tells a tenant neither path nor id, and no spec.adopt that it may not write', async () => {
    await begin({ installation: undefined });
    await new CloudUser(world).post('/volumes', { region: 'eu-central', size: 20, label: 'legacy-db-abcdefgh', tags: ['co-abcdefgh'] });
    await world.clock.advance(hour / 2);
    for (const namespace of [tenant, platform]) await world.apply('CloudVolume', 'legacy-db', volume, namespace);
    await world.clock.advance(60_000);
    const [told, toldOwner] = [
      await toldOf('CloudVolume', 'legacy-db'),
      JSON.stringify(await statusOf('CloudVolume', 'legacy-db', platform)),
    ];
    expect(told).toContain('AlreadyExists: something in the account is called like this object, and was made by another installation');
    expect(told).not.toMatch(/1000|spec\.adopt:/);
    expect(toldOwner).toContain('/volumes/1000 is called like this object');
  });

  it('tells a tenant neither path nor holder of what another namespace has', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, label: 'legacy-db' }, heir);
    await world.ready('CloudVolume', 'data', hour, heir);
    await world.apply('CloudVolume', 'probe', { ...volume, label: 'legacy-db' }, tenant);
    await world.clock.advance(60_000);
    expect(await toldOf('CloudVolume', 'probe')).toBe(
      'AlreadyClaimed: {"label":"legacy-db"} exists in the account already, and belongs to an object of another namespace. Choose another name, or ask the owner of CloudAccount platform/default whose it is',
    );
  });

  it('tells the path to who may adopt, and of an object of the same namespace', async () => {
    await world.apply('CloudVolume', 'data', { ...volume, label: 'legacy-db' }, tenant);
    const { status } = await world.ready('CloudVolume', 'data', hour, tenant);
    for (const namespace of [tenant, platform]) await world.apply('CloudVolume', 'second', { ...volume, label: 'legacy-db' }, namespace);
    await world.clock.advance(60_000);
    expect(await toldOf('CloudVolume', 'second')).toContain(
      `${String(status?.['path'])} has this spec's name already and belongs to CloudVolume team-b/data`,
    );
    expect(JSON.stringify(await statusOf('CloudVolume', 'second', platform))).toContain(String(status?.['path']));
  });
});

it('is not told by the account of another namespace, though that leads to the same one', async () => {
  const world = await World.create();
  await world.namespace('team-b');
  await world.account();
  await world.account({}, 'team-b');
  await world.start();
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  const { status = {} } = await world.ready('CloudVolume', 'data');
  await world.apply('CloudVolume', 'mine', { region: 'eu-central', sizeGiB: 20, adopt: { id: Number(status['id']) } }, 'team-b');
  const { message } = await world.reason('CloudVolume', 'mine', 'AlreadyClaimed', 600_000, 'team-b');
  expect(message).toContain(`${String(status['path'])} belongs to an object of another namespace already`);
  expect(message).not.toContain('team-a');
});
