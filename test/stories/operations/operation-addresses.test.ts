import { beforeEach, describe, expect, it } from 'vitest';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudOperation';
const hour = 3_600_000;
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
let world: World;
beforeEach(async () => {
  world = await World.create({ emulator: { knobs: { extraPublicAddresses: true } } });
  await world.account();
  await world.start();
  for (const name of ['web', 'db']) await world.apply('CloudInstance', name, machine);
  for (const name of ['web', 'db']) await world.ready('CloudInstance', name);
});
const at = (ahead: number): string => new Date(world.clock.now() + ahead).toISOString().replace(/\.\d+Z$/, 'Z');
const get = (): Promise<KubeObject> => world.get(kind, 'swap');
const idOf = async (name: string): Promise<number> => Number((await world.get('CloudInstance', name)).status?.['id']);
const firstOf = async (name: string): Promise<string> => String((await world.get('CloudInstance', name)).status?.['publicIPv4']);
const sent = (): readonly unknown[] =>
  world.emulator.control.requests().filter(({ path, method }) => method === 'POST' && path.endsWith('/networking/ips/assign'));
const whereIs = (address: unknown): number | undefined =>
  (world.emulator.control.rows('addresses') as { address: string; vm_id: number }[]).find((row) => row.address === address)?.vm_id;
async function phase(name: string): Promise<KubeObject> {
  await world.clock
    .runUntil(async () => (await get()).status?.['phase'] === name, 2 * hour)
    .catch(async (error: unknown) => {
      throw new Error(`${String(error)} ${JSON.stringify((await get()).status)}`);
    });
  return get();
}
const ask = (assignments: readonly object[], target = 'web'): Promise<KubeObject> =>
  world.apply(kind, 'swap', { action: 'AssignAddresses', target: { name: target }, notAfter: at(hour), assignments });
async function confirmed(): Promise<void> {
  const { status } = await phase('AwaitingConfirmation');
  await world.patch(kind, 'swap', { metadata: { annotations: { 'cloudhosting.dev/confirm': String(status?.['challenge']) } } });
}
const to = (name: string): object => ({ instanceRef: { name } });

