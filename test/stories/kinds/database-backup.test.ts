import { describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { adopting, type Engine, plantDatabase } from '../../support/world/planted-database.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudDatabaseBackup';
const deleted = { lifecycle: { onDelete: 'Delete' } };
const of = (name: string, more: object = {}) => ({ databaseRef: { name }, ...more });
interface Row {
  readonly id: number;
  readonly label: string;
}
const backups = '/databases/mysql/instances/4711/backups';
const stored = (world: World): readonly Row[] => world.emulator.control.rows('database backups') as never;
const labels = (world: World): readonly string[] => stored(world).map(({ label }) => label);
const sent = (world: World, method: string) =>
  world.emulator.control
    .requests()
    .filter((request) => request.method === method && request.username === 'admin' && request.path.includes('/backups'));
type Effect = Parameters<World['emulator']['control']['addFault']>[0]['effect'];
const spoil = (world: World, effect: Effect, method = 'POST'): number =>
  world.emulator.control.addFault({ match: { method, path: backups, username: 'admin' }, times: 1, effect });

/** A database that is there, with its object. */
async function shop(engine: Engine): Promise<World> {
  const world = await World.create();
  await world.account();
  plantDatabase(world, engine);
  await world.apply('CloudDatabase', 'shop', adopting(engine));
  return world;
}
async function running(engine: Engine = 'mysql'): Promise<World> {
  const world = await shop(engine);
  await world.start();
  await world.ready('CloudDatabase', 'shop');
  return world;
}

describe.each(['mysql', 'mongodb'] as const)('a snapshot of a %s database', (engine) => {
  it('is taken once, says so while it is, is found by its label, and is deleted', async () => {
    const world = await running(engine);
    await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade', ...deleted }));
    await world.clock.advance(20_000);
    expect(await world.condition(kind, 'before', 'Synced')).toMatchObject({
      reason: 'Creating',
      message: expect.stringContaining('takes the snapshot'),
    });
    const { status } = await world.ready(kind, 'before');
    const [{ id } = { id: 0 }] = stored(world);
    expect(status).toMatchObject({
      id: String(id),
      path: `/databases/${engine}/instances/4711/backups/${id}`,
      origin: 'Created',
      label: 'beforeupgrade',
      created: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(status).not.toHaveProperty('intent');
    expect(sent(world, 'POST').map(({ body, status: code }) => [body, code])).toEqual([['{"label":"beforeupgrade"}', 200]]);
    await world.clock.advance(60_000);
    await world.delete(kind, 'before');
    await world.gone(kind, 'before');
    expect(stored(world)).toEqual([]);
    expect(sent(world, 'DELETE').map(({ status: code }) => code)).toEqual([200]);
    expect(world.panics).toEqual([]);
  });
});

it('is called after its object, in letters and digits, and stays when that goes', async () => {
  const world = await running();
  await world.apply(kind, 'before.the-upgrade-of-the-whole-shop', of('shop', { target: 'secondary' }));
  const { status } = await world.ready(kind, 'before.the-upgrade-of-the-whole-shop');
  expect(status?.['label']).toMatch(/^beforetheupgradeofthew[a-z2-7]{8}$/);
  expect(sent(world, 'POST').map(({ body }) => JSON.parse(body))).toMatchObject([{ target: 'secondary' }]);
  await world.delete(kind, 'before.the-upgrade-of-the-whole-shop');
  await world.gone(kind, 'before.the-upgrade-of-the-whole-shop');
  expect(stored(world)).toHaveLength(1);
});

describe('waits', () => {
  it('until the database is active, without a call that would be refused', async () => {
    const world = await World.create();
    await world.account();
    await world.start();
    await world.apply('CloudDatabase', 'shop', { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2' });
    await world.apply(kind, 'first', of('shop'));
    await world.clock.advance(300_000);
    expect((await world.reason(kind, 'first', 'Busy')).message).toContain('this one is provisioning');
    await world.ready(kind, 'first');
    expect(sent(world, 'POST').map(({ status }) => status)).toEqual([200]);
  });
  it('for another backup, and then has its turn', async () => {
    const world = await running();
    for (const name of ['one', 'two', 'three']) await world.apply(kind, name, of('shop', { label: name }));
    await world.clock.advance(60_000);
    const reasons = await Promise.all(['one', 'two', 'three'].map(async (name) => (await world.condition(kind, name, 'Synced'))?.reason));
    expect(reasons.filter((reason) => reason === 'Busy')).toHaveLength(2);
    expect(reasons).toContain('Creating');
    for (const name of ['one', 'two', 'three']) await world.ready(kind, name);
    expect(labels(world).toSorted()).toEqual(['one', 'three', 'two']);
    expect(sent(world, 'POST').filter(({ status }) => status !== 200).length).toBeLessThanOrEqual(2);
  });
  it('while three are stored, which it names, and is taken once one of them has gone', async () => {
    const world = await running();
    for (const name of ['one', 'two', 'three']) {
      await world.apply(kind, name, of('shop', { label: name, ...deleted }));
      await world.ready(kind, name);
    }
    await world.clock.advance(60_000);
    await world.apply(kind, 'four', of('shop', { label: 'four' }));
    const { message } = await world.reason(kind, 'four', 'QuotaExceeded');
    for (const { label, id } of stored(world)) expect(message).toContain(`${label} (id ${id})`);
    expect(message).toContain('Delete one of them');
    expect(sent(world, 'POST')).toHaveLength(3);
    await world.delete(kind, 'two');
    await world.ready(kind, 'four', 600_000);
    expect(labels(world).toSorted()).toEqual(['four', 'one', 'three']);
  });
});

describe('where no answer came', () => {
  it.each<[string, Effect]>([
    ['that it was taken', { kind: 'lose-answer' }],
    ['because the request was lost', { kind: 'lose-request' }],
    ['and it is taken a minute later', { kind: 'commit-late', seconds: 50 }],
    ['but a 502 of a balancer, after it was taken', { kind: 'html', status: 502, commit: true }],
    ['but something that is not JSON', { kind: 'truncate' }],
  ])('%s: there is one in the end', async (_, effect) => {
    const world = await running();
    spoil(world, effect);
    await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade' }));
    await world.ready(kind, 'before', 1_800_000);
    await world.clock.advance(3_600_000);
    expect(labels(world)).toEqual(['beforeupgrade']);
    expect(sent(world, 'POST').filter(({ status }) => status >= 400 && status < 500)).toEqual([]);
  });
  it('an object that goes takes along what comes of it minutes later', async () => {
    const world = await running();
    spoil(world, { kind: 'lose-answer' });
    await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade', ...deleted }));
    await world.clock.advance(30_000);
    await world.delete(kind, 'before');
    await world.gone(kind, 'before', 1_200_000);
    await world.clock.advance(1_200_000);
    expect(stored(world)).toEqual([]);
    expect(sent(world, 'POST')).toHaveLength(1);
  });
  it('an object that goes does not wait for hours for what never came', async () => {
    const world = await running();
    spoil(world, { kind: 'lose-request' });
    await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade', ...deleted }));
    await world.clock.advance(30_000);
    await world.delete(kind, 'before');
    await world.gone(kind, 'before', 600_000);
    expect(stored(world)).toEqual([]);
  });
});

it('that the service took and never made is taken again, and no label is used up by it', async () => {
  const world = await running();
  const { control } = world.emulator;
  const fault = control.addFault({
    match: { method: 'POST', path: backups, username: 'admin' },
    effect: { kind: 'answer', status: 200, body: '{}' },
  });
  await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade' }));
  await world.clock.advance(60_000);
  control.removeFault(fault);
  await world.ready(kind, 'before', 1_800_000);
  expect(labels(world)).toEqual(['beforeupgrade']);
  expect(sent(world, 'POST')).toHaveLength(2);
});

it('goes on for as long as the database says that a backup is taken, and is not sent again', async () => {
  const world = await running();
  const { control } = world.emulator;
  const [row] = control.rows('databases') as unknown as readonly Record<string, unknown>[];
  control.addFault({
    match: { method: 'POST', path: backups, username: 'admin' },
    times: 1,
    effect: { kind: 'answer', status: 200, body: '{}' },
  });
  await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade' }));
  await world.clock.advance(5000);
  control.edit({ collection: 'databases', key: 4711, row: { ...row, status: 'backing_up' } });
  await world.clock.advance(7_200_000);
  expect(await world.condition(kind, 'before', 'Synced')).toMatchObject({ reason: 'Creating' });
  expect(sent(world, 'POST')).toHaveLength(1);
  control.edit({
    collection: 'database backups',
    row: {
      id: 77,
      type: 'snapshot',
      label: 'beforeupgrade',
      created: new Date(world.clock.now()).toISOString().slice(0, 19),
      database_id: 4711,
    },
  });
  const { status } = await world.ready(kind, 'before', 600_000);
  expect(status).toMatchObject({ id: '77', origin: 'Created' });
});

describe('never takes what is somebody else’s', () => {
  it('one of the label that was there before is for a person', async () => {
    const world = await running();
    await new CloudUser(world).post('/databases/mysql/instances/4711/backups', { label: 'beforeupgrade' });
    await world.clock.advance(300_000);
    await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade', ...deleted }));
    const [{ id } = { id: 0 }] = stored(world);
    expect((await world.reason(kind, 'before', 'AlreadyExists')).message).toContain(`spec.adopt: {id: ${id}}`);
    await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade', adopt: { id } }));
    expect((await world.ready(kind, 'before')).status).toMatchObject({ origin: 'Adopted' });
  });
  it('an automatic one has no object, and none deletes it', async () => {
    const world = await running();
    world.emulator.control.edit({
      collection: 'database backups',
      row: { id: 88, type: 'auto', label: 'Scheduled', created: '2022-03-07T00:00:00', database_id: 4711 },
    });
    await world.apply(kind, 'daily', of('shop', { label: 'Scheduled', adopt: { id: 88 }, ...deleted }));
    await world.clock.advance(10_000);
    expect(await world.condition(kind, 'daily', 'Ready')).toMatchObject({
      reason: 'RemoteFailed',
      message: expect.stringContaining('by itself'),
    });
    await world.delete(kind, 'daily');
    await world.clock.advance(600_000);
    expect(sent(world, 'DELETE')).toEqual([]);
    await world.patch(kind, 'daily', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.gone(kind, 'daily');
    expect(labels(world)).toEqual(['Scheduled']);
  });
  it('a namespace that may not adopt cannot name the database of another one', async () => {
    const world = await running();
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'None' }] } });
    const accountRef = { name: 'default', namespace: 'team-a' };
    await world.apply(kind, 'thief', { accountRef, databaseRef: { external: 'mysql/4711' } }, 'team-b');
    const { message } = await world.reason(kind, 'thief', 'ReferenceNotReady', 60_000, 'team-b');
    expect(message).toContain('must set spec.access[].adopt: Any for namespace team-b');
    await world.apply(kind, 'thief-2', { accountRef, databaseRef: { name: 'shop' } }, 'team-b');
    expect((await world.reason(kind, 'thief-2', 'ReferenceNotReady', 60_000, 'team-b')).message).toContain(
      'CloudDatabase shop is not found',
    );
    expect([...sent(world, 'GET'), ...sent(world, 'POST')].filter(({ userAgent }) => userAgent.includes(kind))).toEqual([]);
  });
});

it('that is lost is for a person, and another one is made only by their word', async () => {
  const world = await running();
  await world.apply(kind, 'before', of('shop', { label: 'beforeupgrade' }));
  const { status } = await world.ready(kind, 'before');
  await world.clock.advance(60_000);
  await new CloudUser(world).delete(String(status?.['path']));
  await world.reason(kind, 'before', 'RemoteMissing', 1_200_000);
  await world.clock.advance(600_000);
  expect(stored(world)).toEqual([]);
  await world.patch(kind, 'before', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
  const { status: again } = await world.ready(kind, 'before', 900_000);
  expect(again?.['path']).not.toBe(status?.['path']);
  expect(labels(world)).toEqual(['beforeupgrade']);
});

it('goes with its database, without a call of its own', async () => {
  const world = await running();
  await world.apply(kind, 'before', of('shop', deleted));
  await world.ready(kind, 'before');
  await world.clock.advance(60_000);
  await world.patch('CloudDatabase', 'shop', { spec: { lifecycle: { onDelete: 'Delete' } } });
  await world.delete('CloudDatabase', 'shop');
  await world.gone('CloudDatabase', 'shop');
  await world.delete(kind, 'before');
  await world.gone(kind, 'before');
  expect(sent(world, 'DELETE')).toEqual([]);
});
