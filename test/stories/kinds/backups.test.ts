import { expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

it('an instance shows its backups by their ids, and another is made of one of them', async () => {
  const world = await World.create();
  const colleague = new CloudUser(world);
  await world.account();
  await world.start();
  await world.secret('root', { password: 'correct-horse-Battery-9-staple' });
  const spec = { region: 'eu-central', type: 'g6-standard-1', backupsEnabled: true };
  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  await world.apply('CloudInstance', 'web', { ...spec, image: 'vm/debian11', rootPasswordSecretRef });
  const { path } = (await world.ready('CloudInstance', 'web')).status ?? {};
  await world.clock.advance(600_000);
  expect((await world.get('CloudInstance', 'web'))?.status).toMatchObject({ backups: [] });
  await colleague.post(`${String(path)}/backups`, { label: 'before-upgrade' });
  const shown = async () => (await world.get('CloudInstance', 'web'))?.status?.['backups'];
  await world.clock.runUntil(async () => JSON.stringify(await shown()).includes('successful'), 600_000);
  const [backup] = world.emulator.control.rows('backups') as readonly { readonly id: number; readonly created: string }[];
  expect(await shown()).toEqual([
    { id: backup?.id, type: 'snapshot', label: 'before-upgrade', state: 'successful', created: backup?.created },
  ]);
  await world.apply('CloudInstance', 'copy', { ...spec, backupsEnabled: false, backupId: backup?.id });
  await world.ready('CloudInstance', 'copy');
});

it('an automatic backup has no label, and is shown all the same', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-standard-1', backupsEnabled: true });
  const { id } = (await world.ready('CloudInstance', 'web')).status ?? {};
  const at = '2026-01-01T00:00:00';
  const row = { type: 'auto', status: 'successful', available: true, created: at, updated: at, finished: at, label: null };
  world.emulator.control.edit({ collection: 'backups', row: { ...row, region: 'eu-central', configs: [], disks: [], vm_id: Number(id) } });
  await world.clock.advance(3_600_000);
  const shown = (await world.get('CloudInstance', 'web')).status?.['backups'];
  expect(shown).toEqual([expect.objectContaining({ type: 'auto', state: 'successful', created: at })]);
  await world.patch('CloudInstance', 'web', { spec: { group: 'shop' } });
  await world.ready('CloudInstance', 'web');
  expect(world.panics).toEqual([]);
});
