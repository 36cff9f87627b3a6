import { beforeEach, expect, it } from 'vitest';
import { cloud, dataOf } from '../../support/plugin/cloud-cli.ts';
import type { KubeObject } from '../../support/world/custom-object.ts';
import { World } from '../../support/world/world.ts';

// The shop has the account; its tenant has an instance and a volume that may be attached to one of the shop.
const [shop, tenant] = ['team-a', 'team-b'];
const accountRef = { name: 'default', namespace: shop };
const instance = {
  accountRef,
  region: 'eu-central',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};
let world: World;
const idOf = ({ status }: KubeObject): string => String(status?.['id']);
async function made(kind: string, name: string, spec: object, namespace: string): Promise<string> {
  await world.apply(kind, name, spec as Record<string, unknown>, namespace);
  return idOf(await world.ready(kind, name, undefined, namespace));
}
const volume = { accountRef, region: 'eu-central', lifecycle: { approve: ['Reboot'] } };
async function asked(namespace: string): Promise<{ readonly plan: Record<string, unknown>; readonly message: string }> {
  const planOf = async () => (await world.get('CloudVolume', 'data', namespace)).status?.['plan'];
  await world.clock.runUntil(async () => (await planOf()) !== undefined, 3_600_000);
  const condition = await world.condition('CloudVolume', 'data', 'Synced', namespace);
  return { plan: (await planOf()) as Record<string, unknown>, message: String(condition?.message) };
}

beforeEach(async () => {
  world = await World.create();
  await world.namespace(tenant);
  await world.account({ access: [{ namespaces: [tenant] }] }, shop);
  for (const namespace of [shop, tenant]) await world.secret('root', { password: 'Correct-Horse-7' }, namespace);
  await world.start();
  await world.ready('CloudAccount', 'default', undefined, shop);
});

it('a plan says which objects the ids in its changes are, beside what is approved', async () => {
  const web = await made('CloudInstance', 'web', instance, shop);
  const db = await made('CloudInstance', 'db', instance, shop);
  await made('CloudVolume', 'data', { ...volume, instanceRef: { name: 'web' } }, shop);
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'db' } } });
  const { plan, message } = await asked(shop);
  expect(plan['changes']).toEqual([`spec.instanceRef: the account has ${web}, wanted ${db}`]);
  expect(plan['names']).toEqual([`${web} is CloudInstance team-a/web`, `${db} is CloudInstance team-a/db`].toSorted());
  for (const name of plan['names'] as readonly string[]) expect(message).toContain(name);
});

it('and tells a tenant of none of another namespace', async () => {
  // Who may not adopt leaves it there, and asks for nothing.
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [tenant], adopt: 'Any' }] } }, shop);
  const mine = await made('CloudInstance', 'mine', instance, tenant);
  const web = await made('CloudInstance', 'web', instance, shop);
  const data = await made('CloudVolume', 'data', { ...volume, instanceRef: { name: 'mine' } }, tenant);
  world.emulator.control.edit({ collection: 'volumes', key: Number(data), row: { vm_id: Number(web) } });
  const { plan, message } = await asked(tenant);
  expect(plan['changes']).toEqual([`spec.instanceRef: the account has ${web}, wanted ${mine}`]);
  expect(plan['names']).toEqual([`${mine} is CloudInstance team-b/mine`]);
  expect(message).not.toContain('team-a/web');
});

/** An address of one machine goes to another one. */
async function give(from: string, instanceRef: object, namespace: string): Promise<Readonly<Record<string, unknown>>> {
  const rows = world.emulator.control.rows('instances') as unknown as readonly { readonly id: number; readonly ipv4: readonly string[] }[];
  const { status } = await world.get('CloudInstance', from, namespace);
  const address = rows.find(({ id }) => String(id) === status?.['id'])?.ipv4[0];
  const notAfter = new Date(world.clock.now() + 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const assignments = [{ address, instanceRef }];
  const spec = { accountRef, action: 'AssignAddresses', target: { name: from }, assignments, notAfter };
  await world.apply('CloudOperation', 'give', spec, namespace);
  const { message } = await world.reason('CloudOperation', 'give', 'ApprovalRequired', undefined, namespace);
  return { ...(await world.get('CloudOperation', 'give', namespace)).status, message };
}

it('an operation that asks first says the same of what it is done to, beside what is confirmed', async () => {
  const web = await made('CloudInstance', 'web', instance, shop);
  const db = await made('CloudInstance', 'db', instance, shop);
  const { message, names, consequences, challenge } = await give('web', { name: 'db' }, shop);
  expect(message).toContain(`${web} is CloudInstance team-a/web, ${db} is CloudInstance team-a/db`);
  expect(names).toEqual([`${web} is CloudInstance team-a/web`, `${db} is CloudInstance team-a/db`]);
  expect(JSON.stringify(consequences)).not.toContain('is CloudInstance');
  const read = await cloud(world, 'confirm cop/give --dry-run');
  expect(read.out).toContain(`${web} is CloudInstance team-a/web`);
  const { exit, err } = await cloud(world, 'confirm cop/give', { answers: ['web'] });
  expect([exit, err]).toEqual([0, expect.stringContaining(`${db} is CloudInstance team-a/db`)]);
  await world.clock.advance(60_000);
  expect((await world.get('CloudOperation', 'give', shop)).status).toMatchObject({ confirmed: { challenge } });
});

it('and not what a machine of another namespace is called', async () => {
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [tenant], adopt: 'Any' }] } }, shop);
  const web = await made('CloudInstance', 'web', instance, shop);
  const mine = await made('CloudInstance', 'mine', instance, tenant);
  const status = await give('mine', { external: Number(web) }, tenant);
  expect(JSON.stringify(status['consequences'])).toContain(web);
  expect(status['names']).toEqual([`${mine} is CloudInstance team-b/mine`]);
  expect(JSON.stringify(status)).not.toContain('team-a/web');
});

it('the list of what waits for a yes says it too', async () => {
  const web = await made('CloudInstance', 'web', instance, shop);
  const db = await made('CloudInstance', 'db', instance, shop);
  await made('CloudVolume', 'data', { ...volume, instanceRef: { name: 'web' } }, shop);
  await world.patch('CloudVolume', 'data', { spec: { instanceRef: { name: 'db' } } });
  await asked(shop);
  const named = [`${web} is CloudInstance team-a/web`, `${db} is CloudInstance team-a/db`];
  expect((await cloud(world, 'approve --list')).out).toContain(`wanted ${db} (${named.join(', ')})`);
  expect(dataOf(await cloud(world, 'approve --list -o json'))).toMatchObject({ approvals: [{ names: named }] });
});
