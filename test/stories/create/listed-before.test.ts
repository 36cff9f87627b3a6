import { expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const lists = (world: World, path: string): number =>
  world.emulator.control.requests().filter(({ method, path: at, username }) => method === 'GET' && at === path && username === 'admin')
    .length;

// What lists below an instance for another reason is no proof for long: a colleague may have made one of the name since.
it('a profile that a colleague made since its instance was listed for a disk is not made a second time', async () => {
  const world = await World.create();
  const colleague = new CloudUser(world);
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  const at = String((await world.ready('CloudInstance', 'web')).status?.['path']);
  const disk = { instanceRef: { name: 'web' }, label: 'data', sizeMB: 1000, lifecycle: { onDelete: 'Delete' } };
  await world.apply('CloudDisk', 'data', disk);
  const { id } = (await world.ready('CloudDisk', 'data')).status ?? {};
  await colleague.post(`${at}/configs`, { label: 'first', devices: { sda: { disk_id: Number(id) } } });
  await colleague.post(`${at}/boot`);
  await world.clock.advance(120_000);
  await world.delete('CloudDisk', 'data');
  await world.clock.runUntil(() => Promise.resolve(lists(world, `${at}/configs`) > 0), 60_000);
  await world.clock.advance(1000);
  await colleague.post(`${at}/configs`, { label: 'main', devices: {} });
  await world.clock.advance(15_000);
  await world.apply('CloudInstanceConfig', 'main', { instanceRef: { name: 'web' }, label: 'main', devices: {} });
  await world.clock.advance(60_000);
  expect(world.emulator.control.rows('configs').map((row) => (row as unknown as { label: string }).label)).toEqual(['first', 'main']);
  expect((await world.condition('CloudInstanceConfig', 'main', 'Synced'))?.reason).toBe('AlreadyExists');
});
