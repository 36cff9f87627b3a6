import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, dataOf } from '../../support/plugin/cloud-cli.ts';
import { deployed } from '../../support/samples/deployed.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { World } from '../../support/world/world.ts';

const minute = 60_000;
interface Row {
  readonly id: number;
  readonly label: string;
  readonly size: number;
}
let world: World;
const rows = (of: 'instances' | 'disks' | 'configs' | 'backups'): readonly Row[] => world.emulator.control.rows(of) as never;
const nothing: Row = { id: 0, label: '', size: 0 };
const machineId = (): number => rows('instances')[0]?.id ?? 0;
const diskAt = (at: number): Row => rows('disks')[at] ?? nothing;
const byAdmin = (method: string, path: string, body?: object): Promise<unknown> =>
  world.emulator.control.actAs({ username: 'admin', method, path: `/v4${path}`, ...(body && { body }) });
const posts = (): readonly string[] =>
  world.emulator.control.requests().flatMap(({ method, path }) => (method === 'POST' && /\/(?:disks|configs)$/.test(path) ? [path] : []));
const why = async (line: string): Promise<string> => (await cloud(world, `why ${line}`, { limit: 10 * minute })).out;
const idOf = async (name: string): Promise<unknown> => (await world.get('CloudDisk', name)).status?.['id'];
const synced = async (kind: string, name: string): Promise<string | undefined> => (await world.condition(kind, name, 'Synced'))?.message;

/** As export writes a machine that was deployed with an image: each of its disks, and its configuration, has an object. */
async function machine(more: object = {}): Promise<void> {
  await world.apply('CloudInstance', 'web', { ...deployed, ...more });
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(minute);
  const instanceRef = { name: 'web' };
  for (const [at, name] of ['root', 'swap'].entries()) {
    const { id, label, size: sizeMB } = diskAt(at);
    await world.apply('CloudDisk', name, { instanceRef, label, sizeMB, adopt: { id } });
    await world.ready('CloudDisk', name);
  }
  const { id = 0, label } = rows('configs')[0] ?? {};
  const devices = { sda: { diskRef: { name: 'root' } }, sdb: { diskRef: { name: 'swap' } } };
  await world.apply('CloudInstanceConfig', 'main', { instanceRef, label, devices, adopt: { id } });
  await world.ready('CloudInstanceConfig', 'main');
}
async function operated(spec: object): Promise<void> {
  const notAfter = new Date(world.clock.now() + 120 * minute).toISOString().replace(/\.\d+Z$/, 'Z');
  await world.apply('CloudOperation', 'back', { target: { name: 'web' }, notAfter, ...spec });
  const phase = async (): Promise<unknown> => (await world.get('CloudOperation', 'back')).status?.['phase'];
  await world.clock.runUntil(async () => (await phase()) === 'AwaitingConfirmation', 30 * minute);
  const challenge = String((await world.get('CloudOperation', 'back')).status?.['challenge']);
  await world.patch('CloudOperation', 'back', { metadata: { annotations: { 'cloudhosting.dev/confirm': challenge } } });
  await world.clock.runUntil(async () => (await phase()) === 'Succeeded', 30 * minute);
}
async function restored(): Promise<void> {
  await machine({ backupsEnabled: true });
  await byAdmin('POST', `/vm/instances/${machineId()}/backups`, { label: 'before' });
  await world.clock.advance(5 * minute);
  await operated({ action: 'RestoreInstanceBackup', backupId: rows('backups')[0]?.id, overwrite: true });
}
/** What a person does who types the lines that `why` tells. */
async function typeWhatWhyTells(name: string): Promise<void> {
  const [, id = ''] =
    /kubectl -n team-a patch clouddisk \w+ --type=merge -p '\{"spec":\{"adopt":\{"id":(\d+)\}\}\}'/.exec(await why(name)) ?? [];
  const [, object = ''] = name.split('/');
  await world.patch('CloudDisk', object, { spec: { adopt: { id: Number(id) } } });
  const asked = await cloud(world, `recreate ${name} --yes`);
  expect([asked.exit, asked.err]).toEqual([
    0,
    expect.stringContaining(`${id}, which spec.adopt names, is taken over, and nothing is made`),
  ]);
}

beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.secret('web-root', { password: 'Correct-Horse-7' });
});

describe('a machine that was restored in place of what it had', () => {
  beforeEach(async () => {
    await restored();
    for (const name of ['root', 'swap']) await world.reason('CloudDisk', name, 'RemoteMissing');
  });

  it('has other disks: why tells since when, which are there, and the lines that take them over', async () => {
    const [root, swap] = [diskAt(0), diskAt(1)];
    const out = await why('cdisk/root');
    expect(out).toMatch(/is gone from the account \(since backups_restore of \/vm\/instances\/\d+ at 2026-\S+\)\./);
    expect(out).toContain(
      `No object has ${root.id}, ${swap.id} of /vm/instances/${machineId()} (${root.id}: "${root.label}", ${root.size} MB; ${swap.id}: "${swap.label}", ${swap.size} MB)`,
    );
    expect(out).toContain(
      `\n  kubectl -n team-a patch clouddisk root --type=merge -p '{"spec":{"adopt":{"id":${root.id}}}}'\n  kubectl cloud recreate -n team-a cdisk/root\n`,
    );
    for (const name of ['root', 'swap']) {
      await typeWhatWhyTells(`cdisk/${name}`);
      await world.ready('CloudDisk', name);
    }
    expect([await idOf('root'), await idOf('swap')]).toEqual([root, swap].map(({ id }) => String(id)));
    expect([posts().filter((path) => path.endsWith('/disks')), rows('disks').length, world.panics]).toEqual([[], 2, []]);
  });

  it('has spec.adopt alone take nothing: a manifest may name for years what it adopted once', async () => {
    await world.patch('CloudDisk', 'root', { spec: { adopt: { id: diskAt(0).id } } });
    await world.clock.advance(30 * minute);
    expect(await synced('CloudDisk', 'root')).toContain('is gone from the account');
    expect(await why('cdisk/root')).toContain('What spec.adopt names is not what is gone');
  });

  it('makes nothing beside them where spec.adopt names one that is not there, and keeps the loss', async () => {
    await world.patch('CloudDisk', 'root', { spec: { adopt: { id: 99_999 } } });
    await world.clock.advance(minute);
    expect((await cloud(world, 'recreate cdisk/root --yes')).exit).toBe(0);
    await world.clock.advance(10 * minute);
    expect(await synced('CloudDisk', 'root')).toContain('spec.adopt {"id":99999} matches nothing in the account');
    expect([posts(), (await world.get('CloudDisk', 'root')).status?.['path']]).toEqual([[], expect.stringMatching(/\/disks\/\d+$/)]);
    await world.patch('CloudDisk', 'root', { spec: { adopt: { id: diskAt(0).id } } });
    await world.ready('CloudDisk', 'root');
    expect(posts()).toEqual([]);
  });

  it('has a disk that several could take told so, to each of these with the others by name', async () => {
    const [root, swap] = [diskAt(0), diskAt(1)];
    await byAdmin('DELETE', `/vm/instances/${machineId()}/disks/${swap.id}`);
    for (const name of ['root', 'swap']) {
      await world.patch('CloudDisk', name, { metadata: { annotations: { 'cloudhosting.dev/reconcile': 'now' } } });
      await world.clock.runUntil(async () => !String(await synced('CloudDisk', name)).includes(String(swap.id)), 60 * minute);
    }
    expect(await why('cdisk/root')).toContain(
      `CloudDisk team-a/swap is offered ${root.id}, too: only one of these objects can have it. Name it in the one whose it was, and see then what is left to do for the other.\n`,
    );
    expect(await why('cdisk/swap')).toContain(`CloudDisk team-a/root is offered ${root.id}, too: only one of these objects can have it.`);
    const { roots } = (
      dataOf(await cloud(world, 'why cdisk/swap -o json')) as { objects: readonly [{ roots: readonly { todo: string }[] }] }
    ).objects[0];
    expect(roots[0]?.todo).toContain('CloudDisk team-a/root is offered');
    await typeWhatWhyTells('cdisk/swap');
    // It is as large as the other one was.
    await world.reason('CloudDisk', 'swap', 'ApprovalRequired');
    const after = await why('cdisk/root');
    expect(after).not.toContain('is offered');
    expect(after).toContain(
      `\nWhat to do: CloudDisk team-a/swap has ${root.id} by now, and the operator has not looked at this object since: it cannot have that, too.`,
    );
    expect((await cloud(world, 'reconcile cdisk/root')).exit).toBe(0);
    await world.clock.advance(minute);
    expect(await why('cdisk/root')).not.toContain(String(root.id));
  });

  it('is told by why of the machine, with what of it is gone', async () => {
    const out = await why('cinst/web');
    expect(out).toContain('\nIn it, and without what they stand for (RemoteMissing): CloudDisk team-a/root, CloudDisk team-a/swap.');
    expect(out).toContain('\n  kubectl cloud why -n team-a cdisk/root cdisk/swap\n');
  });
});

