import { expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudManagedInstanceSettings';
const untouched = { access: true, user: null, ip: 'any', port: null };

async function begin() {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudInstance', 'web', { region: 'eu-central', type: 'g6-nanode-1' });
  const id = String((await world.ready('CloudInstance', 'web')).status?.['id']);
  const colleague = new CloudUser(world);
  const ssh = async (): Promise<unknown> => (await colleague.get(`/managed/vm-settings/${id}`))['ssh'];
  const spec = { instanceRef: { name: 'web' }, ssh: { user: 'support', port: 22 } };
  return { world, colleague, ssh, spec, path: `/managed/vm-settings/${id}` };
}

it('is put right when all was set back, and stays when its object goes, unless that says Delete', async () => {
  const { world, colleague, ssh, spec, path } = await begin();
  await world.apply(kind, 'web', spec);
  await world.ready(kind, 'web');
  expect(await ssh()).toEqual({ access: true, user: 'support', ip: 'any', port: 22 });
  await colleague.put(path, { ssh: untouched });
  await world.clock.advance(900_000);
  expect(await ssh()).toEqual({ access: true, user: 'support', ip: 'any', port: 22 });
  await world.delete(kind, 'web');
  await world.gone(kind, 'web');
  expect(await ssh()).toEqual({ access: true, user: 'support', ip: 'any', port: 22 });
  await world.apply(kind, 'web', { ...spec, lifecycle: { onDelete: 'Delete' } });
  await world.ready(kind, 'web');
  await world.delete(kind, 'web');
  await world.gone(kind, 'web');
  expect(await ssh()).toEqual(untouched);
  expect(world.panics).toEqual([]);
});

it('of two objects for one instance the older has it, and neither holds an instance that goes', async () => {
  const { world, ssh, spec } = await begin();
  await world.apply(kind, 'first', { ...spec, lifecycle: { onDelete: 'Delete' } });
  await world.ready(kind, 'first');
  await world.clock.advance(5000);
  await world.apply(kind, 'second', { ...spec, ssh: { user: 'other' } });
  await world.reason(kind, 'second', 'AlreadyClaimed');
  expect(await ssh()).toMatchObject({ user: 'support' });
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web');
  for (const name of ['first', 'second']) await world.delete(kind, name);
  for (const name of ['first', 'second']) await world.gone(kind, name, 3_600_000);
  expect(world.panics).toEqual([]);
});

it('say that they are gone with their instance, while their object stays', async () => {
  const { world, spec } = await begin();
  await world.apply(kind, 'first', spec);
  await world.ready(kind, 'first');
  await world.delete('CloudInstance', 'web');
  await world.gone('CloudInstance', 'web');
  await world.clock.advance(600_000);
  expect(await world.condition(kind, 'first', 'Ready')).toMatchObject({ status: 'False', reason: 'ReferenceNotReady' });
});

// Each cost a call of its own every five minutes: a thousand would have used up the hour.
it('of many objects are read by the pages of one list, and what a colleague changed is put right all the same', async () => {
  const { world, colleague, spec } = await begin();
  const names = Array.from({ length: 12 }, (_, index) => `vm-${index}`);
  for (const name of names) await world.apply('CloudInstance', name, { region: 'eu-central', type: 'g6-nanode-1' });
  for (const name of names) await world.ready('CloudInstance', name);
  for (const name of names) await world.apply(kind, name, { ...spec, instanceRef: { name } });
  for (const name of names) await world.ready(kind, name);
  await world.clock.advance(600_000);
  const from = world.emulator.control.requests().length;
  await world.clock.advance(3_600_000);
  const reads = world.emulator.control
    .requests()
    .slice(from)
    .filter(({ method, path, username }) => method === 'GET' && username === 'admin' && path.startsWith('/managed/vm-settings'));
  expect(reads.length).toBeGreaterThan(8);
  expect(reads.length).toBeLessThan(16);
  expect(new Set(reads.map(({ path }) => path))).toEqual(new Set(['/managed/vm-settings']));
  // Settings of others are no resources that lack an object.
  const resources = (await world.get('CloudAccount', 'default')).status?.['resources'] as readonly { readonly kind: string }[];
  expect(resources.map((one) => one.kind)).toEqual(['CloudInstance']);

  const { id } = (await world.get('CloudInstance', 'vm-7')).status ?? {};
  await colleague.put(`/managed/vm-settings/${String(id)}`, { ssh: untouched });
  await world.clock.advance(400_000);
  expect(await colleague.get(`/managed/vm-settings/${String(id)}`)).toMatchObject({ ssh: { user: 'support', port: 22 } });
});

it('are there where the list is refused, each read for itself', async () => {
  const { world, ssh, spec } = await begin();
  world.emulator.control.addFault({
    match: { method: 'GET', path: '/managed/vm-settings' },
    effect: { kind: 'answer', status: 403, body: JSON.stringify({ errors: [{ reason: 'Unauthorized' }] }) },
  });
  await world.apply(kind, 'web', spec);
  await world.ready(kind, 'web');
  expect(await ssh()).toMatchObject({ user: 'support', port: 22 });
});
