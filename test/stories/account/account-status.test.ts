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
const instance = { region: 'eu-central', type: 'g6-nanode-1' };
const puts = (): readonly unknown[] =>
  world.emulator.control.requests().filter(({ method, path }) => method === 'PUT' && path === '/account');
const eventsOf = (name: string): readonly { type: string; reason: string; message: string }[] =>
  (world.server.objects('/events') as unknown as { involvedObject?: { name: string }; type: string; reason: string; message: string }[])
    .filter(({ involvedObject }) => involvedObject?.name === name)
    .map(({ type, reason, message }) => ({ type, reason, message }));

const told = (name: string) => eventsOf(name).filter(({ reason }) => reason === 'Maintenance');

it('contact data are put right once, and nothing else of the account is touched', async () => {
  await world.patch('CloudAccount', 'default', { spec: { contact: { company: 'Example', city: 'Berlin', country: 'DE', state: '' } } });
  await world.ready('CloudAccount', 'default');
  await world.clock.advance(120_000);
  expect(puts()).toHaveLength(1);
  expect(await new CloudUser(world, 'token-admin').get('/account')).toMatchObject({ company: 'Example', city: 'Berlin', country: 'DE' });
});

it('the status counts what has an object and what has none', async () => {
  await new CloudUser(world).post('/volumes', { label: 'stray', region: 'eu-central', size: 20 });
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
  const counts = async (): Promise<unknown> => (await world.get('CloudAccount', 'default')).status?.['resources'];
  await world.clock.advance(420_000);
  expect(await counts()).toEqual([{ kind: 'CloudVolume', managed: 1, unmanaged: 1 }]);
  const stray = (await new CloudUser(world).list('/volumes')).find(({ label }) => label === 'stray');
  await world.apply('CloudVolume', 'stray', { region: 'eu-central', sizeGiB: 20, adopt: { id: stray?.['id'] } });
  await world.ready('CloudVolume', 'stray');
  await world.clock.advance(90_000);
  expect(await counts()).toEqual([{ kind: 'CloudVolume', managed: 2, unmanaged: 0 }]);
});

it('maintenance is told on the instance concerned, once for each of its states, and on no other', async () => {
  for (const name of ['web', 'db']) await world.apply('CloudInstance', name, instance);
  for (const name of ['web', 'db']) await world.ready('CloudInstance', name);
  const id = Number((await world.get('CloudInstance', 'web')).status?.['id']);
  const entity = { id, label: 'web', type: 'vm', url: `/v4/vm/instances/${id}` };
  const row = { id: 1, type: 'reboot', status: 'pending', reason: 'host upgrade', when: '2026-02-01T00:00:00', entity };
  world.emulator.control.edit({ collection: 'maintenance', row });
  await world.clock.advance(1_900_000);
  const message = 'maintenance of the provider, reboot, is pending (2026-02-01T00:00:00 UTC): "host upgrade"';
  expect(told('web')).toEqual([{ type: 'Warning', reason: 'Maintenance', message: expect.stringContaining(message) }]);
  expect(told('db')).toEqual([]);
  world.emulator.control.edit({ collection: 'maintenance', key: 1, row: { status: 'completed' } });
  await world.clock.advance(1_900_000);
  expect(
    told('web')
      .map(({ type }) => type)
      .toSorted(),
  ).toEqual(['Normal', 'Warning']);
  expect((await world.get('CloudAccount', 'default')).status?.['maintenance']).toMatchObject([{ state: 'completed', about: 'vm web' }]);
});
