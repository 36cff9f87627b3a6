import { beforeEach, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import type { RunningOperator, World } from '../../support/world/world.ts';

// What the status of a machine says is as old as the operator's last look: before a volume is taken off another one for its sake, it is seen.
const minute = 60_000;
const machine = {
  region: 'us-southeast',
  type: 'g6-nanode-1',
  image: 'vm/debian11',
  rootPasswordSecretRef: { name: 'root', key: 'password' },
};
let world: World;
let operator: RunningOperator;
const idOf = async (name: string): Promise<number> => Number((await world.get('CloudInstance', name)).status?.['id']);
const holder = (): unknown => (world.emulator.control.rows('volumes') as unknown as { vm_id: unknown }[])[0]?.vm_id;
beforeEach(async () => {
  ({ world, operator } = await connectedWorld());
  await world.secret('root', { password: 'correct-Horse-7-battery' });
  for (const name of ['a', 'b']) await world.apply('CloudInstance', name, machine);
  for (const name of ['a', 'b']) await world.ready('CloudInstance', name);
  await world.apply('CloudVolume', 'data', { sizeGiB: 20, instanceRef: { name: 'a' } });
  await world.ready('CloudVolume', 'data');
  await world.clock.advance(5 * minute);
});

it('a volume that was put on another machine, as its own was deleted, stays there', async () => {
  operator.kill();
  const user = new CloudUser(world);
  const [a, b] = [await idOf('a'), await idOf('b')];
  await user.delete(`/vm/instances/${a}`);
  await world.clock.advance(minute);
  await user.post('/volumes/1000/attach', { vm_id: b });
  await world.clock.advance(10 * minute);
  const since = lastRequest(world);
  await world.start();
  await world.reason('CloudInstance', 'a', 'RemoteMissing', 30 * minute);
  await world.reason('CloudVolume', 'data', 'ReferenceNotReady', 30 * minute);
  expect(changesSince(world, since)).toEqual([]);
  expect(holder()).toBe(b);
});

it('and is put back where its machine is there', async () => {
  operator.kill();
  const user = new CloudUser(world);
  const [a, b] = [await idOf('a'), await idOf('b')];
  await user.post('/volumes/1000/detach', {});
  await world.clock.advance(minute);
  await user.post('/volumes/1000/attach', { vm_id: b });
  await world.clock.advance(10 * minute);
  await world.start();
  await world.clock.runUntil(() => holder() === a, 30 * minute);
  await world.ready('CloudVolume', 'data');
});

it('stays there, too, where the token could read nothing meanwhile', async () => {
  const [a, b] = [await idOf('a'), await idOf('b')];
  const token = { token: 'token-admin', username: 'admin' };
  world.emulator.control.setToken({ ...token, scopes: '' });
  await world.clock.advance(10_000);
  const user = new CloudUser(world);
  await user.delete(`/vm/instances/${a}`);
  await world.clock.advance(minute);
  await user.post('/volumes/1000/attach', { vm_id: b });
  await world.clock.advance(10 * minute);
  world.emulator.control.setToken({ ...token, scopes: '*' });
  await world.clock.advance(90 * minute);
  expect(holder()).toBe(b);
});

it("a record that was pointed at another machine, as its own was deleted, is not pointed back at an address that may be anybody's", async () => {
  const follows = {
    domainRef: { name: 'zone' },
    type: 'A',
    host: 'www',
    targetFrom: { instanceRef: { name: 'a' }, address: 'PublicIPv4' },
  };
  await world.apply('CloudDomain', 'zone', { domain: 'example.org', type: 'master', soaEmail: 'ops@example.org' });
  await world.ready('CloudDomain', 'zone');
  await world.apply('CloudDomainRecord', 'www', follows);
  await world.ready('CloudDomainRecord', 'www');
  operator.kill();
  const user = new CloudUser(world);
  const address = String((await world.get('CloudInstance', 'b')).status?.['publicIPv4']);
  await user.delete(`/vm/instances/${await idOf('a')}`);
  await user.put(String((await world.get('CloudDomainRecord', 'www')).status?.['path']), { target: address });
  await world.clock.advance(10 * minute);
  const since = lastRequest(world);
  await world.start();
  await world.reason('CloudInstance', 'a', 'RemoteMissing', 30 * minute);
  await world.clock.advance(30 * minute);
  expect(changesSince(world, since).filter((call) => call.includes('/domains'))).toEqual([]);
  expect(world.emulator.control.rows('domain records')).toMatchObject([{ target: address }]);
  await world.reason('CloudDomainRecord', 'www', 'ReferenceNotReady', minute);
});
