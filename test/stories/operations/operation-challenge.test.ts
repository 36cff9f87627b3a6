import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const hour = 3_600_000;
const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const web = {
  region: 'us-east',
  type: 'g6-standard-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'web-root', key: 'password' },
  backupsEnabled: true,
};
const confirmAs = (value: unknown) => ({ metadata: { annotations: { 'cloudhosting.dev/confirm': String(value) } } });
const sent = (word: string): number =>
  world.emulator.control.requests().filter(({ method, path, status }) => method === 'POST' && path.endsWith(`/${word}`) && status < 300)
    .length;
const get = (name: string): Promise<KubeObject> => world.get('CloudOperation', name);
async function ends(name: string, as: string): Promise<KubeObject> {
  await world.clock
    .runUntil(async () => (await get(name)).status?.['phase'] === as, 2 * hour)
    .catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${JSON.stringify((await get(name)).status)}`);
    });
  return get(name);
}
const ask = (name: string, action: string, more: object = {}): Promise<KubeObject> =>
  world.apply('CloudOperation', name, { action, target: { name: 'web' }, notAfter: at(hour), ...more });

beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.secret('web-root', { password: 'Correct-Horse-7' });
  await world.start();
});
async function instance(): Promise<void> {
  await world.apply('CloudInstance', 'web', web);
  await world.ready('CloudInstance', 'web');
  await world.clock.advance(60_000);
}

describe('of a database, no event tells the end', () => {
  it('so it is looked at: a patch of one node asks, and ends when it is active again; a restore likewise', async () => {
    const spec = { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1', clusterSize: 1, replicationType: 'none' };
    await world.apply('CloudDatabase', 'shop', spec);
    await world.ready('CloudDatabase', 'shop');
    const target = { name: 'shop' };
    await ask('patch', 'PatchDatabase', { target });
    const { status } = await ends('patch', 'AwaitingConfirmation');
    expect(status?.['consequences']).toEqual([expect.stringContaining('has one node')]);
    await world.patch('CloudOperation', 'patch', confirmAs(status?.['challenge']));
    await ends('patch', 'Running');
    expect((await world.get('CloudDatabase', 'shop')).status?.['state']).not.toBe('failed');
    await ends('patch', 'Succeeded');
    expect(sent('patch')).toBe(1);
    const path = String((await world.get('CloudDatabase', 'shop')).status?.['path']);
    const body = { label: 'before', target: 'primary' };
    await world.emulator.control.actAs({ username: 'admin', method: 'POST', path: `/v4${path}/backups`, body });
    await world.clock.advance(hour / 3);
    const backups = world.emulator.control.rows('database backups') as unknown as { id: number }[];
    await ask('back', 'RestoreDatabaseBackup', { target, backupId: backups[0]?.id });
    const asked = await ends('back', 'AwaitingConfirmation');
    await world.patch('CloudOperation', 'back', confirmAs(asked.status?.['challenge']));
    await ends('back', 'Succeeded');
    expect(sent('restore')).toBe(1);
  });
});

const shop = async () => (await world.get('CloudDatabase', 'shop')).status ?? {};

async function snapshot(label: string): Promise<unknown> {
  const path = `/v4${String((await shop())['path'])}/backups`;
  await world.emulator.control.actAs({ username: 'admin', method: 'POST', path, body: { label, target: 'primary' } });
  await world.clock.advance(hour / 3);
  const backups = world.emulator.control.rows('database backups') as unknown as { id: number; label: string }[];
  return backups.find((one) => one.label === label)?.id;
}

describe('a backup of a database', () => {
  const spec = { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1', clusterSize: 1, replicationType: 'none' };
  const target = { name: 'shop' };
  const restoring = (name: string, backupId: unknown) => ask(name, 'RestoreDatabaseBackup', { target, backupId });
  beforeEach(async () => {
    await world.apply('CloudDatabase', 'shop', spec);
    await world.ready('CloudDatabase', 'shop');
  });

  it('from before its password was reset is refused, whoever did that; a newer one is not', async () => {
    const before = await snapshot('before');
    await restoring('first', before);
    expect((await ends('first', 'AwaitingConfirmation')).status?.['consequences']).toEqual([expect.stringContaining('is lost')]);
    const path = `/v4${String((await shop())['path'])}/credentials/reset`;
    await world.emulator.control.actAs({ username: 'admin', method: 'POST', path });
    await world.clock.advance(5 * 60_000);
    expect(await shop()).toMatchObject({ credentialsResetAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]+Z$/) });
    await restoring('old', before);
    const { message } = await world.reason('CloudOperation', 'old', 'InvalidSpec');
    expect(message).toContain(`backup ${String(before)} (before, of `);
    expect(message).toContain('was taken before the password of the database was reset');
    const after = await snapshot('after');
    await restoring('new', after);
    const asked = await ends('new', 'AwaitingConfirmation');
    expect(asked.status?.['consequences']).toEqual([expect.stringContaining('is lost')]);
    await world.patch('CloudOperation', 'new', confirmAs(asked.status?.['challenge']));
    await ends('new', 'Succeeded');
    expect((await shop())['state']).toBe('active');
    expect(sent('restore')).toBe(1);
  });
});

describe('what loses something', () => {
  it('is a rebuild, which erases disks: not without the challenge, once with it', async () => {
    await instance();
    await ask('anew', 'RebuildInstance');
    const { status } = await ends('anew', 'AwaitingConfirmation');
    expect(status?.['consequences']).toEqual([
      expect.stringMatching(
        /^all disks and configurations of \/vm\/instances\/\d+ are erased, with everything on them \(disks \d+ \(.+\), \d+ \(.+\) and configuration \d+ \(.+\)\)/,
      ),
    ]);
    await world.clock.advance(10 * 60_000);
    expect(sent('rebuild')).toBe(0);
    const [before] = world.emulator.control.rows('disks') as unknown as { id: number }[];
    await world.patch('CloudOperation', 'anew', confirmAs(status?.['challenge']));
    await ends('anew', 'Succeeded');
    await world.ready('CloudInstance', 'web');
    await world.clock.advance(10 * 60_000);
    expect(sent('rebuild')).toBe(1);
    const [after] = world.emulator.control.rows('disks') as unknown as { id: number }[];
    expect(after?.id).not.toBe(before?.id);
    const { changes } = world;
    expect(changes.find(({ path }) => path.endsWith('/rebuild'))).toMatchObject({
      kind: 'CloudOperation',
      effect: 'Rebuild',
      approved: { hash: status?.['challenge'] },
    });
    expect(JSON.stringify([await get('anew'), changes, world.log])).not.toContain('Correct-Horse-7');
  });
  it('asks anew when what it would lose is another thing by then', async () => {
    await instance();
    await ask('anew', 'RebuildInstance');
    const { status } = await ends('anew', 'AwaitingConfirmation');
    await world.patch('CloudInstance', 'web', { spec: { image: 'vm/debian10', lifecycle: { management: 'Manage' } } });
    await world.clock.advance(5_000);
    await world.patch('CloudOperation', 'anew', confirmAs(status?.['challenge']));
    await world.clock.advance(10 * 60_000);
    const now = await get('anew');
    expect(now.status?.['phase']).toBe('AwaitingConfirmation');
    expect(now.status?.['challenge']).not.toBe(status?.['challenge']);
    expect(sent('rebuild')).toBe(0);
  });
  it('waits for the Secret that a rebuild sends', async () => {
    await instance();
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/web-root');
    await world.clock.advance(6 * 60_000);
    await ask('anew', 'RebuildInstance');
    const { message } = await world.reason('CloudOperation', 'anew', 'ReferenceNotReady');
    expect(message).toContain('spec.target: spec.rootPasswordSecretRef');
  });
  it('is the second snapshot, and not the first', async () => {
    await instance();
    await ask('first', 'SnapshotInstance', { label: 'first' });
    await ends('first', 'Succeeded');
    await world.clock.advance(60_000);
    await ask('second', 'SnapshotInstance', { label: 'second' });
    const { status } = await ends('second', 'AwaitingConfirmation');
    expect(status?.['consequences']).toEqual([expect.stringContaining('the snapshot first (')]);
    expect(sent('backups')).toBe(1);
    await world.patch('CloudOperation', 'second', confirmAs(status?.['challenge']));
    await ends('second', 'Succeeded');
    expect(sent('backups')).toBe(2);
  });
  it('is a restore, of a backup of the same instance alone', async () => {
    await instance();
    await ask('snapshot', 'SnapshotInstance', { label: 'before' });
    await ends('snapshot', 'Succeeded');
    const backups = world.emulator.control.rows('backups') as unknown as { id: number; label: string }[];
    const id = backups.find(({ label }) => label === 'before')?.id ?? 0;
    await ask('strange', 'RestoreInstanceBackup', { backupId: id + 1000 });
    expect((await world.reason('CloudOperation', 'strange', 'InvalidSpec')).message).toContain('has no backup');
    await ask('back', 'RestoreInstanceBackup', { backupId: id, overwrite: true, notAfter: at(2 * hour) });
    const { status } = await ends('back', 'AwaitingConfirmation');
    expect(JSON.stringify(status?.['consequences'])).toContain('are erased, and those of backup');
    await world.patch('CloudOperation', 'back', confirmAs(status?.['challenge']));
    await ends('back', 'Succeeded');
    expect(sent('restore')).toBe(1);
  });
  it('is the password of a database, of which the new one is in its Secret', async () => {
    const spec = { engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-standard-1', clusterSize: 1, replicationType: 'none' };
    await world.apply('CloudDatabase', 'shop', spec);
    await world.ready('CloudDatabase', 'shop');
    const secret = () => world.admin('GET', '/api/v1/namespaces/team-a/secrets/shop-cdb') as Promise<{ data?: { password?: string } }>;
    const before = (await secret()).data?.password;
    await ask('reset', 'ResetDatabaseCredentials', { target: { name: 'shop' } });
    const { status } = await ends('reset', 'AwaitingConfirmation');
    await world.clock.advance(5 * 60_000);
    expect(sent('reset')).toBe(0);
    await world.patch('CloudOperation', 'reset', confirmAs(status?.['challenge']));
    await ends('reset', 'Succeeded');
    await world.clock.advance(150_000);
    expect(sent('reset')).toBe(1);
    expect((await secret()).data?.password).not.toBe(before);
    expect(world.panics).toEqual([]);
  });
});
