import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// A tool that replaces objects whole takes annotations and status away while no operator runs, and then deletes them. The finalizer
// stays, and nothing on the object tells of its remote any more.
const minute = 60_000;
const [platform, tenant] = ['platform', 'team-b'];
const whole = { onDelete: 'Delete' };
const volume = { region: 'eu-central', sizeGiB: 20, lifecycle: whole };
let world: World;
let operator: RunningOperator;

beforeEach(() => begin());
async function begin(account: object = {}): Promise<void> {
  world = await World.create({ emulator: { speed: 10 } });
  await world.account({ installation: 'prod', ...account });
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
}
/** Two teams at the account of a third, and the first may adopt. */
async function shared(): Promise<void> {
  world = await World.create({ emulator: { speed: 10 } });
  for (const name of [platform, tenant]) await world.namespace(name);
  const access = [{ namespaces: ['team-a'], adopt: 'Any' }, { namespaces: [tenant] }];
  await world.account({ installation: 'prod', access }, platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', undefined, platform);
}
const ofPlatform = { ...volume, accountRef: { name: 'default', namespace: platform } };

const rows = (collection: string): readonly Record<string, unknown>[] => world.emulator.control.rows(collection) as never;
const volumes = (): readonly string[] => rows('volumes').map(({ id }) => `/volumes/${String(id)}`);
const user = (): CloudUser => new CloudUser(world);
interface Told {
  readonly type: string;
  readonly reason: string;
  readonly text: string;
}
const told = (name: string): readonly Told[] =>
  (world.server.objects('/events') as unknown as { type: string; reason: string; message: string; involvedObject: { name: string } }[])
    .filter(({ involvedObject }) => involvedObject.name === name)
    .map(({ type, reason, message }) => ({ type, reason, text: message }));
const warned = (name: string): string =>
  told(name)
    .filter(({ type, reason }) => type === 'Warning' && reason === 'Retained')
    .map(({ text }) => text)
    .join('\n');
const letGoOf = (name: string): readonly unknown[] =>
  world.log.filter((line) => line.message === 'an object lets go of its remote' && line['name'] === name).map((line) => line['why']);

async function strip(kind: string, name: string, namespace = 'team-a'): Promise<void> {
  const live = await world.get(kind, name, namespace);
  await world.admin('PUT', `${world.path(kind, namespace, name)}/status`, { ...live, status: {} });
  const { status: _, ...now } = await world.get(kind, name, namespace);
  await world.admin('PUT', world.path(kind, namespace, name), { ...now, metadata: { ...now.metadata, annotations: {} } });
  const bare = await world.get(kind, name, namespace);
  expect([bare.metadata.annotations ?? {}, bare.status ?? {}, bare.metadata.finalizers]).toMatchObject([{}, {}, [expect.any(String)]]);
}
/** While no operator runs: stripped and deleted. */
async function prunedMeanwhile(kind: string, name: string, namespace = 'team-a'): Promise<void> {
  operator.kill();
  await strip(kind, name, namespace);
  await world.delete(kind, name, namespace);
  operator = await world.start();
}
async function made(kind: string, name: string, spec: Record<string, unknown>, namespace = 'team-a'): Promise<string> {
  await world.apply(kind, name, spec, namespace);
  const { status } = await world.ready(kind, name, undefined, namespace);
  await world.clock.advance(10 * minute);
  return String(status?.['path']);
}
async function machine(lifecycle: object): Promise<void> {
  await world.secret('root', { password: 'correct-Horse-7-battery' });
  const booted = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'root', key: 'password' } };
  await made('CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1', ...booted, lifecycle });
}
const gone = (name: string, namespace = 'team-a'): Promise<void> => world.gone('CloudVolume', name, undefined, namespace);

