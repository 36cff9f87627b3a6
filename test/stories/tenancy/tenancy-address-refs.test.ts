import { beforeEach, describe, expect, it } from 'vitest';
import { sleep } from '../../../src/lib/clock.ts';
import { World } from '../../support/world/world.ts';

const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Delete' } };
const pause = 'cloudhosting.dev/pause';
const hour = 3_600_000;
interface Row {
  readonly address: string;
  readonly vm_id: number;
  readonly type: string;
  readonly sharedWith: readonly number[];
}
let world: World;
/** What goes on while the API server is slow to write that an operation begins. */
let whileNoted: (() => Promise<unknown>) | undefined;
const rows = (): readonly Row[] => (world.emulator.control.rows('addresses') as never as Row[]).filter(({ type }) => type === 'ipv4');
const ranges = (): readonly Record<string, unknown>[] => world.emulator.control.rows('ipv6 ranges') as never;
const whereIs = (address: string): number | undefined => rows().find((row) => row.address === address)?.vm_id;
const sharedWith = (address: string): readonly number[] => rows().find((row) => row.address === address)?.sharedWith ?? [];
const calls = (path: string): readonly unknown[] =>
  world.emulator.control.requests().filter((request) => request.method === 'POST' && request.path.endsWith(path));
const idOf = async (name: string, namespace = tenant): Promise<number> =>
  Number((await world.get('CloudInstance', name, namespace)).status?.['id']);
const annotate = (kind: string, name: string, annotations: Record<string, string | null>) =>
  world.patch(kind, name, { metadata: { annotations } }, tenant);

beforeEach(async () => {
  whileNoted = undefined;
  world = await World.create({
    emulator: { knobs: { extraPublicAddresses: true } },
    between: (_, backend) => ({
      handle: async (request) => {
        if (whileNoted !== undefined && request.method === 'PATCH' && request.body.toString().includes('.Running.')) {
          await whileNoted();
          await sleep(world.clock, 4000);
        }
        return backend.handle(request);
      },
    }),
  });
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim, tenant] }] }, platform);
  await world.start();
  for (const name of ['bait', 'standby', 'other']) await world.apply('CloudInstance', name, machine, tenant);
  for (const name of ['bait', 'standby', 'other']) await world.ready('CloudInstance', name, 600_000, tenant);
});
async function allocated(name: string, on: string): Promise<string> {
  await world.apply('CloudIPAddress', name, { accountRef, type: 'IPv4', instanceRef: { name: on } }, tenant);
  return String((await world.ready('CloudIPAddress', name, 600_000, tenant)).status?.['address']);
}
/** Nobody looks at it any more. */
const heldBack = {
  paused: (name: string) => annotate('CloudIPAddress', name, { [pause]: 'true' }),
  going: async (name: string) => {
    await world.patch('CloudIPAddress', name, { spec: { lifecycle: { onDelete: 'Delete', protect: true } } }, tenant);
    await world.clock.advance(5000);
    return world.delete('CloudIPAddress', name, tenant);
  },
};
/** The address comes free with the tenant's machine, and the provider gives it to the next one, which is another team's. */
async function givenAway(address: string): Promise<number> {
  await world.clock.advance(5000);
  await world.delete('CloudInstance', 'bait', tenant);
  await world.gone('CloudInstance', 'bait', 600_000, tenant);
  await world.apply('CloudInstance', 'shop', machine, victim);
  await world.ready('CloudInstance', 'shop', 600_000, victim);
  const shop = await idOf('shop', victim);
  const own = rows().find((row) => row.vm_id === shop);
  world.emulator.control.edit({ collection: 'addresses', key: address, row: { ...own, address } });
  return shop;
}
const share = (name: string) =>
  world.apply('CloudIPShare', 'pair', { accountRef, instanceRef: { name: 'standby' }, addresses: [{ addressRef: { name } }] }, tenant);
