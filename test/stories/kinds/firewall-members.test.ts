import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const rule = { action: 'ACCEPT', protocol: 'TCP', ports: '22', addresses: { ipv4: ['203.0.113.0/24'] } };
const wall = { inbound: [rule], inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' };
const machines = ['web-1', 'web-2', 'web-3', 'bastion', 'old-bastion'];

let world: World;
let colleague: CloudUser;
const ids = new Map<string, number>();
const path: Record<string, string> = {};
const devices = (of: string) => colleague.list(`${path[of] ?? ''}/devices`);
const entityOf = (device: object): number => (device as { entity: { id: number } }).entity.id;
const behind = async (of: string): Promise<readonly string[]> => {
  const there = (await devices(of)).map(entityOf);
  return machines.filter((name) => there.includes(ids.get(name) ?? 0));
};
const add = (of: string, name: string) => colleague.post(`${path[of] ?? ''}/devices`, { id: ids.get(name), type: 'vm' });
async function remove(of: string, name: string): Promise<void> {
  const device = (await devices(of)).find((one) => entityOf(one) === ids.get(name));
  await colleague.delete(`${path[of] ?? ''}/devices/${String(device?.['id'])}`);
}
const synced = async (name = 'web') => world.condition('CloudFirewall', name, 'Synced');

beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.start();
  for (const name of machines) await world.apply('CloudInstance', name, machine);
  for (const name of machines) ids.set(name, Number((await world.ready('CloudInstance', name)).status?.['id']));
  await world.apply('CloudFirewall', 'web', { ...wall, instanceRefs: [{ name: 'web-1' }, { name: 'web-2' }] });
  await world.apply('CloudFirewall', 'ssh', wall);
  for (const name of ['web', 'ssh']) path[name] = String((await world.ready('CloudFirewall', name)).status?.['path']);
  await world.clock.advance(60_000);
});

// A poll that names more firewalls than their list has pages reads the rest by that list, which tells nothing of what is behind one.
it('what is behind one is read though another one changed in the same second', async () => {
  await world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
  await world.clock.advance(30_000);
  await colleague.put(`${path['ssh'] ?? ''}/rules`, { ...(await colleague.get(`${path['ssh'] ?? ''}/rules`)), inbound: [] });
  await remove('web', 'web-1');
  await add('web', 'bastion');
  await world.clock.advance(20_000);
  for (const name of ['web', 'ssh']) expect(await synced(name)).toMatchObject({ status: 'False', reason: 'ReadOnly' });
});

const isAsWanted = async (): Promise<boolean> => (await behind('web')).join() === 'web-1,web-2';
/** Whether it was said to be as wanted between the first change that was sent and the last, asked at every step. */
async function saidTooEarly(): Promise<boolean> {
  let early = false;
  const from = changesOf(world).length;
  await world.clock.runUntil(async () => {
    if (await isAsWanted()) return true;
    early ||= changesOf(world).length > from && (await synced())?.status === 'True';
    return false;
  }, 20_000);
  return early;
}
async function disorder(): Promise<void> {
  for (const name of ['web-1', 'web-2']) await remove('web', name);
  await add('web', 'bastion');
}

describe('several instances that a colleague moved', () => {
  it('are put right in seconds by one device each, and nothing is said to be as wanted before', async () => {
    const from = changesOf(world).length;
    await disorder();
    expect(await saidTooEarly()).toBe(false);
    await world.clock.advance(30_000);
    const changes = changesOf(world).slice(from);
    expect(changes.map((call) => call.replace(/\/\d+$/, ''))).toEqual([
      `POST ${path['web'] ?? ''}/devices`,
      `POST ${path['web'] ?? ''}/devices`,
      `DELETE ${path['web'] ?? ''}/devices`,
    ]);
    expect((await world.get('CloudFirewall', 'web')).status).toMatchObject({ instances: 2 });
    expect(await synced()).toMatchObject({ status: 'True' });
  });

  it('are put right within a minute and by the same calls where the list of devices lags behind them', async () => {
    const from = changesOf(world).length;
    await disorder();
    await world.clock.advance(200);
    world.emulator.control.setKnobs({ listLagSeconds: 6 });
    await world.clock.advance(60_000);
    expect(changesOf(world).slice(from)).toHaveLength(3);
    world.emulator.control.setKnobs({ listLagSeconds: 0 });
    expect(await isAsWanted()).toBe(true);
    expect(await synced()).toMatchObject({ status: 'True' });
  });

  it('count as one correction, and somebody who keeps moving them is found out still', async () => {
    for (const time of [1, 2, 3]) {
      await disorder();
      await world.clock.runUntil(isAsWanted, 60_000);
      await world.clock.advance(60_000);
      expect((await world.get('CloudFirewall', 'web')).status?.['corrections']).toMatchObject([{ at: { length: time } }]);
    }
    await disorder();
    await world.reason('CloudFirewall', 'web', 'Contested', 60_000);
  });
});

const lookNow = () => world.patch('CloudFirewall', 'web', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });

describe('a look that is asked for', () => {
  /** Nothing but the look can find it. */
  beforeEach(async () => {
    world.emulator.control.addFault({
      match: { path: '/account/events' },
      effect: { kind: 'answer', status: 500, body: '{"errors": []}' },
    });
    await world.clock.advance(5000);
    await disorder();
  });

  it('reads what is behind a firewall, too', async () => {
    await lookNow();
    await world.clock.runUntil(isAsWanted, 20_000);
  });

  it('says of what is only observed how it is there', async () => {
    await world.patch('CloudFirewall', 'web', { spec: { lifecycle: { management: 'Observe' } } });
    await lookNow();
    await world.clock.advance(10_000);
    expect((await synced())?.message).toContain('spec.instanceRefs');
  });
});
