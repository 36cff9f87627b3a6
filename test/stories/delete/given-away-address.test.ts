import { beforeEach, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

const [platform, heir, giver] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Retain' } };
const hour = 3_600_000;
let world: World;
const access = (more: object = {}) => ({
  access: [
    { namespaces: [heir], adopt: 'Any' },
    { namespaces: [giver], ...more },
  ],
});
const edit = (spec: object) => world.patch('CloudIPAddress', 'vip', { spec }, giver);
const shown = () => world.get('CloudIPAddress', 'vip', giver);

/** An address beside the first one, of a machine that one team lets go of and another adopts. */
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  for (const name of [platform, giver]) await world.namespace(name);
  await world.account(access(), platform);
  await world.start();
  for (const name of ['gift', 'own']) await world.apply('CloudInstance', name, machine, giver);
  for (const name of ['gift', 'own']) await world.ready('CloudInstance', name, hour, giver);
  const id = Number((await world.get('CloudInstance', 'gift', giver)).status?.['id']);
  const vip = { accountRef, type: 'IPv4', instanceRef: { name: 'gift' }, lifecycle: { onDelete: 'Delete' } };
  await world.apply('CloudIPAddress', 'vip', vip, giver);
  await world.ready('CloudIPAddress', 'vip', hour, giver);
  await world.delete('CloudInstance', 'gift', giver);
  await world.gone('CloudInstance', 'gift', hour, giver);
  await world.apply('CloudInstance', 'shop', { ...machine, adopt: { id } }, heir);
  await world.ready('CloudInstance', 'shop', hour, heir);
  await world.clock.advance(hour / 2);
});

it('is neither released nor moved nor given another name, and its object may let go of it', async () => {
  const before = changesOf(world).length;
  await edit({ reverseDNS: 'mail.example.org' });
  await world.clock.advance(hour);
  await edit({ instanceRef: { name: 'own' } });
  await world.clock.advance(hour);
  const { reason, message } = (await world.condition('CloudIPAddress', 'vip', 'Ready', giver)) ?? {};
  expect(reason).toBe('RemoteFailed');
  expect(message).toContain('belongs to an object of another namespace');
  expect(message).not.toContain('shop');
  expect(await world.condition('CloudIPAddress', 'vip', 'Synced', giver)).toMatchObject({ status: 'False', message });
  const { status } = await shown();
  expect(status).toMatchObject({ state: 'Elsewhere' });
  expect(status).not.toHaveProperty('drift');
  await world.delete('CloudIPAddress', 'vip', giver);
  await world.clock.advance(hour);
  expect((await shown()).metadata.deletionTimestamp).toBeDefined();
  await edit({ lifecycle: { onDelete: 'Retain' } });
  await world.gone('CloudIPAddress', 'vip', hour, giver);
  expect(changesOf(world).slice(before)).toEqual([]);
});

it('is moved where its namespace may adopt', async () => {
  await world.patch('CloudAccount', 'default', { spec: access({ adopt: 'Any' }) }, platform);
  await edit({ instanceRef: { name: 'own' } });
  await world.ready('CloudIPAddress', 'vip', 2 * hour, giver);
  expect(changesOf(world)).toContainEqual('POST /networking/ipv4/assign');
});