async function assign(...names: readonly string[]): Promise<void> {
  const assignments = names.map((name) => ({ addressRef: { name }, instanceRef: { name: 'other' } }));
  const notAfter = new Date(world.clock.now() + 6 * hour).toISOString().replace(/\.\d+Z$/, 'Z');
  const spec = { accountRef, action: 'AssignAddresses', target: { name: 'standby' }, notAfter, assignments };
  await world.apply('CloudOperation', 'swap', spec, tenant);
  await world.clock.advance(60_000);
}
const operation = async (): Promise<Record<string, unknown>> => ({ ...(await world.get('CloudOperation', 'swap', tenant)).status });
async function confirm(): Promise<void> {
  await annotate('CloudOperation', 'swap', { 'cloudhosting.dev/confirm': String((await operation())['challenge'] ?? 'none') });
  await world.clock.advance(hour / 2);
}
const leadsNowhere = 'leads to nothing that an object of namespace team-b has';

describe('an address that is another team’s by now is not taken out of an object', () => {
  it.each(['paused', 'going'] as const)('that is %s, for a share, also after a restart', async (how) => {
    const address = await allocated('stale', 'bait');
    await heldBack[how]('stale');
    await givenAway(address);
    expect((await world.get('CloudIPAddress', 'stale', tenant)).status).toMatchObject({ state: 'Assigned', id: address });
    await share('stale');
    const { message } = await world.reason('CloudIPShare', 'pair', 'ReferenceNotReady', hour, tenant);
    expect(message).toContain(leadsNowhere);
    expect(message).not.toContain(victim);
    await world.start();
    await world.clock.advance(hour);
    expect(sharedWith(address)).toEqual([]);
    expect(calls('/ips/share')).toEqual([]);
  });
  it('nor given to a machine of the tenant, although another one of the same operation is theirs', async () => {
    await allocated('mine', 'standby');
    const address = await allocated('stale', 'bait');
    await heldBack.paused('stale');
    const shop = await givenAway(address);
    await assign('mine', 'stale');
    expect((await world.condition('CloudOperation', 'swap', 'Synced', tenant))?.message).toContain(leadsNowhere);
    await confirm();
    expect(whereIs(address)).toBe(shop);
    expect(calls('/ips/assign')).toEqual([]);
  });
  it('nor after it was confirmed for the machine that had it then', async () => {
    await allocated('mine', 'standby');
    const address = await allocated('stale', 'bait');
    await heldBack.paused('stale');
    await assign('mine', 'stale');
    expect((await operation())['consequences']).toContainEqual(
      expect.stringContaining(`from instance ${await idOf('bait')} (CloudInstance bait)`),
    );
    const shop = await givenAway(address);
    await confirm();
    expect(whereIs(address)).toBe(shop);
    expect(calls('/ips/assign')).toEqual([]);
  });
  it('whose machine is being deleted, before anybody else has it', async () => {
    const address = await allocated('stale', 'bait');
    await heldBack.paused('stale');
    await world.clock.advance(5000);
    await world.delete('CloudInstance', 'bait', tenant);
    await share('stale');
    await world.gone('CloudInstance', 'bait', 600_000, tenant);
    await world.clock.advance(hour);
    expect(rows().map((row) => row.address)).not.toContain(address);
    expect((await world.condition('CloudIPShare', 'pair', 'Synced', tenant))?.message).toContain(
      'is not in the account as its status has it',
    );
  });
  it('that stands for a range', async () => {
    const network = { accountRef, type: 'IPv6Range', prefixLength: 64, instanceRef: { name: 'bait' } };
    await world.apply('CloudIPAddress', 'net', network, tenant);
    const range = String((await world.ready('CloudIPAddress', 'net', 600_000, tenant)).status?.['address']);
    const row = ranges().find((one) => one['range'] === range);
    await heldBack.paused('net');
    const shop = await givenAway(rows()[0]?.address ?? '');
    const { ipv6 } = (await world.get('CloudInstance', 'shop', victim)).status ?? {};
    world.emulator.control.edit({ collection: 'ipv6 ranges', key: range, row: { ...row, vm_id: shop, route_target: ipv6 } });
    await share('net');
    const { message } = await world.reason('CloudIPShare', 'pair', 'ReferenceNotReady', hour, tenant);
    expect(message).toContain(leadsNowhere);
    expect(calls('/ips/share')).toEqual([]);
  });
});

