import { expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const instance = { region: 'eu-central', type: 'g6-nanode-1' };
const from = (name: string): object => ({ addressFrom: { instanceRef: { name }, address: 'PublicIPv4' } });
const share = (...names: readonly string[]): Record<string, unknown> => ({ instanceRef: { name: 'standby' }, addresses: names.map(from) });

interface Setting {
  readonly world: World;
  readonly shared: () => Promise<readonly string[]>;
  readonly addressOf: (name: string) => Promise<string>;
}

/** Three instances, and what the second of them may answer for besides its own. */
async function begin(): Promise<Setting> {
  const world = await World.create();
  await world.account();
  await world.start();
  for (const name of ['standby', 'web', 'db']) await world.apply('CloudInstance', name, instance);
  for (const name of ['standby', 'web', 'db']) await world.ready('CloudInstance', name);
  const id = String((await world.get('CloudInstance', 'standby')).status?.['id']);
  const shared = async (): Promise<readonly string[]> => {
    const answer = await world.emulator.control.actAs({ username: 'admin', method: 'GET', path: `/v4/vm/instances/${id}/ips` });
    const { ipv4 } = JSON.parse(String(answer.body)) as { ipv4: { shared: { address: string }[] } };
    return ipv4.shared.map(({ address }) => address);
  };
  const addressOf = async (name: string): Promise<string> => String((await world.get('CloudInstance', name)).status?.['publicIPv4']);
  return { world, shared, addressOf };
}

it('of two objects for one instance the older has it, also after a restart, and the younger when that goes', async () => {
  const { world, shared, addressOf } = await begin();
  await world.apply('CloudIPShare', 'first', share('web'));
  await world.ready('CloudIPShare', 'first');
  await world.clock.advance(5000);
  await world.apply('CloudIPShare', 'second', share('db'));
  const { message } = await world.reason('CloudIPShare', 'second', 'AlreadyClaimed');
  expect(message).toContain('CloudIPShare team-a/first');
  expect(await shared()).toEqual([await addressOf('web')]);
  await world.start();
  await world.clock.advance(600_000);
  expect(await shared()).toEqual([await addressOf('web')]);
  expect((await world.condition('CloudIPShare', 'second', 'Stalled'))?.status).toBe('True');
  await world.delete('CloudIPShare', 'first');
  await world.gone('CloudIPShare', 'first');
  await world.ready('CloudIPShare', 'second');
  expect(await shared()).toEqual([await addressOf('db')]);
  expect(world.panics).toEqual([]);
});

it('the younger goes without touching what the older has', async () => {
  const { world, shared, addressOf } = await begin();
  await world.apply('CloudIPShare', 'first', share('web'));
  await world.ready('CloudIPShare', 'first');
  await world.clock.advance(5000);
  await world.apply('CloudIPShare', 'second', share());
  await world.reason('CloudIPShare', 'second', 'AlreadyClaimed');
  await world.delete('CloudIPShare', 'second');
  await world.gone('CloudIPShare', 'second');
  expect(await shared()).toEqual([await addressOf('web')]);
});

it('is put back when its object goes, unless that says Retain', async () => {
  const { world, shared, addressOf } = await begin();
  await world.apply('CloudIPShare', 'one', share('web', 'db'));
  await world.ready('CloudIPShare', 'one');
  expect((await shared()).length).toBe(2);
  await world.patch('CloudIPShare', 'one', { spec: { addresses: [from('web')], lifecycle: { onDelete: 'Retain' } } });
  await world.clock.advance(60_000);
  await world.ready('CloudIPShare', 'one');
  await world.delete('CloudIPShare', 'one');
  await world.gone('CloudIPShare', 'one');
  expect(await shared()).toEqual([await addressOf('web')]);
  await world.apply('CloudIPShare', 'two', share('web'));
  await world.ready('CloudIPShare', 'two');
  await world.delete('CloudIPShare', 'two');
  await world.gone('CloudIPShare', 'two');
  expect(await shared()).toEqual([]);
});

it('follows its instance to the one that is made anew, and goes with it', async () => {
  const { world } = await begin();
  await world.apply('CloudIPShare', 'one', share('web'));
  const before = (await world.ready('CloudIPShare', 'one')).status?.['path'];
  const id = String((await world.get('CloudInstance', 'standby')).status?.['id']);
  await new CloudUser(world).delete(`/vm/instances/${id}`);
  await world.reason('CloudInstance', 'standby', 'RemoteMissing', 3_600_000);
  await world.patch('CloudInstance', 'standby', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'now' } } });
  await world.ready('CloudInstance', 'standby');
  await world.clock.advance(600_000);
  const after = (await world.ready('CloudIPShare', 'one')).status?.['path'];
  expect(after).not.toBe(before);
  await world.delete('CloudInstance', 'standby');
  await world.delete('CloudIPShare', 'one');
  await world.gone('CloudIPShare', 'one', 3_600_000);
  await world.gone('CloudInstance', 'standby', 3_600_000);
  expect(world.panics).toEqual([]);
});

