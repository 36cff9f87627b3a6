import { expect, test } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const [cluster, minute] = ['eu-central-1', 60_000];

// No event and no list tells of an access: each is asked for by itself.
test('an access that was opened by hand is closed soon, however many another namespace waits for', { timeout: 120_000 }, async () => {
  const world = await World.create();
  const user = new CloudUser(world);
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim, tenant] }] }, platform);
  await world.start();
  await world.apply('CloudBucket', 'mine', { accountRef, cluster, label: 'invoices' }, victim);
  await world.apply('CloudBucket', 'others', { accountRef, cluster, label: 'holidays' }, tenant);
  await world.ready('CloudBucket', 'mine', minute, victim);
  await world.ready('CloudBucket', 'others', minute, tenant);
  await user.object(`${cluster}/invoices`, 'PUT', 'secret.pdf', 'x');
  const access = { accountRef, bucketRef: { name: 'mine' }, object: 'secret.pdf', acl: 'private' };
  await world.apply('CloudObjectACL', 'secret', access, victim);
  await world.ready('CloudObjectACL', 'secret', 5 * minute, victim);
  for (let n = 0; n < 150; n += 1)
    await world.apply('CloudObjectACL', `a${n}`, { ...access, bucketRef: { name: 'others' }, object: `o${n}` }, tenant);
  await world.clock.advance(40 * minute);
  const acls = `/object-storage/buckets/${cluster}/invoices/object-acl`;
  await user.put(acls, { name: 'secret.pdf', acl: 'public-read-write' });
  await world.clock.advance(7 * minute);
  expect((await user.get(`${acls}?name=secret.pdf`))['acl']).toBe('private');
});