describe('an object that was stripped and deleted while no operator ran', () => {
  const cases: readonly (readonly [kind: string, spec: Record<string, unknown>, collection: string])[] = [
    ['CloudVolume', volume, 'volumes'],
    ['CloudBucket', { cluster: 'eu-central-1', lifecycle: whole }, 'buckets'],
    ['CloudDatabase', { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2', clusterSize: 1, lifecycle: whole }, 'databases'],
  ];
  it.each(cases)('takes what bears its mark along (%s)', async (kind, spec, collection) => {
    const path = await made(kind, 'x', spec);
    await prunedMeanwhile(kind, 'x');
    await world.gone(kind, 'x');
    expect(rows(collection)).toEqual([]);
    expect(told('x').map(({ text }) => text)).toContain(`${path} is gone from the account`);
  });

  it('is held by lifecycle.protect, and says so', async () => {
    const path = await made('CloudVolume', 'x', { ...volume, lifecycle: { ...whole, protect: true } });
    await prunedMeanwhile('CloudVolume', 'x');
    await world.clock.advance(60 * minute);
    expect((await world.condition('CloudVolume', 'x', 'Synced'))?.reason).toBe('DeletionHeld');
    expect(volumes()).toEqual([path]);
    await world.patch('CloudVolume', 'x', { spec: { lifecycle: { protect: false } } });
    await gone('x');
    expect(volumes()).toEqual([]);
  });

  it.each([
    [{ onDelete: 'Retain' }, 'because the policy is Retain'],
    [{ management: 'Observe' }, 'was only observed'],
  ])('leaves it as its policy says: %j', async (lifecycle, says) => {
    const path = await made('CloudVolume', 'x', volume);
    operator.kill();
    await world.patch('CloudVolume', 'x', { spec: { lifecycle: { onDelete: 'Retain', ...lifecycle } } });
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toEqual([path]);
    const texts = told('x').map(({ text }) => text);
    expect(texts.filter((text) => text.includes(path) && text.includes(says))).toHaveLength(1);
  });

  it('waits while the account is only read', async () => {
    const path = await made('CloudVolume', 'x', volume);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(minute);
    await prunedMeanwhile('CloudVolume', 'x');
    await world.clock.advance(10 * minute);
    expect((await world.condition('CloudVolume', 'x', 'Synced'))?.reason).toBe('ReadOnly');
    expect(volumes()).toEqual([path]);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await gone('x');
    expect(volumes()).toEqual([]);
  });

  it('is held by the brake with all the others, for one listing', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `x${n}`);
    for (const name of names) await world.apply('CloudVolume', name, volume);
    for (const name of names) await world.ready('CloudVolume', name);
    await world.clock.advance(10 * minute);
    operator.kill();
    for (const name of names) {
      await strip('CloudVolume', name);
      await world.delete('CloudVolume', name);
    }
    const before = world.emulator.control.requests().length;
    operator = await world.start();
    await world.clock.advance(minute);
    expect(volumes()).toHaveLength(12);
    const reasons = await Promise.all(names.map(async (name) => (await world.condition('CloudVolume', name, 'Synced'))?.reason));
    expect(new Set(reasons)).toEqual(new Set(['DeletionHeld']));
    const listings = world.emulator.control
      .requests()
      .slice(before)
      .filter(({ method, path }) => method === 'GET' && /\/volumes(\?|$)/.test(path));
    expect(listings.length).toBeLessThanOrEqual(2);
  });

  it('goes with its machine, whose object was stripped, too', async () => {
    await machine(whole);
    await made('CloudVolume', 'x', { instanceRef: { name: 'web' }, sizeGiB: 20, lifecycle: whole });
    operator.kill();
    await strip('CloudInstance', 'web');
    await world.delete('CloudInstance', 'web');
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    await world.gone('CloudInstance', 'web');
    expect([volumes(), rows('instances')]).toEqual([[], []]);
  });

  it('is found although what it refers to is not there any more', async () => {
    await machine({ onDelete: 'Retain' });
    await made('CloudVolume', 'x', { instanceRef: { name: 'web' }, sizeGiB: 20, lifecycle: whole });
    await world.delete('CloudInstance', 'web');
    await world.gone('CloudInstance', 'web');
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toEqual([]);
  });

  it('says that something may be left where nothing tells below which parent', async () => {
    const path = await made('CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1', lifecycle: { onDelete: 'Retain' } });
    await made('CloudDisk', 'x', { instanceRef: { name: 'web' }, sizeMB: 2000, filesystem: 'ext4', lifecycle: whole });
    await world.delete('CloudInstance', 'web');
    await world.gone('CloudInstance', 'web');
    await prunedMeanwhile('CloudDisk', 'x');
    await world.gone('CloudDisk', 'x');
    expect(await user().list(`${path}/disks`)).toHaveLength(1);
    expect(warned('x')).toContain('spec.instanceRef leads to nothing');
    expect(warned('x')).toContain('Look there whether something of this object is left');
  });
});