describe('an address that is the team’s own is taken out of an object', () => {
  it('that is paused, also after a restart', async () => {
    const address = await allocated('vip', 'other');
    await heldBack.paused('vip');
    await world.clock.advance(60_000);
    await world.start();
    await share('vip');
    await world.ready('CloudIPShare', 'pair', 600_000, tenant);
    expect(sharedWith(address)).toEqual([await idOf('standby')]);
  });
  it('that is a range, shared or not', async () => {
    const network = { accountRef, type: 'IPv6Range', prefixLength: 64, instanceRef: { name: 'other' } };
    await world.apply('CloudIPAddress', 'net', network, tenant);
    await world.ready('CloudIPAddress', 'net', 600_000, tenant);
    await share('net');
    await world.ready('CloudIPShare', 'pair', 600_000, tenant);
    await world.start();
    await world.clock.advance(hour);
    await world.ready('CloudIPShare', 'pair', 600_000, tenant);
    expect(ranges().map((row) => row['sharedWith'])).toEqual([[await idOf('standby')]]);
    expect(calls('/ips/share')).toHaveLength(1);
  });
  it('once a person lets the namespace adopt, whatever machine has it', async () => {
    const address = await allocated('vip', 'bait');
    await heldBack.paused('vip');
    await world.patch('CloudInstance', 'bait', { spec: { lifecycle: { onDelete: 'Retain' } } }, tenant);
    await world.clock.advance(5000);
    await world.delete('CloudInstance', 'bait', tenant);
    await world.gone('CloudInstance', 'bait', 600_000, tenant);
    await share('vip');
    expect((await world.reason('CloudIPShare', 'pair', 'ReferenceNotReady', hour, tenant)).message).toContain(
      'adopt: Any for namespace team-b',
    );
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [victim, tenant], adopt: 'Any' }] } }, platform);
    await world.ready('CloudIPShare', 'pair', 600_000, tenant);
    expect(sharedWith(address)).toEqual([await idOf('standby')]);
  });
});

it('is not shared where its machine goes between the look at it and the call', async () => {
  await allocated('vip', 'bait');
  await heldBack.paused('vip');
  await world.clock.advance(600_000);
  world.emulator.control.addFault({
    match: { method: 'GET', template: '/vm/instances/{vmId}/ips', username: 'admin' },
    times: 50,
    effect: { kind: 'delay', seconds: 25 },
  });
  await world.apply(
    'CloudIPShare',
    'late',
    { accountRef, instanceRef: { name: 'standby' }, addresses: [{ addressRef: { name: 'vip' } }] },
    tenant,
  );
  await world.clock.advance(3000);
  await world.delete('CloudInstance', 'bait', tenant);
  await world.gone('CloudInstance', 'bait', 20_000, tenant);
  await world.clock.advance(600_000);
  expect(calls('/ips/share')).toEqual([]);
  expect((await world.condition('CloudIPShare', 'late', 'Synced', tenant))?.reason).toBe('ReferenceNotReady');
});

it('is not given away where its machine goes between the look at it and the call of an operation', async () => {
  await allocated('mine', 'standby');
  await allocated('vip', 'bait');
  await heldBack.paused('vip');
  await assign('mine', 'vip');
  let gone = 0;
  whileNoted = () => {
    gone += 1;
    return gone > 1 ? Promise.resolve() : world.delete('CloudInstance', 'bait', tenant);
  };
  await confirm();
  expect(gone).toBe(1);
  expect(calls('/ips/assign')).toEqual([]);
  expect((await world.condition('CloudOperation', 'swap', 'Synced', tenant))?.reason).toBe('ReferenceNotReady');
});

it('holds up no other address of the same share', async () => {
  const address = await allocated('stale', 'bait');
  const mine = await allocated('mine', 'other');
  await heldBack.paused('stale');
  await givenAway(address);
  await world.apply(
    'CloudIPShare',
    'pair',
    { accountRef, instanceRef: { name: 'standby' }, addresses: [{ addressRef: { name: 'stale' } }, { addressRef: { name: 'mine' } }] },
    tenant,
  );
  await world.reason('CloudIPShare', 'pair', 'ReferenceNotReady', hour, tenant);
  await world.clock.advance(600_000);
  expect(sharedWith(mine)).toEqual([await idOf('standby')]);
  expect(sharedWith(address)).toEqual([]);
});
