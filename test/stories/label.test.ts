import { expect, it } from 'vitest';
import { CloudUser } from '../support/cloud-user.ts';
import { World } from '../support/world.ts';

const instance = { region: 'eu-central', type: 'g6-nanode-1', label: 'web-1' };

/** An instance `web-1` of the operator's, beside `web-2` of somebody else's. */
async function begin(): Promise<World> {
  const world = await World.create();
  await world.account();
  await world.start();
  await new CloudUser(world).post('/vm/instances', { ...instance, label: 'web-2' });
  await world.apply('CloudInstance', 'web', instance);
  await world.ready('CloudInstance', 'web');
  return world;
}

it('a label that another has is refused with what to do, and nothing is lost', async () => {
  const world = await begin();
  const { status } = await world.get('CloudInstance', 'web');
  await world.patch('CloudInstance', 'web', { spec: { label: 'web-2' } });
  const { message } = await world.reason('CloudInstance', 'web', 'AlreadyExists');
  expect(message).toContain('spec.label');
  expect(message).toMatch(/choose another value, or rename the other one there/);
  expect(await world.condition('CloudInstance', 'web', 'Stalled')).toMatchObject({ status: 'True' });
  await world.clock.advance(3_600_000);
  expect((await world.get('CloudInstance', 'web')).status).toMatchObject({ id: status?.['id'], path: status?.['path'] });
  const labels = (await new CloudUser(world).list('/vm/instances')).map(({ label }) => label);
  expect(new Set(labels)).toEqual(new Set(['web-1', 'web-2']));
  await world.patch('CloudInstance', 'web', { spec: { label: 'web-3' } });
  expect((await world.ready('CloudInstance', 'web')).status?.['id']).toBe(status?.['id']);
});

it('is taken as soon as the other has let go of it', async () => {
  const world = await begin();
  await world.patch('CloudInstance', 'web', { spec: { label: 'web-2' } });
  await world.reason('CloudInstance', 'web', 'AlreadyExists');
  const user = new CloudUser(world);
  const other = (await user.list('/vm/instances')).find(({ label }) => label === 'web-2');
  await user.put(`/vm/instances/${String(other?.['id'])}`, { label: 'web-9' });
  await world.ready('CloudInstance', 'web', 3_700_000);
  expect(new Set((await user.list('/vm/instances')).map(({ label }) => label))).toEqual(new Set(['web-2', 'web-9']));
});
