import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../support/cloud-user.ts';
import { World } from '../support/world.ts';

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
