import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { World } from '../../support/world/world.ts';

// What the operator did not make is kept at the end, however a cluster came by it. Kinds without tags, of which nothing tells who made them.
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOy3aI05m4g1XjMCxjDe1RxEej2A1/chTLltdDV98GUl a@b';
const key = { label: 'laptop', publicKey };
const record = { domainRef: { name: 'zone' }, type: 'A', host: 'www', target: '203.0.113.7' };
let old: World;
const somebodysKey = async (): Promise<unknown> =>
  (await new CloudUser(old, 'token-admin').post('/profile/sshkeys', { label: 'laptop', ssh_key: publicKey }))['id'];

const kept = { origin: 'Adopted', policy: 'Retain', changes: [] };
async function endOf(world: World, kind: string, name: string): Promise<unknown> {
  const { status } = await world.ready(kind, name);
  const seq = lastRequest(world);
  await world.delete(kind, name);
  await world.gone(kind, name);
  return { origin: status?.['origin'], policy: status?.['policy'], changes: changesSince(world, seq) };
}
beforeEach(async () => {
  old = await World.create();
});
/** Another cluster on the same account, without the key. */
async function rebuilt(objects: Parameters<typeof restore>[1], account: Record<string, unknown> = { recover: true }): Promise<World> {
  const world = await World.create({ beside: old });
  await world.account(account);
  await restore(world, objects);
  await world.start();
  return world;
}

it('what a person adopts while the account recovers', async () => {
  const id = await somebodysKey();
  await old.account({ recover: true });
  await old.start();
  await old.apply('CloudSSHKey', 'laptop', { ...key, adopt: { id } });
  expect(await endOf(old, 'CloudSSHKey', 'laptop')).toEqual(kept);
});

it('what was adopted, in a cluster that is rebuilt from Git, where Git has spec.adopt', async () => {
  await old.account();
  const operator = await old.start();
  const user = new CloudUser(old);
  const { id } = await user.post('/domains', { domain: 'example.com', type: 'master', soa_email: 'a@example.com' });
  const row = await user.post(`/domains/${String(id)}/records`, { type: 'A', name: 'www', target: '203.0.113.7' });
  await old.apply('CloudDomain', 'zone', { domain: 'example.com', type: 'master', soaEmail: 'a@example.com', adopt: { id } });
  await old.apply('CloudDomainRecord', 'www', { ...record, adopt: { id: row['id'] } });
  await old.ready('CloudDomainRecord', 'www');
  operator.kill();
  expect(await endOf(await rebuilt(exported(old)), 'CloudDomainRecord', 'www')).toEqual(kept);
});

it('what was adopted, in a cluster restored with annotations, the key lost', async () => {
  const id = await somebodysKey();
  await old.account();
  const operator = await old.start();
  await old.apply('CloudSSHKey', 'laptop', { ...key, adopt: { id } });
  await old.ready('CloudSSHKey', 'laptop');
  await old.patch('CloudSSHKey', 'laptop', { spec: { adopt: null } });
  operator.kill();
  expect(await endOf(await rebuilt(exported(old, { annotations: true })), 'CloudSSHKey', 'laptop')).toEqual(kept);
});

it('and where the account does not recover, spec.adopt counts before the annotation that nobody here has signed', async () => {
  const id = await somebodysKey();
  await old.account();
  const operator = await old.start();
  await old.apply('CloudSSHKey', 'laptop', { ...key, adopt: { id } });
  await old.ready('CloudSSHKey', 'laptop');
  operator.kill();
  expect(await endOf(await rebuilt(exported(old, { annotations: true }), {}), 'CloudSSHKey', 'laptop')).toEqual(kept);
});

it('what merely equals the spec', async () => {
  await somebodysKey();
  await old.account({ recover: true });
  await old.start();
  await old.apply('CloudSSHKey', 'never-made-here', key);
  expect(await endOf(old, 'CloudSSHKey', 'never-made-here')).toEqual(kept);
});
