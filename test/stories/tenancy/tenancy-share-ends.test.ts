import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// The tenant's machine answers for the address of `gift`, which it lets go of; another team has that by now.
const [platform, heir, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'us-southeast', type: 'g6-nanode-1' };
const hour = 3_600_000;
let world: World;
let operator: RunningOperator;
let id: number;
let address: string;
let further: string;
const make = (name: string, more: object = {}) =>
  world.apply('CloudInstance', name, { ...machine, ...more }, tenant).then(() => world.ready('CloudInstance', name, hour, tenant));
const from = (name: string) => ({ addressFrom: { instanceRef: { name }, address: 'PublicIPv4' } });
const sharing = (...addresses: readonly object[]) =>
  world.apply('CloudIPShare', 'share', { accountRef, instanceRef: { name: 'mine' }, addresses }, tenant);
const adoptedBy = async (namespace: string): Promise<void> => {
  await world.apply('CloudInstance', 'shop', { ...machine, adopt: { id } }, namespace);
  await world.ready('CloudInstance', 'shop', hour, namespace);
};
const access = (more: object = {}) => ({
  access: [
    { namespaces: [heir], adopt: 'Any' },
    { namespaces: [tenant], ...more },
  ],
});
async function shared(): Promise<readonly string[]> {
  const { status } = await world.get('CloudInstance', 'mine', tenant);
  const { ipv4 } = (await new CloudUser(world).get(`/vm/instances/${String(status?.['id'])}/ips`)) as unknown as {
    ipv4: { shared: readonly { address: string }[] };
  };
  return ipv4.shared.map((one) => one.address).toSorted();
}
const sent = (): readonly string[] =>
  world.emulator.control.requests().flatMap(({ path, body }) => (path === '/networking/ips/share' ? [body ?? ''] : []));

beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account(access(), platform);
  operator = await world.start();
  await make('mine');
  const gift = await make('gift', { lifecycle: { onDelete: 'Retain' } });
  [id, address] = [Number(gift.status?.['id']), String(gift.status?.['publicIPv4'])];
  await world.apply('CloudIPAddress', 'vip', { accountRef, type: 'IPv4', instanceRef: { name: 'gift' } }, tenant);
  further = String((await world.ready('CloudIPAddress', 'vip', hour, tenant)).status?.['address']);
  await sharing(from('gift'), { addressRef: { name: 'vip' } });
  await world.ready('CloudIPShare', 'share', hour, tenant);
  await world.delete('CloudInstance', 'gift', tenant);
  await world.gone('CloudInstance', 'gift', hour, tenant);
});

it('ends where another team has the machine of the address, and says so without naming whose it is', async () => {
  await adoptedBy(heir);
  await world.clock.advance(hour);
  expect(await shared()).toEqual([]);
  const synced = await world.condition('CloudIPShare', 'share', 'Synced', tenant);
  expect(synced?.status).toBe('False');
  expect(synced?.message).toContain('spec.addresses[0].addressFrom: CloudInstance gift is not found');
  expect(synced?.message).toContain('spec.addresses[1].addressRef: CloudIPAddress vip can be used once its status.state is Assigned');
  expect(synced?.message).not.toMatch(/shop|team-a/);
});

it.each([false, true])('sends none of those addresses when another one is added (restart: %s)', async (restarts) => {
  await adoptedBy(heir);
  if (restarts) {
    operator.kill();
    operator = await world.start();
  }
  const before = sent().length;
  const own = String((await make('second')).status?.['publicIPv4']);
  await sharing(from('gift'), { addressRef: { name: 'vip' } }, from('second'));
  await world.clock.advance(hour);
  const calls = sent().slice(before);
  expect(calls.filter((body) => body.includes(address) || body.includes(further))).toEqual([]);
  expect(await shared()).toEqual([own]);
});

it('stays while nobody else has the machine', async () => {
  const before = sent().length;
  await world.clock.advance(hour);
  expect(await shared()).toEqual([address, further].toSorted());
  const own = String((await make('second')).status?.['publicIPv4']);
  await sharing(from('gift'), { addressRef: { name: 'vip' } }, from('second'));
  await world.clock.advance(hour);
  expect(await shared()).toEqual([address, further, own].toSorted());
  expect(sent().length).toBe(before + 1);
});

it('stays where its namespace may have anything of the account', async () => {
  await world.patch('CloudAccount', 'default', { spec: access({ adopt: 'Any' }) }, platform);
  await adoptedBy(heir);
  await world.clock.advance(hour);
  expect(await shared()).toContain(address);
});
