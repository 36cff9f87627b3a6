import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import type { Condition } from '../../support/world/custom-object.ts';
import { World } from '../../support/world/world.ts';

const tenant = 'tenant';
const accountRef = { name: 'default', namespace: 'team-a' };
const bucket = 'eu-central-1/assets';

let world: World;
let user: CloudUser;
async function begin(maxObjects: number): Promise<void> {
  world = await World.create();
  user = new CloudUser(world);
  await world.namespace(tenant);
  await world.account({ access: [{ namespaces: [tenant], maxObjects }] });
  await world.start();
}
const apply = (kind: string, name: string, spec: Record<string, unknown>): Promise<unknown> =>
  world.apply(kind, name, { accountRef, ...spec }, tenant);
const ready = (kind: string, name: string): Promise<unknown> => world.ready(kind, name, 3_700_000, tenant);
const refused = (kind: string, name: string): Promise<Condition> => world.reason(kind, name, 'QuotaExceeded', 60_000, tenant);
const calls = (end: string, method = /./): number =>
  world.emulator.control
    .requests()
    .filter(({ path, method: one, username }) => path.endsWith(end) && method.test(one) && username === 'admin').length;
const full = (count: string, limit: number): string =>
  `namespace tenant has ${count} in this account and CloudAccount default admits ${limit} (access[].maxObjects)`;

describe('maxObjects counts', () => {
  beforeEach(async () => {
    await begin(2);
    await apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'assets' });
    await world.ready('CloudBucket', 'assets', 600_000, tenant);
  });

  it('a URL that is issued, before it is asked for, also of many at once, until its object goes', async () => {
    const url = { bucketRef: { name: 'assets' }, object: 'golden.gz' };
    const names = ['a', 'b', 'c', 'd'];
    for (const name of names) await apply('CloudObjectURL', name, url);
    await world.clock.advance(30_000);
    const reasons = await Promise.all(names.map(async (name) => (await world.condition('CloudObjectURL', name, 'Synced', tenant))?.reason));
    const [first = '', ...others] = names.filter((_, at) => reasons[at] !== 'QuotaExceeded');
    expect(others).toEqual([]);
    expect(calls('/object-url')).toBe(1);
    const [waiting = ''] = names.filter((name) => name !== first);
    expect((await refused('CloudObjectURL', waiting)).message).toContain(full('2 objects', 2));
    await world.patch('CloudObjectURL', first, { spec: { expiresInSeconds: 900 } }, tenant);
    await world.clock.advance(5000);
    expect(calls('/object-url')).toBe(2);
    await world.delete('CloudObjectURL', first, tenant);
    await world.clock.advance(3_700_000);
    const now = await Promise.all(names.filter((name) => name !== first).map((name) => world.find('CloudObjectURL', name, tenant)));
    expect(now.filter((one) => one?.status?.['expires'] !== undefined)).toHaveLength(1);
  });

  it('the ACL of an object, which is not even read before, whatever annotations its object came with', async () => {
    for (const object of ['one', 'two']) await user.object(bucket, 'PUT', object, 'x');
    const acl = { bucketRef: { name: 'assets' }, acl: 'public-read' };
    await apply('CloudObjectACL', 'one', { ...acl, object: 'one' });
    await world.ready('CloudObjectACL', 'one', 600_000, tenant);
    const theirs = (await world.get('CloudObjectACL', 'one', tenant)).metadata;
    const before = calls('/object-acl');
    const path = world.path('CloudObjectACL', tenant);
    const metadata = { name: 'two', namespace: tenant, annotations: theirs.annotations, finalizers: theirs.finalizers };
    const spec = { accountRef, ...acl, object: 'two' };
    await world.admin('POST', path, { apiVersion: 'cloudhosting.dev/v1alpha1', kind: 'CloudObjectACL', metadata, spec });
    expect((await refused('CloudObjectACL', 'two')).message).toContain(full('2 objects', 2));
    expect(calls('/object-acl')).toBe(before);
    await world.clock.advance(900_000);
    expect(await user.get(`/object-storage/buckets/${bucket}/object-acl?name=two`)).toMatchObject({ acl: 'private' });
    await world.delete('CloudObjectACL', 'one', tenant);
    await ready('CloudObjectACL', 'two');
  });

  it('a URL whose finalizer was taken away', async () => {
    const url = { bucketRef: { name: 'assets' }, object: 'golden.gz', expiresInSeconds: 3600 };
    await apply('CloudObjectURL', 'one', url);
    await ready('CloudObjectURL', 'one');
    await world.patch('CloudObjectURL', 'one', { metadata: { finalizers: null } }, tenant);
    await world.clock.advance(10_000);
    await apply('CloudObjectURL', 'two', url);
    expect((await refused('CloudObjectURL', 'two')).message).toContain(full('2 objects', 2));
    expect(calls('/object-url')).toBe(1);
  });

  it('the ACL of an object whose annotations were taken away while it was paused', async () => {
    for (const object of ['one', 'two']) await user.object(bucket, 'PUT', object, 'x');
    const acl = { bucketRef: { name: 'assets' }, acl: 'public-read' };
    await apply('CloudObjectACL', 'one', { ...acl, object: 'one' });
    await ready('CloudObjectACL', 'one');
    const annotations = (value: object) => world.patch('CloudObjectACL', 'one', { metadata: { annotations: value } }, tenant);
    await annotations({ 'cloudhosting.dev/pause': 'true' });
    await world.clock.advance(5000);
    await annotations({ 'cloudhosting.dev/remote': null });
    await world.clock.advance(5000);
    await apply('CloudObjectACL', 'two', { ...acl, object: 'two' });
    expect((await refused('CloudObjectACL', 'two')).message).toContain(full('2 objects', 2));
    await annotations({ 'cloudhosting.dev/pause': null });
    await ready('CloudObjectACL', 'one');
    expect(await user.get(`/object-storage/buckets/${bucket}/object-acl?name=two`)).toMatchObject({ acl: 'private' });
  });
});

