import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.namespace('shop');
  await world.namespace('second');
  for (const name of ['one', 'two']) world.server.addUser(name, { name, groups: ['system:masters'] });
});
const volumes = (): readonly unknown[] => world.emulator.control.rows('volumes');
const isThere = async (): Promise<boolean> => (await world.server.as('admin', 'GET', '/api/v1/namespaces/shop')).status === 200;

/** A namespace with its CloudAccount that is deleted while a person has one thing in it held. */
async function heldDeletion(): Promise<void> {
  await world.account({}, 'shop');
  await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete', protect: true } }, 'shop');
  await world.ready('CloudVolume', 'data', undefined, 'shop');
  await world.clock.advance(minute);
  await world.admin('DELETE', '/api/v1/namespaces/shop');
  const isHeld = async (): Promise<boolean> =>
    (await world.condition('CloudVolume', 'data', 'Ready', 'shop'))?.message.includes('protect') === true;
  await world.clock.runUntil(isHeld, minute);
}
async function letGo(): Promise<void> {
  await world.patch('CloudVolume', 'data', { spec: { lifecycle: { protect: false } } }, 'shop');
  await world.clock.runUntil(async () => !(await isThere()), 10 * minute);
  expect(volumes()).toEqual([]);
}

it('a namespace that is deleted with its account goes when what was held in it is let go, however long that took', async () => {
  world.launch('one');
  await heldDeletion();
  await world.clock.advance(30 * minute);
  expect(volumes()).toHaveLength(1);
  await letGo();
});

it('the same where the operator was killed meanwhile', async () => {
  const one = world.launch('one');
  await heldDeletion();
  await world.clock.advance(30 * minute);
  one.kill();
  world.launch('one');
  await letGo();
});

it('another release, which did not serve the account, touches nothing of it', async () => {
  const one = world.launch('one');
  await heldDeletion();
  await world.clock.advance(5 * minute);
  await one.operator.stop();
  world.launch('two', { namespace: 'second' });
  await world.patch('CloudVolume', 'data', { spec: { lifecycle: { protect: false } } }, 'shop');
  await world.clock.advance(30 * minute);
  expect(volumes()).toHaveLength(1);
  world.launch('one');
  await world.clock.runUntil(async () => !(await isThere()), 10 * minute);
  expect(volumes()).toEqual([]);
});
