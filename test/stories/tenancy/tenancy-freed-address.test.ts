import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const machine = { accountRef, region: 'eu-central', type: 'g6-nanode-1', lifecycle: { onDelete: 'Delete' } };
const hour = 3_600_000;
interface Row {
  readonly address: string;
  readonly vm_id: number;
  readonly type: string;
  readonly rdns: string;
}
let world: World;
let operator: RunningOperator;
let address: string;
const rows = (): readonly Row[] => (world.emulator.control.rows('addresses') as never as Row[]).filter(({ type }) => type === 'ipv4');
const plant = (row: Partial<Row>) =>
  world.emulator.control.edit({ collection: 'addresses', key: address, row: { ...rows()[0], ...row, address } });
const make = (name: string, namespace = tenant, more: object = {}) =>
  world.apply('CloudInstance', name, { ...machine, ...more }, namespace).then(() => world.ready('CloudInstance', name, hour, namespace));
const idOf = async (name: string, namespace = tenant): Promise<number> =>
  Number((await world.get('CloudInstance', name, namespace)).status?.['id']);
const ip = (name: string, on: string, namespace = tenant) =>
  world.apply(
    'CloudIPAddress',
    name,
    { accountRef, type: 'IPv4', instanceRef: { name: on }, lifecycle: { onDelete: 'Delete' } },
    namespace,
  );
const annotate = (annotations: Record<string, string | null>) =>
  world.patch('CloudIPAddress', 'v4a', { metadata: { annotations } }, tenant);
const pause = 'cloudhosting.dev/pause';
const restart = async (): Promise<void> => {
  operator.kill();
  operator = await world.start();
};
const isPost = ({ method, path }: { method: string; path: string }) => method === 'POST' && path === '/networking/ips';
const adoptedBy = (external: number) =>
  world.apply('CloudIPAddress', 'own', { accountRef, type: 'IPv4', adopt: { id: address }, instanceRef: { external } }, platform);