describe('what has another name or namespace now', () => {
  it('has made its own by the time that the old name is pruned, and keeps it', async () => {
    const path = await made('CloudVolume', 'x', volume);
    operator.kill();
    await world.apply('CloudVolume', 'y', volume);
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    const { status } = await world.ready('CloudVolume', 'y');
    expect(volumes()).toEqual([status?.['path']]);
    expect(status?.['path']).not.toBe(path);
  });

  it('keeps its own in the new namespace, and that of the old one goes', async () => {
    await shared();
    const path = await made('CloudVolume', 'x', ofPlatform);
    operator.kill();
    await world.apply('CloudVolume', 'x', ofPlatform, tenant);
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    const { status } = await world.ready('CloudVolume', 'x', undefined, tenant);
    await world.clock.advance(10 * minute);
    expect(volumes()).toEqual([status?.['path']]);
    expect(status?.['path']).not.toBe(path);
  });
});

describe('what bears the mark of a stripped object and stays', () => {
  it('of several none is deleted, although it was protected, and both are named', async () => {
    const path = await made('CloudVolume', 'x', { ...volume, lifecycle: { ...whole, protect: true } });
    const { label, tags } = rows('volumes')[0] ?? {};
    await user().post('/volumes', { label: 'copy', tags, region: 'eu-central', size: 20 });
    const copy = rows('volumes')[1]?.['id'];
    await user().put(`/volumes/${String(copy)}`, { label });
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toEqual([path, `/volumes/${String(copy)}`]);
    expect(warned('x')).toContain(`${path}, /volumes/${String(copy)} bear its mark, and it cannot be told which of them it had`);
  });

  it('of a namespace that may not adopt it is not deleted, and it is told neither path nor id', async () => {
    await shared();
    const path = await made('CloudVolume', 'x', ofPlatform, tenant);
    await prunedMeanwhile('CloudVolume', 'x', tenant);
    await gone('x', tenant);
    expect(volumes()).toEqual([path]);
    expect(warned('x')).toContain('one CloudVolume in the account bears its mark');
    expect(warned('x')).toContain(`ask the owner of CloudAccount ${platform}/default`);
    expect(warned('x')).not.toContain(path.replace('/volumes/', ''));
  });

  it('is nothing where another namespace has adopted it since', async () => {
    await shared();
    const path = await made('CloudVolume', 'gift', { ...ofPlatform, lifecycle: { onDelete: 'Retain' } }, tenant);
    await world.delete('CloudVolume', 'gift', tenant);
    await gone('gift', tenant);
    await made('CloudVolume', 'shop', { ...ofPlatform, adopt: { id: Number(path.split('/')[2]) } });
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-a', tenant], adopt: 'Any' }] } }, platform);
    await world.clock.advance(minute);
    operator.kill();
    await world.admin('POST', world.path('CloudVolume', tenant), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudVolume',
      metadata: { name: 'gift', namespace: tenant, finalizers: ['cloudhosting.dev/remote'] },
      spec: ofPlatform,
    });
    await world.delete('CloudVolume', 'gift', tenant);
    operator = await world.start();
    await gone('gift', tenant);
    await world.clock.advance(10 * minute);
    expect(volumes()).toEqual([path]);
    expect([warned('gift'), letGoOf('gift').at(-1)]).toEqual([
      '',
      'nothing on it tells of anything that was made for it, and nothing that no other object has bears its mark',
    ]);
    expect((await world.condition('CloudVolume', 'shop', 'Ready'))?.status).toBe('True');
  });

  it.each([
    ['at once', {}],
    ['once it is no longer paused', { 'cloudhosting.dev/pause': 'true' }],
  ])('is for the object that is to adopt it under another name, %s', async (_, annotations) => {
    const path = await made('CloudVolume', 'x', volume);
    operator.kill();
    await world.apply('CloudVolume', 'y', { ...volume, adopt: { id: Number(path.split('/')[2]) } });
    await world.patch('CloudVolume', 'y', { metadata: { annotations } });
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    await world.clock.advance(10 * minute);
    await world.patch('CloudVolume', 'y', { metadata: { annotations: { 'cloudhosting.dev/pause': null } } });
    expect((await world.ready('CloudVolume', 'y')).status).toMatchObject({ path });
    await world.clock.advance(10 * minute);
    expect(volumes()).toEqual([path]);
  });

  it('is for the object that waited for it, when its own is stripped and deleted beside the operator', async () => {
    const path = await made('CloudVolume', 'x', volume);
    await world.apply('CloudVolume', 'y', { ...volume, adopt: { id: Number(path.split('/')[2]) } });
    await world.reason('CloudVolume', 'y', 'AlreadyClaimed');
    const live = await world.get('CloudVolume', 'x');
    await world.patch('CloudVolume', 'x', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
    await world.clock.advance(minute);
    await strip('CloudVolume', 'x');
    await world.delete('CloudVolume', 'x');
    await gone('x');
    await world.clock.advance(10 * minute);
    const kept = (await world.condition('CloudVolume', 'y', 'Ready'))?.status === 'True';
    expect([live.status?.['path'], volumes()]).toEqual([path, kept ? [path] : []]);
    expect(kept).toBe(true);
  });

  it('was made by somebody else, as events tell', async () => {
    const path = await made('CloudVolume', 'x', volume);
    const { label, tags } = rows('volumes')[0] ?? {};
    operator.kill();
    await strip('CloudVolume', 'x');
    await user().delete(path);
    await user().post('/volumes', { label, tags, region: 'eu-central', size: 20 });
    await world.delete('CloudVolume', 'x');
    operator = await world.start();
    await gone('x');
    expect(volumes()).toHaveLength(1);
    expect(warned('x')).toContain('bears its mark, but somebody else made it');
  });

  it('cannot be seen by a restricted user, which is told', async () => {
    world = await World.create({ emulator: { speed: 10 } });
    await world.account({ installation: 'prod' }, undefined, 'token-limited');
    operator = await world.start();
    const path = await made('CloudVolume', 'x', volume);
    world.emulator.control.setGrants('limited', { [`volume:${path.split('/')[2]}`]: null });
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toEqual([path]);
    expect(warned('x')).toContain('nothing that user limited is shown bears its mark, so nothing in the account was touched');
  });

  it('is told of where a person chose the name, which is no mark', async () => {
    const path = await made('CloudVolume', 'x', { ...volume, label: 'prices' });
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toEqual([path]);
    expect(warned('x')).toContain(
      'nothing on it tells of anything that was made for it, and what is called as its spec says may be anybody',
    );
  });

  it('was let go by an earlier object of the name, and this one asked for another', async () => {
    const path = await made('CloudVolume', 'x', { ...volume, lifecycle: { onDelete: 'Retain' } });
    await world.delete('CloudVolume', 'x');
    await gone('x');
    await made('CloudVolume', 'x', { ...volume, label: 'prices' });
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toContain(path);
    expect(volumes()).toHaveLength(2);
    expect(warned('x')).toContain(`${path} bears its mark, but is not what its spec describes`);
  });

  it.each([
    ['goes with an object that names it with spec.adopt', 0, true],
    ['stays with one that names another one', 1, false],
  ])('%s', async (_, at, goes) => {
    await made('CloudVolume', 'x', { ...volume, lifecycle: { onDelete: 'Retain' } });
    await world.delete('CloudVolume', 'x');
    await gone('x');
    await user().post('/volumes', { label: 'other', region: 'eu-central', size: 20 });
    await world.clock.advance(minute);
    const [paths, named] = [volumes(), rows('volumes')[at]];
    await made('CloudVolume', 'x', { ...volume, adopt: { id: named?.['id'] } });
    await prunedMeanwhile('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toEqual(goes ? paths.slice(1) : paths);
  });
});

const changes = (since: number): readonly string[] =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
const listings = (since: number): number =>
  world.emulator.control
    .requests()
    .slice(since)
    .filter(({ method, path }) => method === 'GET' && /\/volumes(\?|$)/.test(path)).length;

/** By annotation `abandon`, as its grant is lost for a while. */
async function abandoned(): Promise<string> {
  world = await World.create({ emulator: { speed: 10 } });
  await world.account({ installation: 'prod' }, undefined, 'token-limited');
  operator = await world.start();
  const path = await made('CloudVolume', 'x', volume);
  const grant = `volume:${path.split('/')[2]}`;
  world.emulator.control.setGrants('limited', { [grant]: null });
  await world.delete('CloudVolume', 'x');
  const { message } = await world.reason('CloudVolume', 'x', 'RemoteNotVisible', 30 * minute);
  const abandon = /abandon=(\S+)$/.exec(message)?.[1] ?? '';
  await world.patch('CloudVolume', 'x', { metadata: { annotations: { 'cloudhosting.dev/abandon': abandon } } });
  await gone('x');
  world.emulator.control.setGrants('limited', { [grant]: 'read_write' });
  await world.clock.advance(minute);
  return path;
}
async function retained(): Promise<string> {
  const path = await made('CloudVolume', 'x', { ...volume, lifecycle: { onDelete: 'Retain' } });
  await world.delete('CloudVolume', 'x');
  await gone('x');
  return path;
}

describe('an object that has made nothing', () => {
  it.each([
    ['retained', 'admin', retained],
    ['abandoned', 'limited', abandoned],
  ])('whose create was refused for good takes nothing along that an earlier one of its name let go (%s)', async (_, username, letGo) => {
    const path = await letGo();
    world.emulator.control.addFault({
      match: { method: 'POST', path: '/volumes', username },
      effect: { kind: 'answer', status: 400, body: JSON.stringify({ errors: [{ reason: 'this cannot be made' }] }) },
    });
    await world.apply('CloudVolume', 'x', { ...volume, label: 'prices' });
    await world.clock.advance(10 * minute);
    expect((await world.get('CloudVolume', 'x')).metadata.finalizers).toHaveLength(1);
    await world.delete('CloudVolume', 'x');
    await gone('x');
    expect(volumes()).toEqual([path]);
    expect(warned('x')).not.toContain('nothing on it tells');
    expect(letGoOf('x').at(-1)).toEqual('its create is known to have made nothing');
  });

  it('and never had a finalizer costs no call', async () => {
    operator.kill();
    await world.apply('CloudVolume', 'x', volume);
    await world.delete('CloudVolume', 'x');
    const before = world.emulator.control.requests().length;
    operator = await world.start();
    await gone('x');
    await world.clock.advance(1000);
    expect(listings(before)).toBe(0);
  });

  it.each([
    ['CloudDomain', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', lifecycle: whole }],
    ['CloudLongviewPlan', { plan: 'longview-3' }],
  ])('that a mark could tell of goes without a call, and the log says what is known (%s)', async (kind, spec) => {
    await made(kind, 'x', spec);
    operator.kill();
    await strip(kind, 'x');
    await world.delete(kind, 'x');
    const before = world.emulator.control.requests().length;
    operator = await world.start();
    await world.gone(kind, 'x');
    expect(changes(before)).toEqual([]);
    expect(letGoOf('x')).toEqual(['nothing on it tells of anything that was made for it']);
  });
});

const protect = { onDelete: 'Delete', protect: true };
const server = { region: 'us-southeast', type: 'g6-standard-1', lifecycle: whole };
const disk = { instanceRef: { name: 'web' }, sizeMB: 2000, filesystem: 'ext4' };
const database = { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-dedicated-2', clusterSize: 1, lifecycle: whole };
const deletes = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method }) => method === 'DELETE')
    .map(({ path }) => path);
