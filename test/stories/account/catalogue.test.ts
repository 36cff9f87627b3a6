import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
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

it('what no edit of the object may correct is said so, with the way out', async () => {
  await world.apply('CloudVolume', 'data', { region: 'us-southeast-2', sizeGiB: 20 });
  const { message } = await world.reason('CloudVolume', 'data', 'InvalidSpec');
  expect(message).toContain('delete it and apply the corrected one, as spec.region cannot be changed in it');
  expect(writes()).toBe(0);
  await world.delete('CloudVolume', 'data');
  await world.gone('CloudVolume', 'data');
  await world.apply('CloudVolume', 'data', { region: 'us-southeast', sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
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

/** The lists were read; then the provider begins to offer another plan. */
const offered = async (): Promise<void> => {
  const list = {
    match: { method: 'GET', path: '/vm/types' },
    effect: { kind: 'answer' as const, status: 200, body: JSON.stringify(await oldPlans()) },
  };
  const fault = world.emulator.control.addFault(list);
  await world.clock.advance(3_600_000);
  world.emulator.control.removeFault(fault);
};
const oldPlans = async (): Promise<object> => {
  const data = (await new CloudUser(world).list('/vm/types')).filter(({ id }) => id !== 'g6-standard-1');
  return { data, page: 1, pages: 1, results: data.length };
};
const reads = (path: string): number =>
  world.emulator.control.requests().filter((request) => request.method === 'GET' && request.path === path && request.username === 'admin')
    .length;

// Refused as InvalidSpec for up to an hour.
it('what is younger than the hourly list is asked for, and made', async () => {
  await offered();
  await world.apply('CloudInstance', 'web', { ...instance, type: 'g6-standard-1' });
  await world.ready('CloudInstance', 'web');
  expect(reads('/vm/types/g6-standard-1')).toBe(1);
});

it('an edit to what is younger than the hourly list is asked for, and done', async () => {
  await world.apply('CloudInstance', 'web', instance);
  await world.ready('CloudInstance', 'web');
  await offered();
  await world.patch('CloudInstance', 'web', { spec: { type: 'g6-standard-1', lifecycle: { approve: ['InPlace', 'Reboot'] } } });
  await world.ready('CloudInstance', 'web', 1_800_000);
  expect((await new CloudUser(world).list('/vm/instances'))[0]).toMatchObject({ type: 'g6-standard-1' });
});

it('what is not offered is asked for once, whoever wants it and however often they are touched', async () => {
  for (const name of ['one', 'two', 'three']) await world.apply('CloudInstance', name, { ...instance, label: name, type: 'g6-nanode-2' });
  for (const name of ['one', 'two', 'three']) await world.reason('CloudInstance', name, 'InvalidSpec');
  for (let touch = 0; touch < 5; touch += 1) {
    await world.patch('CloudInstance', 'one', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': String(touch) } } });
    await world.clock.advance(10_000);
  }
  expect(reads('/vm/types/g6-nanode-2')).toBe(1);
  expect(writes()).toBe(0);
});
