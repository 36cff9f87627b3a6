import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

it('creates a volume once, and says Ready when it is active', async () => {
  const world = await World.create();
  await world.account();
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
  await world.start();
  await world.ready('CloudAccount', 'default');
  const volume = await world.ready('CloudVolume', 'data');
  expect(volume.status).toMatchObject({ account: 'E1AF5EEC-526F-487D-B317EBEB34C87D71', origin: 'Created', sizeGiB: 20 });
  const posts = world.emulator.control.requests().filter(({ method }) => method === 'POST');
  expect(posts.map(({ path, status }) => `${path} ${status}`)).toEqual(['/volumes 200']);
  await world.delete('CloudVolume', 'data');
  await world.gone('CloudVolume', 'data');
  expect(world.emulator.control.rows('volumes')).toEqual([]);
  expect(world.panics).toEqual([]);
});