it('the configuration that was restored is told, too, and taken over by the line', async () => {
  await restored();
  for (const name of ['root', 'swap']) {
    await world.reason('CloudDisk', name, 'RemoteMissing');
    await typeWhatWhyTells(`cdisk/${name}`);
    await world.ready('CloudDisk', name);
  }
  await world.reason('CloudInstanceConfig', 'main', 'RemoteMissing');
  const [{ id, label } = nothing] = rows('configs');
  const out = await why('ccfg/main');
  expect(out).toContain(`No object has ${id} of /vm/instances/${machineId()} (${id}: "${label}")`);
  expect(out).toContain(`\n  kubectl -n team-a patch cloudinstanceconfig main --type=merge -p '{"spec":{"adopt":{"id":${id}}}}'\n`);
  await world.patch('CloudInstanceConfig', 'main', { spec: { adopt: { id } } });
  await world.ready('CloudInstanceConfig', 'main');
  expect([posts(), rows('configs').length]).toEqual([[], 1]);
});

it('a disk of another object is none of those that are told, and is not taken', async () => {
  await restored();
  await world.reason('CloudDisk', 'root', 'RemoteMissing');
  const { id, size: sizeMB } = diskAt(0);
  await world.apply('CloudDisk', 'other', { instanceRef: { name: 'web' }, sizeMB, adopt: { id } });
  await world.ready('CloudDisk', 'other');
  await cloud(world, 'reconcile cdisk/root');
  await world.clock.advance(2 * minute);
  expect(await synced('CloudDisk', 'root')).not.toContain(`No object has ${id}`);
  await world.patch('CloudDisk', 'root', { spec: { adopt: { id } } });
  await cloud(world, 'recreate cdisk/root --yes');
  await world.reason('CloudDisk', 'root', 'AlreadyClaimed');
  expect(posts()).toEqual([]);
});

it('what an image was deployed over is told like what was restored', async () => {
  await machine();
  await operated({ action: 'RebuildInstance' });
  await world.reason('CloudDisk', 'root', 'RemoteMissing');
  expect(await why('cdisk/root')).toMatch(/\(since vm_rebuild of \/vm\/instances\/\d+ at 2026-\S+\)/);
});

it('of a machine that is made anew the disks are told to be those of the new one, and are taken over', async () => {
  await machine();
  await byAdmin('DELETE', `/vm/instances/${machineId()}`);
  await world.reason('CloudInstance', 'web', 'RemoteMissing');
  const ran = await cloud(world, 'recreate cinst/web --yes --confirm web');
  expect(ran.out).toContain('What was in it comes after it');
  expect(ran.out).toContain('\n  kubectl cloud why -n team-a cdisk/root\n');
  await world.reason('CloudDisk', 'root', 'RemoteMissing');
  await world.clock.advance(5 * minute);
  await typeWhatWhyTells('cdisk/root');
  await world.ready('CloudDisk', 'root');
  expect(await idOf('root')).toBe(String(diskAt(0).id));
  expect(posts().filter((path) => path.endsWith('/disks'))).toEqual([]);
});
