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

it('is made for an instance with several configurations as soon as that has booted, and until then says what it waits for', async () => {
  const world = await World.create();
  await world.secret('web-root', { password: 'Correct-Horse-9-Battery' });
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  const rootPasswordSecretRef = { name: 'web-root', key: 'password' };
  await world.apply('CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1', image: 'vm/debian11', rootPasswordSecretRef });
  await world.apply('CloudInstanceConfig', 'repair', { instanceRef: { name: 'web' }, devices: {} });
  await world.clock.runUntil(() => Promise.resolve(world.emulator.control.rows('configs').length === 2), 60_000);
  await world.apply('CloudVolume', 'data', { instanceRef: { name: 'web' }, sizeGiB: 20 });
  const { message } = await world.reason('CloudVolume', 'data', 'Busy');
  expect(message).toContain('spec.configId');
  expect(await world.condition('CloudVolume', 'data', 'Stalled')).toMatchObject({ status: 'False' });
  await world.ready('CloudVolume', 'data', 300_000);
  expect(world.emulator.control.rows('volumes')).toHaveLength(1);
});