/** The machine goes with its addresses while nobody looks at the object of one. */
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim, tenant] }] }, platform);
  operator = await world.start();
  for (const name of ['b4', 'b5']) await make(name);
  await ip('v4a', 'b4');
  address = String((await world.ready('CloudIPAddress', 'v4a', hour, tenant)).status?.['address']);
  await annotate({ [pause]: 'x' });
  await world.clock.advance(60_000);
});
async function cameFree(): Promise<void> {
  await world.delete('CloudInstance', 'b4', tenant);
  await world.gone('CloudInstance', 'b4', hour, tenant);
  expect(rows().some((row) => row.address === address)).toBe(false);
}
/** The provider gives it to the next machine, as its first one. */
async function given(namespace = victim): Promise<number> {
  await cameFree();
  await make('web5', namespace);
  const id = await idOf('web5', namespace);
  const [first] = rows().filter((row) => row.vm_id === id);
  world.emulator.control.edit({ collection: 'addresses', key: first?.address ?? '' });
  plant({ ...first, rdns: 'shop.example.org' });
  world.emulator.control.edit({ collection: 'instances', key: id, row: { ipv4: [address] } });
  return id;
}
const rdns = () => rows().find((row) => row.address === address)?.rdns;
const forward = async () => {
  const { id } = await new CloudUser(world).post('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
  for (const host of ['web', 'shop'])
    await new CloudUser(world).post(`/domains/${String(id)}/records`, { type: 'A', name: host, target: address });
};

describe('an address that came free while its object is paused, and that is another team’s by now', () => {
  it.each([false, true])('is named by that team (restart: %s)', async (restarts) => {
    await given();
    await forward();
    if (restarts) await restart();
    await world.patch('CloudInstance', 'web5', { spec: { reverseDNS: { ipv4: 'web.example.org' } } }, victim);
    await world.clock.advance(hour);
    await world.ready('CloudInstance', 'web5', 60_000, victim);
    expect(rdns()).toBe('web.example.org');
  });
  it('is adopted by who may', async () => {
    await given();
    await world.apply(
      'CloudIPAddress',
      'own',
      { accountRef, type: 'IPv4', adopt: { id: address }, instanceRef: { external: await idOf('web5', victim) } },
      platform,
    );
    await world.ready('CloudIPAddress', 'own', hour, platform);
  });
  it('is told of to its object, without whose it is, and that goes without a call', async () => {
    const id = await given();
    await annotate({ [pause]: null });
    const isTold = async () => (await world.condition('CloudIPAddress', 'v4a', 'Ready', tenant))?.reason === 'RemoteFailed';
    await world.clock.runUntil(isTold, hour);
    const { message } = (await world.condition('CloudIPAddress', 'v4a', 'Ready', tenant)) ?? {};
    expect(message).toContain('it came free and the provider gave it to somebody else');
    const { status = {} } = await world.get('CloudIPAddress', 'v4a', tenant);
    expect(JSON.stringify(status)).not.toContain('shop.example.org');
    expect(JSON.stringify(status)).not.toContain(String(id));
    const before = changesOf(world).length;
    await world.delete('CloudIPAddress', 'v4a', tenant);
    await world.gone('CloudIPAddress', 'v4a', hour, tenant);
    expect(changesOf(world).slice(before)).toEqual([]);
    expect(rows().some((row) => row.address === address)).toBe(true);
  });
  it.each([false, true])('is its own object’s, to which the service gave it (restart: %s)', async (restarts) => {
    await cameFree();
    await make('web5', victim);
    const id = await idOf('web5', victim);
    const row = { ...rows().find(({ vm_id: at }) => at === id), address };
    const posts = () => world.emulator.control.requests().filter(isPost).length;
    const before = posts();
    world.emulator.control.addFault({
      match: { method: 'POST', path: '/networking/ips', username: 'admin' },
      times: 1,
      effect: { kind: 'answer', status: 200, body: JSON.stringify(row) },
    });
    await ip('theirs', 'web5', victim);
    await world.clock.runUntil(() => Promise.resolve(posts() > before), hour);
    plant(row);
    await world.ready('CloudIPAddress', 'theirs', hour, victim);
    expect((await world.get('CloudIPAddress', 'theirs', victim)).status?.['address']).toBe(address);
    if (restarts) await restart();
    await annotate({ [pause]: null });
    await world.clock.advance(hour);
    await world.ready('CloudIPAddress', 'theirs', 60_000, victim);
    await world.delete('CloudIPAddress', 'v4a', tenant);
    await world.gone('CloudIPAddress', 'v4a', hour, tenant);
    expect(rows().some((row) => row.address === address)).toBe(true);
    await world.delete('CloudIPAddress', 'theirs', victim);
    await world.gone('CloudIPAddress', 'theirs', hour, victim);
    expect(changesOf(world)).toContainEqual(`DELETE /vm/instances/${String(id)}/ips/${address}`);
  });
});

describe('an address of a paused object that is still there', () => {
  it.each(['another machine of its team', 'a machine without an object'] as const)('at %s stays that object’s', async (to) => {
    const byHand = { region: 'eu-central', type: 'g6-nanode-1', label: 'by-hand' };
    const machineOf = { 'another machine of its team': () => idOf('b5'), 'a machine without an object': async () => madeByHand(byHand) };
    const id = await machineOf[to]();
    plant({ ...rows().find((row) => row.address === address), vm_id: id });
    await restart();
    await adoptedBy(id);
    const { message } = await world.reason('CloudIPAddress', 'own', 'AlreadyClaimed', hour, platform);
    expect(message).toContain('belongs to CloudIPAddress team-b/v4a');
  });
  it('stays that object’s at its own machine', async () => {
    await world.clock.advance(hour);
    await adoptedBy(await idOf('b4'));
    await world.reason('CloudIPAddress', 'own', 'AlreadyClaimed', hour, platform);
  });
});
async function madeByHand(body: Record<string, unknown>): Promise<number> {
  return Number((await new CloudUser(world).post('/vm/instances', body))['id']);
}
