import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
const platform = 'platform';
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Delete' } };
const hold = 'team-b.example/hold';
beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, 'team-b']) await world.namespace(name);
  await world.account({ access: [{ namespaces: ['team-a', 'team-b'] }] }, platform);
  await world.start();
  for (const name of ['standby', 'bait']) await world.apply('CloudInstance', name, machine, 'team-b');
  for (const name of ['standby', 'bait']) await world.ready('CloudInstance', name, 600_000, 'team-b');
});
const rows = (collection: string): Record<string, unknown>[] => world.emulator.control.rows(collection) as never;
const statusOf = async (name: string): Promise<Record<string, unknown>> =>
  (await world.get('CloudInstance', name, 'team-b')).status as never;
const annotate = (name: string, annotations: Record<string, string>) =>
  world.patch('CloudInstance', name, { metadata: { annotations } }, 'team-b');

/** The provider gives the address to the next machine, which is another team's; the tenant asks for it by its own old object. */
async function isShared(address: string): Promise<boolean> {
  await world.apply('CloudInstance', 'victim', machine, 'team-a');
  await world.ready('CloudInstance', 'victim', 600_000, 'team-a');
  const id = Number((await world.get('CloudInstance', 'victim', 'team-a')).status?.['id']);
  const own = rows('addresses').find((row) => row['vm_id'] === id && row['type'] === 'ipv4');
  world.emulator.control.edit({ collection: 'addresses', key: address, row: { ...own, address } });
  const addresses = [{ addressFrom: { instanceRef: { name: 'bait' }, address: 'PublicIPv4' } }];
  await world.apply('CloudIPShare', 'thief', { accountRef, instanceRef: { name: 'standby' }, addresses }, 'team-b');
  await world.clock.advance(300_000);
  return rows('addresses').some((row) => row['address'] === address && (row['sharedWith'] as unknown[]).length > 0);
}

describe('an address that a tenant had once is not shared out of an object', () => {
  it('that stays behind its machine by a finalizer', async () => {
    const { finalizers = [] } = (await world.get('CloudInstance', 'bait', 'team-b')).metadata;
    await world.patch('CloudInstance', 'bait', { metadata: { finalizers: [...finalizers, hold] } }, 'team-b');
    const address = String((await statusOf('bait'))['publicIPv4']);
    await world.delete('CloudInstance', 'bait', 'team-b');
    await world.clock.advance(600_000);
    expect(rows('instances')).toHaveLength(1);
    expect(await isShared(address)).toBe(false);
  });
  it('that is paused and being deleted, when its machine goes', async () => {
    const { id, publicIPv4 } = await statusOf('bait');
    await annotate('bait', { 'cloudhosting.dev/pause': 'true' });
    await world.delete('CloudInstance', 'bait', 'team-b');
    await new CloudUser(world).delete(`/vm/instances/${String(id)}`);
    await world.clock.advance(600_000);
    expect(await isShared(String(publicIPv4))).toBe(false);
  });
  it('whose machine is gone', async () => {
    const { id, publicIPv4 } = await statusOf('bait');
    await new CloudUser(world).delete(`/vm/instances/${String(id)}`);
    await world.reason('CloudInstance', 'bait', 'RemoteMissing', 3_600_000, 'team-b');
    expect((await statusOf('bait'))['id']).toBeUndefined();
    expect(await isShared(String(publicIPv4))).toBe(false);
  });
});

it('an address out of an object in use is shared, also while nothing is done with it', async () => {
  await annotate('bait', { 'cloudhosting.dev/pause': 'true' });
  await world.clock.advance(60_000);
  const addresses = [{ addressFrom: { instanceRef: { name: 'bait' }, address: 'PublicIPv4' } }];
  await world.apply('CloudIPShare', 'mine', { accountRef, instanceRef: { name: 'standby' }, addresses }, 'team-b');
  await world.ready('CloudIPShare', 'mine', 600_000, 'team-b');
});