const raw = (kind: string, metadata: { readonly name: string; readonly namespace: string; readonly annotations?: object }, spec: object) =>
  world.admin('POST', world.path(kind, metadata.namespace), { apiVersion: 'cloudhosting.dev/v1alpha1', kind, metadata, spec });

describe('what is protected, and lost its notes, holds up the end of what it is in', () => {
  const cases: readonly (readonly [string, [string, Record<string, unknown>], [string, Record<string, unknown>], boolean])[] = [
    ['disk; both stripped', ['CloudInstance', server], ['CloudDisk', { ...disk, lifecycle: protect }], true],
    [
      'backup; both stripped',
      ['CloudDatabase', database],
      ['CloudDatabaseBackup', { databaseRef: { name: 'web' }, lifecycle: protect }],
      true,
    ],
    [
      'backup; it alone stripped',
      ['CloudDatabase', database],
      ['CloudDatabaseBackup', { databaseRef: { name: 'web' }, lifecycle: protect }],
      false,
    ],
    [
      'record; it alone stripped',
      ['CloudDomain', { domain: 'example.org', type: 'master', soaEmail: 'a@example.org', lifecycle: whole }],
      ['CloudDomainRecord', { domainRef: { name: 'web' }, type: 'A', host: 'www', target: '192.0.2.1', lifecycle: protect }],
      false,
    ],
  ];
  it.each(cases)('%s', async (_, [above, spec], [below, inside], both) => {
    await made(above, 'web', spec);
    await made(below, 'x', inside);
    operator.kill();
    if (both) await strip(above, 'web');
    await strip(below, 'x');
    await world.delete(above, 'web');
    operator = await world.start();
    await world.clock.advance(20 * minute);
    expect(deletes()).toEqual([]);
  });
});