it('goes at once with an instance that was taken away before the account told of it', async () => {
  const { world, shared } = await begin();
  await world.apply('CloudIPShare', 'one', share('web'));
  await world.ready('CloudIPShare', 'one');
  expect(await shared()).toHaveLength(1);
  const { path } = (await world.get('CloudInstance', 'standby')).status ?? {};
  await world.emulator.control.actAs({ username: 'colleague', method: 'DELETE', path: `/v4${String(path)}` });
  await world.delete('CloudIPShare', 'one');
  await world.clock.advance(60_000);
  expect(await world.find('CloudIPShare', 'one')).toBeUndefined();
});

const shareOf = (...refs: readonly string[]): Record<string, unknown> => ({
  instanceRef: { name: 'standby' },
  addresses: [...refs.map((name) => ({ addressRef: { name } })), from('db')],
});

it('shares a further address by its object, wherever that is moved, and only adds while another is not known', async () => {
  const world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  await world.account();
  await world.start();
  for (const name of ['standby', 'web', 'db']) await world.apply('CloudInstance', name, instance);
  for (const name of ['standby', 'web', 'db']) await world.ready('CloudInstance', name);
  await world.apply('CloudIPAddress', 'vip', { type: 'IPv4', instanceRef: { name: 'web' } });
  await world.ready('CloudIPAddress', 'vip');
  const shared = (): readonly unknown[] =>
    (world.emulator.control.rows('addresses') as { address: string; sharedWith: readonly number[] }[]).flatMap((row) =>
      row.sharedWith.length > 0 ? [row.address] : [],
    );
  const vip = (await world.get('CloudIPAddress', 'vip')).status?.['address'];
  const own = (await world.get('CloudInstance', 'db')).status?.['publicIPv4'];
  await world.apply('CloudIPShare', 'pair', shareOf('vip'));
  await world.ready('CloudIPShare', 'pair');
  expect(new Set(shared())).toEqual(new Set([own, vip]));
  await world.apply('CloudIPShare', 'pair', shareOf('later'));
  await world.clock.advance(600_000);
  expect((await world.condition('CloudIPShare', 'pair', 'Synced'))?.message).toContain('CloudIPAddress later is not found');
  expect(new Set(shared())).toEqual(new Set([own, vip]));
  await world.apply('CloudIPAddress', 'later', { type: 'IPv4', instanceRef: { name: 'web' } });
  const later = (await world.ready('CloudIPAddress', 'later')).status?.['address'];
  await world.ready('CloudIPShare', 'pair');
  expect(new Set(shared())).toEqual(new Set([own, later]));
  await world.apply('CloudIPAddress', 'later', { type: 'IPv4', instanceRef: { name: 'db' } });
  await world.clock.advance(60_000);
  await world.ready('CloudIPShare', 'pair');
  expect(new Set(shared())).toEqual(new Set([own, later]));
});

it('shares no address that an object has no longer', async () => {
  const world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  await world.account();
  await world.start();
  for (const name of ['standby', 'web']) await world.apply('CloudInstance', name, instance);
  for (const name of ['standby', 'web']) await world.ready('CloudInstance', name);
  await world.apply('CloudIPAddress', 'vip', { type: 'IPv4', instanceRef: { name: 'web' } });
  const { address } = (await world.ready('CloudIPAddress', 'vip')).status ?? {};
  const { id } = await new CloudUser(world).post('/vm/instances', { ...instance, label: 'victim' });
  const assignments = [{ address, vm_id: id }];
  await new CloudUser(world).post('/networking/ipv4/assign', { region: instance.region, assignments });
  await world.clock.runUntil(async () => (await world.condition('CloudIPAddress', 'vip', 'Stalled'))?.status === 'True', 3_600_000);
  await world.apply('CloudIPShare', 'pair', { instanceRef: { name: 'standby' }, addresses: [{ addressRef: { name: 'vip' } }] });
  const { message } = await world.reason('CloudIPShare', 'pair', 'ReferenceNotReady');
  expect(message).toContain('CloudIPAddress vip can be used once its status.state is Assigned');
  expect(world.emulator.control.requests().filter(({ path }) => path.includes('/share'))).toEqual([]);
});

it('says of each that is waited for where it stands in the spec', async () => {
  const { world } = await begin();
  const addresses = [from('none'), from('web'), { addressRef: { name: 'vip' } }];
  await world.apply('CloudIPShare', 'first', { instanceRef: { name: 'standby' }, addresses });
  const { message } = await world.reason('CloudIPShare', 'first', 'ReferenceNotReady');
  expect(message).toContain('spec.addresses[0].addressFrom: CloudInstance none is not found');
  expect(message).toContain('spec.addresses[2].addressRef: CloudIPAddress vip is not found');
});
