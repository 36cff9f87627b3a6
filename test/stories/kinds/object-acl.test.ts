import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
let user: CloudUser;
const bucket = 'eu-central-1/shop-assets';
const logo = 'img/logo.png';
const spec = { bucketRef: { name: 'assets' }, object: logo, acl: 'public-read' };
beforeEach(async () => {
  world = await World.create();
  user = new CloudUser(world);
  await world.namespace('tenant');
  await world.account({ access: [{ namespaces: ['tenant'] }] });
  await world.start();
  await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'shop-assets', allowedRefs: { namespaces: ['tenant'] } });
  await world.ready('CloudBucket', 'assets');
});

const aclOf = async (name: string): Promise<unknown> =>
  (await user.get(`/object-storage/buckets/${bucket}/object-acl?name=${encodeURIComponent(name)}`))['acl'];
/** Calls of the operator that changed an ACL. */
const puts = (): number => world.changes.filter(({ path }) => path.endsWith('/object-acl')).length;
const ready = async (name: string): Promise<string | undefined> => (await world.condition('CloudObjectACL', name, 'Ready'))?.status;

describe('the ACL of an object', () => {
  it('waits for an object that is not there, is set when it comes, and once more when it comes again', async () => {
    await world.apply('CloudObjectACL', 'logo', spec);
    const { message } = await world.reason('CloudObjectACL', 'logo', 'ReferenceNotReady');
    expect(message).toContain(`object "${logo}" of the bucket is not in the account yet`);
    expect(message).toContain(
      'Where it is not there, upload it first, under exactly this name, with any S3 tool. It is looked for every few minutes',
    );
    const why = await cloud(world, 'why cacl/logo');
    expect(why.out).toContain(
      'What to do: Where it is not there, upload it first, under exactly this name, with any S3 tool. It is looked for every few minutes; the first line has it looked for at once.\n  kubectl cloud reconcile -n team-a cacl/logo\n  kubectl cloud wait -n team-a cacl/logo\n',
    );
    await world.clock.advance(3_600_000);
    expect(puts()).toBe(0);
    expect(await world.condition('CloudObjectACL', 'logo', 'Stalled')).toMatchObject({ status: 'False' });
    await user.object(bucket, 'PUT', logo, 'x');
    await world.clock.runUntil(async () => (await ready('logo')) === 'True', 400_000);
    expect(await aclOf(logo)).toBe('public-read');
    expect(puts()).toBe(1);
    await user.object(bucket, 'DELETE', logo);
    await world.clock.runUntil(async () => (await ready('logo')) === 'False', 400_000);
    expect((await world.get('CloudObjectACL', 'logo')).status).not.toHaveProperty('acl');
    await user.object(bucket, 'PUT', logo, 'y');
    await world.clock.runUntil(async () => (await ready('logo')) === 'True', 400_000);
    expect(await aclOf(logo)).toBe('public-read');
    expect(puts()).toBe(2);
    expect(world.panics).toEqual([]);
  });
  it('is put back when somebody changes it, and stays when its object goes, which an Event says', async () => {
    await user.object(bucket, 'PUT', logo, 'x');
    await world.apply('CloudObjectACL', 'logo', { ...spec, acl: 'private' });
    await world.ready('CloudObjectACL', 'logo');
    expect(puts()).toBe(0);
    await user.put(`/object-storage/buckets/${bucket}/object-acl`, { name: logo, acl: 'public-read-write' });
    await world.clock.runUntil(async () => (await aclOf(logo)) === 'private', 400_000);
    await world.patch('CloudObjectACL', 'logo', { spec: { acl: 'public-read' } });
    await world.ready('CloudObjectACL', 'logo');
    await world.delete('CloudObjectACL', 'logo');
    await world.gone('CloudObjectACL', 'logo');
    expect(await aclOf(logo)).toBe('public-read');
    const told = (world.server.objects('/events') as unknown as { reason: string; message: string }[]).filter(
      ({ reason }) => reason === 'Retained',
    );
    expect(told.map(({ message }) => message)).toEqual([expect.stringContaining('stays as it is now')]);
  });
  it('of two for one object the older has it', async () => {
    await user.object(bucket, 'PUT', logo, 'x');
    await world.apply('CloudObjectACL', 'first', spec);
    await world.ready('CloudObjectACL', 'first');
    await world.clock.advance(5000);
    await world.apply('CloudObjectACL', 'second', { ...spec, acl: 'private' });
    await world.reason('CloudObjectACL', 'second', 'AlreadyClaimed');
    expect(await aclOf(logo)).toBe('public-read');
  });
  it('is for names with every sign, each in its place', async () => {
    const odd = 'a/../b?acl=1&name=c#d e%2Fü';
    await user.object(bucket, 'PUT', odd.replaceAll('..', 'x'), 'x');
    await world.apply('CloudObjectACL', 'odd', { ...spec, object: odd.replaceAll('..', 'x') });
    await world.ready('CloudObjectACL', 'odd');
    expect(await aclOf(odd.replaceAll('..', 'x'))).toBe('public-read');
    expect(new Set(world.changes.filter(({ path }) => path.includes('acl')).map(({ path }) => path))).toEqual(
      new Set([`/object-storage/buckets/${bucket}/object-acl`]),
    );
  });
});

describe('a namespace that the bucket admits and that may not adopt', () => {
  const accountRef = { name: 'default', namespace: 'team-a' };
  it.each([
    ['by its id', { external: bucket }],
    ['by the name of its object', { name: 'assets' }],
    ['by its object in the other namespace', { name: 'assets', namespace: 'team-a' }],
  ])('opens nothing of it %s', async (_, bucketRef) => {
    await user.object(bucket, 'PUT', logo, 'x');
    const reads = world.emulator.control.requests().length;
    await world.apply('CloudObjectACL', 'logo', { ...spec, accountRef, bucketRef }, 'tenant');
    await world.reason('CloudObjectACL', 'logo', 'ReferenceNotReady', 600_000, 'tenant');
    await world.clock.advance(3_600_000);
    expect(await aclOf(logo)).toBe('private');
    expect(puts()).toBe(0);
    const asked = world.emulator.control
      .requests()
      .slice(reads)
      .filter(({ path, username }) => path.endsWith('/object-acl') && username === 'admin');
    expect(asked).toEqual([]);
  });
});