describe('a disk that is pruned while its machine lost its notes, too', () => {
  it('goes: the machine is there and Ready, and spec.instanceRef leads to it', async () => {
    await made('CloudInstance', 'web', server);
    await made('CloudDisk', 'x', { ...disk, lifecycle: whole });
    operator.kill();
    await strip('CloudInstance', 'web');
    await prunedMeanwhile('CloudDisk', 'x');
    await world.clock.advance(20 * minute);
    expect((await world.condition('CloudInstance', 'web', 'Ready'))?.status).toBe('True');
    expect([rows('disks'), warned('x')]).toEqual([[], '']);
  });
});

describe('what a colleague made under the mark of a stripped object', () => {
  it.each(['control', 'token without events:read_only', 'answered 403'])('stays (events: %s)', async (how) => {
    const path = await made('CloudVolume', 'x', volume);
    const { label, tags } = rows('volumes')[0] ?? {};
    operator.kill();
    await strip('CloudVolume', 'x');
    await user().delete(path);
    await user().post('/volumes', { label, tags, region: 'eu-central', size: 20 });
    await world.clock.advance(5 * minute);
    if (how.startsWith('token'))
      world.emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: 'account:read_only volumes:read_write' });
    else if (how !== 'control')
      world.emulator.control.addFault({
        match: { method: 'GET', path: '/account/events', username: 'admin' },
        effect: { kind: 'answer', status: 403, body: '{"errors":[{"reason":"no"}]}' },
      });
    await world.delete('CloudVolume', 'x');
    operator = await world.start();
    await world.clock.advance(60 * minute);
    expect(volumes()).toEqual(['/volumes/1001']);
  });
});