it('what has no place under maxObjects is not read for, however often it is looked at', async () => {
  await begin(1);
  await user.post('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
  const zone = { type: 'master', soaEmail: 'a@example.org' };
  await apply('CloudDomain', 'own', { ...zone, domain: 'own.example' });
  await ready('CloudDomain', 'own');
  await world.clock.advance(60_000);
  const reads = (): number =>
    world.emulator.control.requests().filter(({ path, username }) => username === 'admin' && /\/domains\/\d+$/.test(path)).length;
  const before = reads();
  await apply('CloudDomain', 'within', { ...zone, domain: 'www.example.org' });
  for (const asked of ['first', 'second', 'third']) {
    expect((await refused('CloudDomain', 'within')).message).toContain(full('1 object', 1));
    await world.patch('CloudDomain', 'within', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': asked } } }, tenant);
    await world.clock.advance(60_000);
  }
  expect(reads() - before).toBe(0);
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [tenant], maxObjects: 2 }] } });
  await world.reason('CloudDomain', 'within', 'AlreadyExists', 600_000, tenant);
});

const instance = { region: 'eu-central', type: 'g6-nanode-1' };

it('maxObjects counts addresses that an instance shares', async () => {
  await begin(2);
  for (const name of ['standby', 'web']) await apply('CloudInstance', name, instance);
  for (const name of ['standby', 'web']) await ready('CloudInstance', name);
  const share = { instanceRef: { name: 'standby' }, addresses: [{ addressFrom: { instanceRef: { name: 'web' }, address: 'PublicIPv4' } }] };
  await apply('CloudIPShare', 'share', share);
  expect((await refused('CloudIPShare', 'share')).message).toContain(full('2 objects', 2));
  expect(calls('/share', /POST/)).toBe(0);
  await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [tenant], maxObjects: 3 }] } });
  await ready('CloudIPShare', 'share');
});

it('what is done once is counted by itself, until it is over: who has all that it may have can still reboot it', async () => {
  await begin(1);
  await world.secret('web-root', { password: 'Correct-Horse-7' }, tenant);
  await apply('CloudInstance', 'web', { ...instance, image: 'vm/debian11', rootPasswordSecretRef: { name: 'web-root', key: 'password' } });
  await ready('CloudInstance', 'web');
  const hours = { first: 2, second: 3, third: 4 };
  const once = (name: keyof typeof hours): Promise<unknown> => {
    const notAfter = new Date(world.clock.now() + hours[name] * 3_600_000).toISOString().replace(/\.\d+Z$/, 'Z');
    return apply('CloudOperation', name, { action: 'RebootInstance', target: { name: 'web' }, notAfter });
  };
  await once('first');
  await once('second');
  await world.clock.advance(2000);
  const said = await Promise.all(['first', 'second'].map((name) => world.condition('CloudOperation', name, 'Synced', tenant)));
  expect(said.map((one) => one?.message)).toContainEqual(
    expect.stringMatching(
      /^waits for a place: .* It goes on by itself when one is over; to have it sooner delete one, or have the limit raised$/,
    ),
  );
  expect(said.some((one) => one?.message.includes(full('1 operation that is not over', 1)))).toBe(true);
  await ready('CloudOperation', 'first');
  await ready('CloudOperation', 'second');
  expect(calls('/reboot', /POST/)).toBe(2);
  await once('third');
  await ready('CloudOperation', 'third');
  expect(world.panics).toEqual([]);
});
