import { beforeEach, expect, it } from 'vitest';
import type { Backend } from '../../support/virtual/backend.ts';
import { deployed } from '../../support/samples/deployed.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

// What lives in a machine is others once an operation put them there: nobody is to read of those that are gone that they are Ready.
const minute = 60_000;
let world: World;
let operator: RunningOperator;
/** What the operator is told in place of the account's events. */
let spoken: (body: string) => string;
const told = (backend: Backend): Backend => ({
  handle: async (request) => {
    const answer = await backend.handle(request);
    return typeof answer.body === 'string' && request.path.includes('/account/events') ? { ...answer, body: spoken(answer.body) } : answer;
  },
});
const rows = (
  of: 'instances' | 'disks' | 'configs' | 'backups',
): readonly { readonly id: number; readonly label: string; readonly vm_id: number; readonly size: number }[] =>
  world.emulator.control.rows(of) as never;
beforeEach(async () => {
  spoken = (body) => body;
  ({ world, operator } = await connectedWorld({ between: (_, backend) => told(backend) }));
  await world.secret('web-root', { password: 'Correct-Horse-7' });
});
const phase = async (): Promise<unknown> => (await world.get('CloudOperation', 'back')).status?.['phase'];
async function machine(name: string, more: object = {}): Promise<number> {
  await world.apply('CloudInstance', name, { ...deployed, ...more });
  await world.ready('CloudInstance', name);
  await world.clock.advance(minute);
  const id = Number((await world.get('CloudInstance', name)).status?.['id']);
  const disk = rows('disks').find((row) => row.vm_id === id);
  await world.apply('CloudDisk', name, { instanceRef: { name }, label: disk?.label, sizeMB: disk?.size, adopt: { id: disk?.id } });
  await world.ready('CloudDisk', name);
  const config = rows('configs').find((row) => row.vm_id === id);
  await world.apply('CloudInstanceConfig', name, {
    instanceRef: { name },
    label: config?.label,
    devices: { sda: { diskRef: { name } } },
    adopt: { id: config?.id },
  });
  await world.ready('CloudInstanceConfig', name);
  return id;
}
const kinds = ['CloudDisk', 'CloudInstanceConfig'];
/** Seconds until the object says no more that it is Ready with what is gone. */
async function liesFor(kind: string, name: string, id: unknown): Promise<number> {
  const since = world.clock.now();
  const lies = async (): Promise<boolean> => {
    const { status } = await world.get(kind, name);
    return status?.['id'] === id && status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  };
  await world.clock.runUntil(async () => !(await lies()), 60 * minute);
  return (world.clock.now() - since) / 1000;
}
const idsOf = (name: string): Promise<readonly unknown[]> =>
  Promise.all(kinds.map(async (kind) => (await world.get(kind, name)).status?.['id']));
async function liars(name: string, before: readonly unknown[]): Promise<readonly number[]> {
  return Promise.all(kinds.map((kind, at) => liesFor(kind, name, before[at])));
}
/** A configuration of the machine that another namespace has. */
async function theirConfig(): Promise<unknown> {
  const instance = (await world.get('CloudInstance', 'web')).status?.['id'];
  const accountRef = { name: 'default', namespace: 'team-a' };
  await world.apply('CloudInstanceConfig', 'theirs', { accountRef, instanceRef: { external: instance }, devices: {} }, 'team-b');
  const { status } = await world.ready('CloudInstanceConfig', 'theirs', 5 * minute, 'team-b');
  return status?.['id'];
}
async function backedUp(): Promise<object> {
  const id = await machine('web', { backupsEnabled: true });
  await world.emulator.control.actAs({
    username: 'admin',
    method: 'POST',
    path: `/v4/vm/instances/${id}/backups`,
    body: { label: 'before' },
  });
  await world.clock.advance(5 * minute);
  return { action: 'RestoreInstanceBackup', target: { name: 'web' }, backupId: rows('backups')[0]?.id, overwrite: true };
}
async function operatedUntil(is: string, spec: object): Promise<void> {
  const notAfter = new Date(world.clock.now() + 120 * minute).toISOString().replace(/\.\d+Z$/, 'Z');
  await world.apply('CloudOperation', 'back', { notAfter, ...spec });
  await world.clock.runUntil(async () => ['AwaitingConfirmation', is].includes(String(await phase())), 30 * minute);
  const challenge = String((await world.get('CloudOperation', 'back')).status?.['challenge']);
  await world.patch('CloudOperation', 'back', { metadata: { annotations: { 'cloudhosting.dev/confirm': challenge } } });
  await world.clock.runUntil(async () => (await phase()) === is, 30 * minute);
}
const operated = (spec: object): Promise<void> => operatedUntil('Succeeded', spec);
const soon = 5;

