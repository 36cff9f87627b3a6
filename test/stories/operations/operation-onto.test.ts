import { beforeEach, describe, expect, it } from 'vitest';
import type { Backend } from '../../support/virtual/backend.ts';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const kind = 'CloudOperation';
const hour = 3_600_000;
const empty = { region: 'us-east', type: 'g6-standard-1' };
const deployed = { image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-root', key: 'password' } };

let world: World;
/** The snapshot of `web`. */
let backupId: number;
type Told = { readonly method: string; readonly path: string };
let strike: (when: 'before' | 'after', request: Told, operator: RunningOperator) => void;
/** What the operator is told in place of an answer. */
let spoken: (request: Told, body: string) => string;
const struck = (backend: Backend, operator: RunningOperator): Backend => ({
  handle: async (request) => {
    strike('before', request, operator);
    if (!operator.process.alive) return new Promise(() => undefined);
    const answer = await backend.handle(request);
    strike('after', request, operator);
    if (!operator.process.alive) return new Promise(() => undefined);
    return typeof answer.body === 'string' ? { ...answer, body: spoken(request, answer.body) } : answer;
  },
});

const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const get = (name: string, namespace?: string): Promise<KubeObject> => world.get(kind, name, namespace);
const phase = async (name: string): Promise<unknown> => (await get(name)).status?.['phase'];
async function ends(name: string, as: string): Promise<KubeObject> {
  await world.clock
    .runUntil(async () => (await phase(name)) === as, 2 * hour)
    .catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${JSON.stringify((await get(name)).status)}`);
    });
  return get(name);
}
const idOf = async (name: string): Promise<number> => Number((await world.get('CloudInstance', name)).status?.['id']);
const restore = (more: object = {}): Record<string, unknown> => ({
  action: 'RestoreInstanceBackup',
  target: { name: 'web' },
  toInstanceRef: { name: 'db' },
  backupId,
  notAfter: at(2 * hour),
  ...more,
});
const ask = (name: string, more: object = {}): Promise<KubeObject> => world.apply(kind, name, restore(more));
const confirmAs = (value: unknown) => ({ metadata: { annotations: { 'cloudhosting.dev/confirm': String(value) } } });
async function confirmed(name: string): Promise<KubeObject> {
  const asked = await ends(name, 'AwaitingConfirmation');
  await world.patch(kind, name, confirmAs(asked.status?.['challenge']));
  return asked;
}
const sent = (): readonly { readonly path: string; readonly body: unknown }[] =>
  world.emulator.control
    .requests()
    .filter(({ method, path, status }) => method === 'POST' && path.endsWith('/restore') && status < 300)
    .map(({ path, body }) => ({ path, body: JSON.parse(body) as unknown }));
interface DiskRow {
  readonly id: number;
  readonly label: string;
  readonly vm_id: number;
}
const said = (rows: readonly DiskRow[]): string =>
  rows.map(({ id, label }) => `${id} (${label.includes(' ') ? `"${label}"` : label})`).join(', ');
const rowsOf = (collection: string, id: number): readonly DiskRow[] =>
  (world.emulator.control.rows(collection) as unknown as DiskRow[]).filter(({ vm_id }) => vm_id === id);
const asAdmin = async (method: string, path: string, body?: object): Promise<void> =>
  void (await world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) }));

beforeEach(async () => {
  strike = () => undefined;
  spoken = (_, body) => body;
  world = await World.create({ between: (_, backend, operator) => struck(backend, operator) });
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
});
/** `web` with a snapshot, and `db`, which is as the case wants it. */
async function begin(db: object = {}): Promise<RunningOperator> {
  const operator = await world.start();
  await world.apply('CloudInstance', 'web', { ...empty, ...deployed, backupsEnabled: true });
  await world.apply('CloudInstance', 'db', { ...empty, ...db });
  for (const name of ['web', 'db']) await world.ready('CloudInstance', name);
  await world.clock.advance(60_000);
  await asAdmin('POST', `/vm/instances/${await idOf('web')}/backups`, { label: 'before' });
  await world.clock.advance(5 * 60_000);
  const [backup] = world.emulator.control.rows('backups') as unknown as { id: number }[];
  backupId = backup?.id ?? 0;
  return operator;
}

describe('a backup of one instance', () => {
  it('goes onto another by one call, which its event ends, and leaves its own as it is', async () => {
    await begin();
    const [web, db] = [await idOf('web'), await idOf('db')];
    const mine = rowsOf('disks', web);
    await ask('over');
    const { status } = await confirmed('over');
    expect(status?.['consequences']).toEqual([
      `CloudInstance db (/vm/instances/${db}) is powered off while disks and configurations of backup ${backupId} of CloudInstance web are added to it`,
    ]);
    const ended = await ends('over', 'Succeeded');
    expect(ended.status).toMatchObject({ targetPath: `/vm/instances/${web}`, ontoPath: `/vm/instances/${db}` });
    expect((await world.condition(kind, 'over', 'Ready'))?.message).toMatch(/^done: event \d+ backups_restore$/);
    expect(sent()).toEqual([{ path: `/vm/instances/${web}/backups/${backupId}/restore`, body: { vm_id: db, overwrite: false } }]);
    expect(rowsOf('disks', web)).toEqual(mine);
    expect(rowsOf('disks', db).map(({ label }) => label)).toEqual(mine.map(({ label }) => label));
    await world.ready('CloudInstance', 'db');
    await world.clock.advance(hour);
    expect([sent().length, world.panics]).toEqual([1, []]);
  });

  it('is found done by an event that names the instance that it is of', async () => {
    await begin();
    const [web, db] = [await idOf('web'), await idOf('db')];
    spoken = ({ path }, body) => {
      if (!path.includes('/account/events')) return body;
      const page = JSON.parse(body) as { readonly data?: readonly { readonly action: string; readonly entity: { readonly id: number } }[] };
      const data = page.data?.map((event) => (event.action === 'backups_restore' ? { ...event, entity: naming(event.entity) } : event));
      return JSON.stringify({ ...page, ...(data && { data }) });
    };
    const naming = (entity: { readonly id: number }): object => {
      expect(entity.id).toBe(db);
      return JSON.parse(JSON.stringify(entity).replaceAll(String(db), String(web))) as object;
    };
    const match = { method: 'POST', path: `/vm/instances/${web}/backups/${backupId}/restore`, username: 'admin' };
    world.emulator.control.addFault({ match, times: 1, effect: { kind: 'lose-answer' } });
    await ask('over');
    await confirmed('over');
    await ends('over', 'Succeeded');
    expect(sent()).toHaveLength(1);
  });

  it('in place of what is on another erases that alone, which the challenge names; what is another by then asks anew', async () => {
    await begin(deployed);
    const [web, db] = [await idOf('web'), await idOf('db')];
    const [mine, theirs] = [rowsOf('disks', web), rowsOf('disks', db)];
    await ask('over', { overwrite: true });
    const { status } = await ends('over', 'AwaitingConfirmation');
    expect(status?.['consequences']).toEqual([
      `disks ${said(theirs)} and configuration ${said(rowsOf('configs', db))} of CloudInstance db (/vm/instances/${db}) are erased, and those of backup ${backupId} of CloudInstance web take their place`,
    ]);
    await asAdmin('PUT', `/vm/instances/${db}/disks/${theirs[0]?.id}`, { label: 'customers' });
    await world.patch(kind, 'over', confirmAs(status?.['challenge']));
    await world.clock.advance(10 * 60_000);
    const now = (await get('over')).status;
    expect([now?.['phase'], JSON.stringify(now?.['consequences'])]).toEqual([
      'AwaitingConfirmation',
      expect.stringContaining('(customers)'),
    ]);
    expect(now?.['challenge']).not.toBe(status?.['challenge']);
    expect(sent()).toEqual([]);
    await world.patch(kind, 'over', confirmAs(now?.['challenge']));
    await ends('over', 'Succeeded');
    expect(rowsOf('disks', web)).toEqual(mine);
    expect(rowsOf('disks', db).filter(({ id }) => theirs.some((one) => one.id === id))).toEqual([]);
    expect(rowsOf('disks', db)).toHaveLength(mine.length);
    await world.ready('CloudInstance', 'db');
    expect(JSON.stringify([await get('over'), world.changes, world.log])).not.toContain('Correct-Horse-7');
  });

  it.each([
    [{ region: 'us-west' }, {}, 'spec.toInstanceRef: CloudInstance db is in region us-west, and backup'],
    [
      { type: 'g6-nanode-1' },
      { overwrite: true },
      'the plan g6-nanode-1 of CloudInstance db has 25600 MB: give that a plan with more disk',
    ],
    [deployed, {}, 'spec.overwrite: the disks of backup'],
    [{}, { backupId: 1 }, 'spec.backupId: CloudInstance web has no backup 1: those that it has are'],
    [{}, { toInstanceRef: { name: 'lost' } }, 'spec.toInstanceRef: CloudInstance lost is not found'],
  ])('that does not fit %j with %j is not sent: %s', async (db, change, text) => {
    await begin(db);
    await ask('over', change);
    await world.clock.runUntil(async () => (await world.condition(kind, 'over', 'Synced'))?.message.includes(text) === true, hour);
    await world.clock.advance(hour / 2);
    expect([await phase('over'), sent()]).toEqual(['Pending', []]);
  });

  it('that is not done yet is not restored', async () => {
    await begin();
    await asAdmin('POST', `/vm/instances/${await idOf('web')}/backups`, { label: 'next' });
    const next = (world.emulator.control.rows('backups') as unknown as { id: number }[]).at(-1)?.id;
    await world.clock.advance(5 * 60_000);
    world.emulator.control.edit({ collection: 'backups', key: next ?? 0, row: { type: 'auto', status: 'pending' } });
    await ask('over', { backupId: next });
    const { message } = await world.reason(kind, 'over', 'InvalidSpec');
    expect(message).toMatch(/backup \d+ is \w+: it can be restored once it is successful/);
    expect(sent()).toEqual([]);
  });

  it('is not restored onto the target by a field for others, whoever let that through', async () => {
    await begin();
    await expect(ask('over', { toInstanceRef: { name: 'web' } })).rejects.toThrow('toInstanceRef is the target itself');
    await expect(ask('over', { toInstanceRef: { external: await idOf('db') } })).rejects.toThrow('name');
  });
});

describe('the instance onto which it goes', () => {
  it('changes nothing meanwhile, no more than the one that it is of', async () => {
    await begin();
    await ask('over');
    await confirmed('over');
    await ends('over', 'Running');
    for (const name of ['web', 'db']) await world.patch('CloudInstance', name, { spec: { group: 'shop' } });
    for (const name of ['web', 'db']) {
      const { message } = await world.reason('CloudInstance', name, 'Busy');
      expect(message).toContain('CloudOperation over');
    }
    expect(await phase('over')).toBe('Running');
    await ends('over', 'Succeeded');
    for (const name of ['web', 'db']) await world.ready('CloudInstance', name);
    expect(world.emulator.control.rows('instances')).toEqual([
      expect.objectContaining({ group: 'shop' }),
      expect.objectContaining({ group: 'shop' }),
    ]);
  });

  it('has one thing done to it at a time, whichever field names it: the oldest goes first', async () => {
    await begin({ ...deployed, backupsEnabled: true });
    await ask('first', { overwrite: true });
    await ends('first', 'AwaitingConfirmation');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(5_000);
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    await world.apply(kind, 'reboot-db', { action: 'RebootInstance', target: { name: 'db' }, notAfter: at(2 * hour) });
    await ends('reboot-db', 'Running');
    await world.patch(kind, 'first', confirmAs((await get('first')).status?.['challenge']));
    expect((await world.reason(kind, 'first', 'Busy')).message).toMatch(/reboot-db|vm_reboot/);
    await ends('reboot-db', 'Succeeded');
    await ends('first', 'Running');
    await world.apply(kind, 'snapshot-db', { action: 'SnapshotInstance', label: 'x', target: { name: 'db' }, notAfter: at(2 * hour) });
    await world.apply(kind, 'shutdown-web', { action: 'ShutdownInstance', target: { name: 'web' }, notAfter: at(2 * hour) });
    for (const name of ['snapshot-db', 'shutdown-web'])
      expect((await world.reason(kind, name, 'Busy')).message).toMatch(/first|backups_restore/);
    for (const name of ['first', 'snapshot-db', 'shutdown-web']) await ends(name, 'Succeeded');
    const jobs = await Promise.all(
      ['reboot-db', 'first', 'snapshot-db', 'shutdown-web'].map(async (name) => Number((await get(name)).status?.['job'])),
    );
    expect(jobs[1]).toBeGreaterThan(jobs[0] ?? 0);
    expect(Math.min(jobs[2] ?? 0, jobs[3] ?? 0)).toBeGreaterThan(jobs[1] ?? Infinity);
  });

  it('and the one that it is of may change places in another operation, and neither waits for ever', async () => {
    await begin({ ...deployed, backupsEnabled: true });
    await asAdmin('POST', `/vm/instances/${await idOf('db')}/backups`, { label: 'of-db' });
    await world.clock.advance(5 * 60_000);
    const other = (world.emulator.control.rows('backups') as unknown as { id: number; vm_id: number }[]).at(-1)?.id;
    await ask('there', { overwrite: true });
    await ask('back', { target: { name: 'db' }, toInstanceRef: { name: 'web' }, backupId: other, overwrite: true });
    for (const name of ['there', 'back']) await confirmed(name);
    // The first one changes db alone, so what the second one erases is as it was confirmed.
    await ends('there', 'Succeeded');
    await ends('back', 'Succeeded');
    expect(sent()).toHaveLength(2);
  });

  it.each([
    ['is paused', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } }, 'spec.toInstanceRef: CloudInstance db is paused'],
    ['is only observed', { spec: { lifecycle: { management: 'Observe' } } }, 'spec.toInstanceRef: CloudInstance db is only observed'],
  ])('is left alone while it %s', async (_, change, text) => {
    await begin();
    await world.patch('CloudInstance', 'db', change);
    await world.clock.advance(5_000);
    await ask('over');
    const { message } = await world.reason(kind, 'over', 'ReferenceNotReady');
    expect(message).toContain(text);
    await world.clock.advance(hour / 2);
    expect([await phase('over'), sent()]).toEqual(['Pending', []]);
  });

  it('is left alone once its object is being deleted', async () => {
    await begin({ lifecycle: { protect: true } });
    await ask('over');
    const { status } = await ends('over', 'AwaitingConfirmation');
    await world.patch('CloudInstance', 'db', { metadata: { finalizers: ['cloudhosting.dev/remote', 'example.com/keeps'] } });
    await world.server.as('admin', 'DELETE', world.path('CloudInstance', undefined, 'db'));
    await world.clock.advance(5_000);
    await world.patch(kind, 'over', confirmAs(status?.['challenge']));
    expect((await world.reason(kind, 'over', 'ReferenceNotReady')).message).toContain('CloudInstance db is being deleted');
    await world.clock.advance(hour / 2);
    expect(sent()).toEqual([]);
  });

  it('is left alone when it is deleted in the very moment', async () => {
    await begin();
    await ask('over');
    await ends('over', 'AwaitingConfirmation');
    let struckAt = '';
    strike = (when, { method, path }) => {
      if (when === 'before' || method !== 'PATCH' || !path.includes('/cloudinstances/db')) return;
      strike = () => undefined;
      struckAt = path;
      void world.server.as('admin', 'DELETE', world.path('CloudInstance', undefined, 'db'));
    };
    await confirmed('over');
    await world.clock.advance(hour / 2);
    expect(struckAt).toContain('/cloudinstances/db');
    expect(sent()).toEqual([]);
  });
});

const final = ['Succeeded', 'Failed', 'Unknown', 'Expired'];
const settle = (name: string): Promise<unknown> => world.clock.runUntil(async () => final.includes(String(await phase(name))), 3 * hour);

const isStep = ({ path }: Told): boolean => /cloudoperations\/|cloudinstances\/(web|db)|\/restore$/.test(path) && !/watch=/.test(path);

describe('killed with -9', () => {
  it('before and after every request from the confirmation on, it is sent at most once', { timeout: 300_000 }, async () => {
    const first = await begin(deployed);
    const steps: string[] = [];
    await ask('traced', { overwrite: true });
    await ends('traced', 'AwaitingConfirmation');
    strike = (when, request) => {
      if (isStep(request)) steps.push(`${when} ${request.method} ${request.path.split('?')[0]}`);
    };
    await confirmed('traced');
    await settle('traced');
    strike = () => undefined;
    expect(steps.filter((step) => step.includes('POST'))).toHaveLength(2);
    expect(steps.some((step) => step.includes('cloudinstances/db'))).toBe(true);
    const ends_ = new Map<string, number>();
    let operator = first;
    for (const [index, step] of steps.entries()) {
      const name = `killed-${index}`;
      await world.clock.advance(180_000);
      await ask(name, { overwrite: true, notAfter: at(2 * hour + index * 60_000) });
      await ends(name, 'AwaitingConfirmation');
      let left = index;
      strike = (_when, request, by) => {
        if (isStep(request) && by === operator && left-- === 0) by.kill();
      };
      const before = sent().length;
      await confirmed(name);
      await world.clock.runUntil(() => Promise.resolve(!operator.process.alive), hour / 4).catch(() => undefined);
      operator.kill();
      strike = () => undefined;
      operator = await world.start();
      await settle(name);
      const outcome = String(await phase(name));
      ends_.set(outcome, (ends_.get(outcome) ?? 0) + 1);
      expect([step, outcome, sent().length - before]).toEqual([step, outcome, outcome === 'Succeeded' ? 1 : 0]);
    }
    expect([...ends_.keys()].toSorted()).toEqual(['Succeeded', 'Unknown']);
    expect(world.panics).toEqual([]);
  });
});

async function recreated(object: KubeObject): Promise<void> {
  const { name, namespace } = object.metadata;
  await world.delete(object.kind, name);
  await world.clock.advance(5_000);
  const { apiVersion, kind: of, spec } = object as unknown as { apiVersion: string; kind: string; spec: object };
  await world.admin('POST', world.path(of), { apiVersion, kind: of, metadata: { name, namespace }, spec });
}

describe('what comes again out of Git as another object', () => {
  it('is not done again, as long as either of the two instances notes it', async () => {
    await begin(deployed);
    await ask('over', { overwrite: true });
    await confirmed('over');
    await ends('over', 'Succeeded');
    const notes = await Promise.all(['web', 'db'].map(async (name) => (await world.get('CloudInstance', name)).status?.['operations']));
    expect(notes[0]).toHaveLength(1);
    expect(notes[1]).toEqual(notes[0]);
    for (const [left, name] of [
      ['db', 'web'],
      ['web', 'db'],
    ] as const) {
      const bare = { metadata: { annotations: { 'cloudhosting.dev/operations': null } } };
      const kept = await world.get('CloudInstance', name);
      await world.patch('CloudInstance', name, bare);
      await world.admin('PATCH', `${world.path('CloudInstance', undefined, name)}/status`, { status: { operations: null } });
      await recreated(await get('over'));
      await ends('over', 'Expired');
      expect((await world.condition(kind, 'over', 'Stalled'))?.message).toContain(`as CloudInstance ${left} notes`);
      await world.patch('CloudInstance', name, {
        metadata: { annotations: { 'cloudhosting.dev/operations': kept.metadata.annotations?.['cloudhosting.dev/operations'] } },
      });
    }
    expect(sent()).toHaveLength(1);
  });

  it('asks where the object of the other one is new, and says why', async () => {
    await begin(deployed);
    const { spec, status } = await world.get('CloudInstance', 'db');
    await world.patch('CloudInstance', 'db', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.delete('CloudInstance', 'db');
    await world.gone('CloudInstance', 'db');
    await world.clock.advance(60_000);
    await world.apply('CloudInstance', 'db', { ...spec, adopt: { id: status?.['id'] } });
    await world.ready('CloudInstance', 'db');
    await ask('over', { overwrite: true });
    const asked = await ends('over', 'AwaitingConfirmation');
    expect(asked.status?.['consequences']).toEqual([
      expect.stringContaining('are erased'),
      expect.stringMatching(
        `^the object of ${String(status?.['path'])} found or adopted it at (.+), and what was done on it before that is noted nowhere: it may have been done already, so confirm it only where it is to be done now. Operations with spec.notAfter after .+ do not ask this$`,
      ),
    ]);
  });
});

async function held(text: string): Promise<void> {
  await world.clock.advance(hour / 2);
  expect((await world.condition(kind, 'theft', 'Synced', 'team-b'))?.message).toContain(text);
  expect(sent()).toEqual([]);
}

describe('another team', () => {
  const accountRef = { name: 'default', namespace: 'team-a' };
  async function admit(adopt: 'Any' | 'None'): Promise<void> {
    await world.namespace('team-b');
    await world.secret('web-root', { password: 'Correct-Horse-8' }, 'team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt }] } });
    await world.clock.advance(5_000);
    for (const name of ['mine', 'other']) await world.apply('CloudInstance', name, { ...empty, accountRef }, 'team-b');
    for (const name of ['mine', 'other']) await world.ready('CloudInstance', name, hour, 'team-b');
  }
  const theft = (more: object): Record<string, unknown> =>
    restore({ accountRef, target: { name: 'mine' }, toInstanceRef: { name: 'other' }, ...more });

  it('restores nothing onto a machine that is no object of its own namespace, whatever it may adopt', async () => {
    await begin();
    await admit('Any');
    await world.apply(kind, 'theft', theft({ toInstanceRef: { name: 'db' } }), 'team-b');
    await held('spec.toInstanceRef: CloudInstance db is not found');
    await expect(
      world.apply(kind, 'by-namespace', theft({ toInstanceRef: { name: 'db', namespace: 'team-a' } }), 'team-b'),
    ).resolves.toBeDefined();
    await world.clock.advance(hour / 2);
    expect(sent()).toEqual([]);
    // An object that only says that the instance is its own.
    const { metadata } = await world.get('CloudInstance', 'db');
    await world.admin('POST', world.path('CloudInstance', 'team-b'), {
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind: 'CloudInstance',
      metadata: { name: 'db', annotations: metadata.annotations },
      spec: { ...empty, accountRef },
    });
    await world.clock.advance(hour / 2);
    expect(sent()).toEqual([]);
  });

  it('names no backup by its id where it may not adopt, and one of another instance nowhere', async () => {
    await begin();
    await admit('None');
    await world.apply(kind, 'theft', theft({}), 'team-b');
    await held('must set spec.access[].adopt: Any for namespace team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
    await held(`has no backup ${backupId}: it has none at all`);
  });
});

it('the plugin says what it waits for, and what would be done', async () => {
  await begin();
  await ask('over', { toInstanceRef: { name: 'lost' } });
  await world.clock.advance(60_000);
  expect((await cloud(world, 'why cop/over')).out).toContain('CloudInstance team-a/lost: NotFound');
  const { exit, out } = await cloud(world, 'plan cop/over --against cluster');
  expect([exit, out]).toEqual([1, expect.stringContaining('spec.toInstanceRef: CloudInstance lost is not found')]);
  expect((await cloud(world, 'ops over')).out).toContain('web onto lost');
});

it('the plugin writes it, shows what it erases, and does it once', async () => {
  await begin(deployed);
  const limit = hour;
  const dry = await cloud(world, `restore cinst/web --backup ${backupId} --to cinst/db --overwrite --dry-run`, { limit });
  expect([dry.exit, dry.out]).toEqual([0, expect.stringContaining('"toInstanceRef":{"name":"db"},"overwrite":true')]);
  const wrong = await cloud(world, `restore cinst/web --backup ${backupId} --to cdb/db --yes`, { limit });
  expect([wrong.exit, wrong.err]).toEqual([2, expect.stringContaining('--to=cdb/db is no CloudInstance')]);
  const unasked = await cloud(world, `restore cinst/web --backup ${backupId} --to db --overwrite --yes --name over`, { limit });
  expect([unasked.exit, unasked.err]).toEqual([3, expect.stringContaining('of CloudInstance db')]);
  expect(unasked.err).toContain('--confirm db');
  expect(sent()).toEqual([]);
  expect((await cloud(world, 'confirm cop/over --confirm web')).exit).toBe(3);
  expect(await cloud(world, 'confirm cop/over --confirm db')).toMatchObject({ exit: 0 });
  await ends('over', 'Succeeded');
  expect(sent()).toHaveLength(1);
  expect((await cloud(world, `restore cinst/web --backup ${backupId} --to db --overwrite --yes --name over`, { limit })).exit).toBe(4);
  expect(sent()).toHaveLength(1);
});

it('boots the other one at once where it was to be on, and had nothing to boot before', async () => {
  await begin();
  await world.patch('CloudInstance', 'db', { spec: { power: 'On' } });
  await world.reason('CloudInstance', 'db', 'Rejected');
  await ask('onto');
  await confirmed('onto');
  await ends('onto', 'Succeeded');
  await world.clock.advance(60_000);
  await world.ready('CloudInstance', 'db', 60_000);
  expect((await world.get('CloudInstance', 'db')).status?.['state']).toBe('running');
});