describe('what another object names with spec.adopt', () => {
  it.each(['id, of an account whose token is not there yet', 'match, while it is paused'])('stays (%s)', async (how) => {
    await world.namespace('team-b');
    const path = await made('CloudVolume', 'x', volume);
    const label = rows('volumes')[0]?.['label'];
    operator.kill();
    if (how.startsWith('id')) {
      const token = { endpoint: 'main', tokenSecretRef: { name: 'cloud-token', key: 'token' }, installation: 'prod' };
      await world.apply('CloudAccount', 'default', token, 'team-b');
      await raw('CloudVolume', { name: 'y', namespace: 'team-b' }, { ...volume, adopt: { id: Number(path.split('/')[2]) } });
    } else
      await raw(
        'CloudVolume',
        { name: 'y', namespace: 'team-a', annotations: { 'cloudhosting.dev/pause': 'true' } },
        { ...volume, adopt: { match: { label } } },
      );
    await prunedMeanwhile('CloudVolume', 'x');
    await world.clock.advance(20 * minute);
    expect(volumes()).toEqual([path]);
  });
});

describe('a stripped object whose operator has a new key', () => {
  it('does not go without a Warning under protect and Delete, as its machine looks like its own', async () => {
    const path = await made('CloudVolume', 'x', { ...volume, lifecycle: protect });
    operator.kill();
    await strip('CloudVolume', 'x');
    await world.delete('CloudVolume', 'x');
    await world.admin('DELETE', '/api/v1/namespaces/cloud-operator/secrets/cloud-operator-key');
    operator = await world.start();
    await gone('x');
    expect(volumes()).toEqual([path]);
    expect(warned('x')).not.toBe('');
  });
});