describe('addresses that change places', () => {
  it('do so by one call, once somebody has confirmed what breaks off', async () => {
    const [mine, theirs] = [await firstOf('web'), await firstOf('db')];
    await ask([
      { address: mine, ...to('db') },
      { address: theirs, ...to('web') },
    ]);
    const { status } = await phase('AwaitingConfirmation');
    expect(status?.['consequences']).toEqual([
      expect.stringContaining(`${mine} leaves instance ${await idOf('web')}`),
      expect.stringContaining(`${theirs} goes to instance ${await idOf('web')} from instance ${await idOf('db')} (CloudInstance db)`),
    ]);
    expect(sent()).toEqual([]);
    await confirmed();
    await phase('Succeeded');
    expect([whereIs(mine), whereIs(theirs)]).toEqual([await idOf('db'), await idOf('web')]);
    expect(sent()).toHaveLength(1);
  });
  it('are sent once, whatever becomes of the answer, and what the account shows tells how it ended', async () => {
    const [mine, theirs] = [await firstOf('web'), await firstOf('db')];
    const match = { method: 'POST', path: '/networking/ips/assign', username: 'admin' };
    world.emulator.control.addFault({ match, times: 1, effect: { kind: 'lose-answer' } });
    await ask([
      { address: mine, ...to('db') },
      { address: theirs, ...to('web') },
    ]);
    await confirmed();
    await phase('Succeeded');
    expect(sent()).toHaveLength(1);
  });
  it('say of what has no object here only which address it loses, and ask anew when another one loses it', async () => {
    await world.namespace('team-b');
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'] }] } });
    await world.apply('CloudInstance', 'far', { ...machine, accountRef: { name: 'default', namespace: 'team-a' } }, 'team-b');
    const far = (await world.ready('CloudInstance', 'far', hour, 'team-b')).status ?? {};
    await ask([
      { address: await firstOf('web'), ...to('db') },
      { address: String(far['publicIPv4']), ...to('web') },
    ]);
    const { status } = await phase('AwaitingConfirmation');
    const [, told = ''] = (status?.['consequences'] ?? []) as readonly string[];
    expect(told).toContain('from an instance of which this namespace has no object');
    expect(told).not.toContain(String(far['id']));
    const row = (world.emulator.control.rows('addresses') as { address: string }[]).find((one) => one.address === far['publicIPv4']);
    world.emulator.control.edit({
      collection: 'addresses',
      key: String(far['publicIPv4']),
      row: { ...row, vm_id: await idOf('db') },
    });
    await confirmed();
    await world.clock.advance(60_000);
    const now = (await get()).status;
    expect(now?.['phase']).toBe('AwaitingConfirmation');
    expect(now?.['challenge']).not.toBe(status?.['challenge']);
    expect(now?.['consequences']).toContainEqual(expect.stringContaining('(CloudInstance db)'));
    expect(sent()).toEqual([]);
  });
  it('are left alone where the request was lost, and nobody claims that they moved', async () => {
    const [mine, theirs] = [await firstOf('web'), await firstOf('db')];
    const match = { method: 'POST', path: '/networking/ips/assign', username: 'admin' };
    world.emulator.control.addFault({ match, times: 1, effect: { kind: 'lose-request' } });
    await ask([
      { address: mine, ...to('db') },
      { address: theirs, ...to('web') },
    ]);
    await confirmed();
    await phase('Unknown');
    expect([whereIs(mine), whereIs(theirs)]).toEqual([await idOf('web'), await idOf('db')]);
    expect(sent()).toHaveLength(1);
  });
  it('are named by their objects, which go on once their spec says the same', async () => {
    await world.apply('CloudIPAddress', 'vip', { type: 'IPv4', instanceRef: { name: 'web' } });
    const { address } = (await world.ready('CloudIPAddress', 'vip')).status ?? {};
    await ask([{ addressRef: { name: 'vip' }, ...to('db') }]);
    await confirmed();
    await phase('Succeeded');
    expect(whereIs(address)).toBe(await idOf('db'));
    await world.patch('CloudIPAddress', 'vip', { spec: { instanceRef: { name: 'db' } } });
    await world.clock.advance(60_000);
    await world.ready('CloudIPAddress', 'vip');
    expect(whereIs(address)).toBe(await idOf('db'));
  });
});

it('a target that gives none of them away is told so', async () => {
  await ask([{ address: await firstOf('web'), ...to('db') }], 'db');
  await world.clock.runUntil(async () => (await world.condition(kind, 'swap', 'Stalled'))?.status === 'True', hour);
  expect((await world.condition(kind, 'swap', 'Stalled'))?.message).toContain('name the instance as target that has one of them now');
  expect(sent()).toEqual([]);
});
it('what would leave an instance without any is refused by the service, and nothing moves', async () => {
  const mine = await firstOf('web');
  await ask([{ address: mine, ...to('db') }]);
  await confirmed();
  await phase('Failed');
  expect(whereIs(mine)).toBe(await idOf('web'));
});
it('a namespace that may not adopt names no address of others', async () => {
  await world.namespace('team-b');
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: ['team-b'], adopt: 'None' }] } });
  await world.clock.advance(5000);
  const accountRef = { name: 'default', namespace: 'team-a' };
  for (const name of ['one', 'two']) await world.apply('CloudInstance', name, { ...machine, accountRef }, 'team-b');
  for (const name of ['one', 'two']) await world.ready('CloudInstance', name, hour, 'team-b');
  const own = String((await world.get('CloudInstance', 'one', 'team-b')).status?.['publicIPv4']);
  const assignments = [
    { address: await firstOf('web'), instanceRef: { name: 'one' } },
    { address: own, instanceRef: { name: 'two' } },
  ];
  const spec = { accountRef, action: 'AssignAddresses', target: { name: 'one' }, notAfter: at(hour), assignments };
  await world.apply(kind, 'theft', spec, 'team-b');
  await world.clock.advance(hour / 2);
  const condition = await world.condition(kind, 'theft', 'Synced', 'team-b');
  expect(condition?.message).toContain('must set spec.access[].adopt: Any for namespace team-b');
  expect(sent()).toEqual([]);
});