it('a disk and a configuration whose backup was restored in their place are not Ready any more within seconds', async () => {
  const restore = await backedUp();
  const before = await idsOf('web');
  await operated(restore);
  expect(Math.max(...(await liars('web', before)))).toBeLessThan(soon);
});

it('nor are those over which an image was deployed', async () => {
  await machine('web');
  const before = await idsOf('web');
  await operated({ action: 'RebuildInstance', target: { name: 'web' } });
  expect(Math.max(...(await liars('web', before)))).toBeLessThan(soon);
});

it('nor are those of another machine onto which it goes, and those of its own stay', async () => {
  const restore = await backedUp();
  await machine('db');
  const [web, db] = [await idsOf('web'), await idsOf('db')];
  await operated({ ...restore, toInstanceRef: { name: 'db' } });
  expect(Math.max(...(await liars('db', db)))).toBeLessThan(soon);
  await world.clock.advance(10 * minute);
  expect(await idsOf('web')).toEqual(web);
  for (const kind of kinds) expect((await world.condition(kind, 'web', 'Ready'))?.status).toBe('True');
});

it('nor where the event names the machine that it is of: then the loss is proven, at the latest', async () => {
  const restore = await backedUp();
  const [source, target] = [Number((await world.get('CloudInstance', 'web')).status?.['id']), await machine('db')];
  let named = 0;
  spoken = (body) => {
    const page = JSON.parse(body) as { readonly data?: readonly { readonly action: string; readonly entity: { readonly id: number } }[] };
    const data = page.data?.map((event) => {
      if (event.action !== 'backups_restore' || event.entity.id !== target) return event;
      named += 1;
      return { ...event, entity: JSON.parse(JSON.stringify(event.entity).replaceAll(String(target), String(source))) as object };
    });
    return JSON.stringify({ ...page, ...(data && { data }) });
  };
  const before = await idsOf('db');
  await operated({ ...restore, toInstanceRef: { name: 'db' } });
  expect(Math.max(...(await liars('db', before)))).toBeLessThan(75);
  expect(named).toBeGreaterThan(0);
});

it('nor those that another namespace has in the machine', async () => {
  const restore = await backedUp();
  await world.namespace('team-b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'Any' }] } });
  const theirs = await theirConfig();
  await world.clock.advance(2 * minute);
  await operated(restore);
  await world.clock.advance(soon * 1000);
  const { status } = await world.get('CloudInstanceConfig', 'theirs', 'team-b');
  expect([status?.['id'], status?.conditions?.find(({ type }) => type === 'Ready')?.status]).toEqual([theirs, 'False']);
});

it('nor where the operator is another one at its end', async () => {
  const restore = await backedUp();
  const before = await idsOf('web');
  await operatedUntil('Running', restore);
  operator.kill();
  await world.clock.advance(minute);
  operator = await world.start();
  await world.clock.runUntil(async () => (await phase()) === 'Succeeded', 30 * minute);
  expect(Math.max(...(await liars('web', before)))).toBeLessThan(soon);
});

it('what is restored beside what is there leaves that as it is, all the time', async () => {
  const restore = await backedUp();
  const instanceRef = { name: 'db' };
  await world.apply('CloudInstance', 'db', { region: 'us-east', type: 'g6-standard-2' });
  await world.apply('CloudDisk', 'db', { instanceRef, sizeMB: 100 });
  await world.apply('CloudInstanceConfig', 'db', { instanceRef, devices: { sda: { diskRef: { name: 'db' } } } });
  const isReady = async (): Promise<unknown> =>
    Promise.all(kinds.map(async (kind) => (await world.condition(kind, 'db', 'Ready'))?.status));
  for (const kind of kinds) await world.ready(kind, 'db');
  const before = await idsOf('db');
  await world.clock.advance(minute);
  await operated({ ...restore, toInstanceRef: { name: 'db' }, overwrite: false });
  for (let at = 0; at < 120; at += 1) {
    expect(await isReady()).toEqual(['True', 'True']);
    await world.clock.advance(1000);
  }
  expect(await idsOf('db')).toEqual(before);
});
