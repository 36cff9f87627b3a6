import { beforeEach, expect, it } from 'vitest';
import { adopting, plantDatabase } from '../../support/world/planted-database.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const own = '/databases/mongodb/instances/4711';
const hour = 3_600_000;
interface Shown {
  readonly id: number;
  readonly label: string;
}
/** What the operator sent below this database, with the answers. */
const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .filter(({ method, path, username }) => method === 'POST' && username === 'admin' && path.startsWith(own))
    .map(({ path, status }) => `${path.slice(own.length)} ${status}`);
const passwordIn = (): string => String((world.emulator.control.rows('databases')[0] as { password?: string }).password);
const notAfter = (): string => new Date(world.clock.now() + hour).toISOString().replace(/\.\d+Z$/, 'Z');

/** Asks for it, confirms what it loses where it asks, and gives that. */
async function done(name: string, action: string, more: object = {}): Promise<readonly string[]> {
  await world.apply('CloudOperation', name, { action, target: { name: 'docs' }, notAfter: notAfter(), ...more });
  const phase = async () => (await world.get('CloudOperation', name)).status?.['phase'];
  await world.clock.runUntil(async () => ['AwaitingConfirmation', 'Succeeded', 'Failed'].includes(String(await phase())), hour);
  const { status } = await world.get('CloudOperation', name);
  if (status?.['phase'] === 'AwaitingConfirmation')
    await world.patch('CloudOperation', name, { metadata: { annotations: { 'cloudhosting.dev/confirm': String(status['challenge']) } } });
  await world.clock.runUntil(async () => ['Succeeded', 'Failed', 'Unknown'].includes(String(await phase())), hour);
  expect(await phase()).toBe('Succeeded');
  return (status?.['consequences'] ?? []) as readonly string[];
}

beforeEach(async () => {
  world = await World.create();
  await world.account();
  plantDatabase(world, 'mongodb');
  await world.apply('CloudDatabase', 'docs', adopting('mongodb'));
  await world.start();
  await world.ready('CloudDatabase', 'docs');
});

it('a mongodb database is patched, gets another password, and its Secret has that', async () => {
  await done('patch', 'PatchDatabase');
  const before = passwordIn();
  await done('reset', 'ResetDatabaseCredentials');
  expect(sent()).toEqual(['/patch 200', '/credentials/reset 200']);
  await world.clock.advance(120_000);
  expect(passwordIn()).not.toBe(before);
  const { body } = await world.server.as('admin', 'GET', '/api/v1/namespaces/team-a/secrets/docs-cdb');
  const { data = {} } = body as { readonly data?: Readonly<Record<string, string>> };
  expect(Buffer.from(data['password'] ?? '', 'base64').toString()).toBe(passwordIn());
});

it('its snapshot is restored by its object, and by the id that the status of the database shows', async () => {
  await world.apply('CloudDatabaseBackup', 'before', { databaseRef: { name: 'docs' }, label: 'beforeupgrade' });
  const { status } = await world.ready('CloudDatabaseBackup', 'before');
  await world.clock.advance(300_000);
  const shown = (await world.get('CloudDatabase', 'docs')).status?.['backups'] as readonly Shown[];
  expect(shown).toEqual([{ id: Number(status?.['id']), type: 'snapshot', label: 'beforeupgrade', created: status?.['created'] }]);
  const [{ id } = { id: 0 }] = shown;
  const losing = await done('back', 'RestoreDatabaseBackup', { backupRef: { name: 'before' } });
  expect(losing[0]).toContain(`since backup ${id} (beforeupgrade, of `);
  // It is older than all events that were read.
  expect(losing[1]).toContain('where the password was reset after that backup was taken');
  await done('again', 'RestoreDatabaseBackup', { backupId: id });
  expect(sent()).toEqual(['/backups 200', `/backups/${id}/restore 200`, `/backups/${id}/restore 200`]);
});

it('a backup of another database is none of it: nothing is sent, and it says where to look', async () => {
  plantDatabase(world, 'mysql', { id: 4712 });
  await world.apply('CloudDatabase', 'shop', adopting('mysql', 4712));
  await world.apply('CloudDatabaseBackup', 'of-shop', { databaseRef: { name: 'shop' } });
  await world.ready('CloudDatabaseBackup', 'of-shop');
  const spec = { action: 'RestoreDatabaseBackup', target: { name: 'docs' }, notAfter: notAfter(), backupRef: { name: 'of-shop' } };
  await world.apply('CloudOperation', 'wrong', spec);
  await world.clock.advance(60_000);
  const { status } = await world.get('CloudOperation', 'wrong');
  expect(JSON.stringify(status)).toContain('look in its status.backups which there are');
  expect(sent()).toEqual([]);
});

it('its automatic backups are shown too, the newest first, and have no objects', async () => {
  const active = world.clock.now() - 9 * 86_400_000;
  const [row] = world.emulator.control.rows('databases');
  world.emulator.control.edit({ collection: 'databases', key: 4711, row: { ...row, activeFrom: active } });
  await world.clock.advance(600_000);
  const shown = (await world.get('CloudDatabase', 'docs')).status?.['backups'] as readonly { type: string; created: string }[];
  expect(shown).toHaveLength(7);
  expect(shown.map(({ created }) => created)).toEqual(
    shown
      .map(({ created }) => created)
      .toSorted()
      .toReversed(),
  );
  expect(new Set(shown.map(({ type }) => type))).toEqual(new Set(['auto']));
});
