import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../support/cloud-user.ts';
import { World } from '../support/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account({ recover: true });
  await world.start();
  await world.ready('CloudAccount', 'default');
});
const writes = (): number =>
  world.emulator.control.requests().filter(({ method, username }) => method !== 'GET' && username === 'admin').length;
const instance = { region: 'eu-central', type: 'g6-nanode-1', label: 'web-1' };

it('what the provider does not list is refused with its field and what is like it, and nothing is sent', async () => {
  await world.apply('CloudInstance', 'web', { ...instance, type: 'g6-nanode-2' });
  const { message } = await world.reason('CloudInstance', 'web', 'InvalidSpec');
  expect(message).toContain('spec.type: the provider lists no g6-nanode-2');
  expect(message).toContain('g6-nanode-1');
  expect(await world.condition('CloudInstance', 'web', 'Stalled')).toMatchObject({ status: 'True' });
  expect(writes()).toBe(0);
  await world.patch('CloudInstance', 'web', { spec: { type: instance.type } });
  await world.ready('CloudInstance', 'web');
});

it('a change to what is not listed is refused before anybody approves it', async () => {
  await world.apply('CloudInstance', 'web', instance);
  await world.ready('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-99' } });
  expect((await world.reason('CloudInstance', 'web', 'InvalidSpec')).message).toContain('spec.type');
  expect(writes()).toBe(1);
});

it('what exists already is taken, whatever is listed', async () => {
  await new CloudUser(world).post('/vm/instances', instance);
  await world.apply('CloudInstance', 'web', { ...instance, type: 'g6-withdrawn-1' });
  expect((await world.reason('CloudInstance', 'web', 'AlreadyExists')).message).toContain('spec.adopt');
  expect(writes()).toBe(0);
});
