import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

// team-b had a bucket, and kept the key to it. team-a comes to have one of that name.
const [platform, victim, tenant] = ['platform', 'team-a', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const bucket = { accountRef, cluster: 'eu-central-1', label: 'prod-invoices', lifecycle: { onDelete: 'Delete' } };
const grant = { cluster: 'eu-central-1', bucket_name: 'prod-invoices', permissions: 'read_write' };
const [buckets, keys] = ['/object-storage/buckets', '/object-storage/keys'];
const hour = 3_600_000;
let world: World;
let operator: RunningOperator;
const user = () => new CloudUser(world);
const make = (name: string, namespace: string, more: object = {}) => world.apply('CloudBucket', name, { ...bucket, ...more }, namespace);
const madeBy = async (namespace: string, more: object = {}): Promise<void> => {
  await make('invoices', namespace, more);
  await world.ready('CloudBucket', 'invoices', hour, namespace);
};
const labels = () => (world.emulator.control.rows('buckets') as unknown as { label: string }[]).map(({ label }) => label);
const posts = (): number => changesOf(world).filter((call) => call === `POST ${buckets}`).length;
const why = async (reason: 'AlreadyClaimed' | 'AlreadyExists'): Promise<string> =>
  (await world.reason('CloudBucket', 'invoices', reason, 60_000, victim)).message;

/** A key of the name outlives the bucket for which it was made. */
async function keyIsKept(onDelete: 'Delete' | 'Retain' = 'Delete'): Promise<void> {
  await make('old', tenant);
  await world.ready('CloudBucket', 'old', hour, tenant);
  const bucketAccess = [{ bucketRef: { name: 'old' }, permissions: 'read_write' }];
  await world.apply('CloudObjectKey', 'kept', { accountRef, bucketAccess, lifecycle: { onDelete } }, tenant);
  await world.ready('CloudObjectKey', 'kept', hour, tenant);
  await world.delete('CloudBucket', 'old', tenant);
  await world.gone('CloudBucket', 'old', hour, tenant);
  expect(labels()).toEqual([]);
}
async function keyByHand(): Promise<string> {
  const { cluster, label } = bucket;
  await user().post(buckets, { cluster, label });
  const { id } = await user().post(keys, { label: 'by-hand', bucket_access: [grant] });
  await user().delete(`${buckets}/${cluster}/${label}`);
  return `${keys}/${String(id)}`;
}

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim, tenant] }] }, platform);
  operator = await world.start();
  await world.ready('CloudAccount', 'default', 60_000, platform);
});

describe('a bucket that a kept key of another namespace would open', () => {
  it('is not made before that key is gone, also after a restart, and then at once', async () => {
    await keyIsKept();
    const before = posts();
    await make('invoices', victim);
    const message = await why('AlreadyClaimed');
    expect(message).toContain('an access key that would open it is in this account, and another namespace has it');
    expect(message).not.toMatch(/kept|team-b/);
    operator.kill();
    operator = await world.start();
    await world.clock.advance(hour);
    await why('AlreadyClaimed');
    expect([labels(), posts() - before]).toEqual([[], 0]);
    await world.delete('CloudObjectKey', 'kept', tenant);
    await world.ready('CloudBucket', 'invoices', 60_000, victim);
  });
  it('is not made either once that namespace lets go of the key, and why says what to do', async () => {
    await keyIsKept('Retain');
    await make('invoices', victim);
    await why('AlreadyClaimed');
    await world.delete('CloudObjectKey', 'kept', tenant);
    await world.gone('CloudObjectKey', 'kept', hour, tenant);
    const message = await why('AlreadyExists');
    expect(message).toContain('an access key that would open it is in this account, and no object of namespace team-a has it');
    expect(message).toContain(`ask the owner of CloudAccount ${platform}/default`);
    const { out } = await cloud(world, `why -n ${victim} cbkt/invoices`, { limit: 600_000 });
    expect(out).toContain(`\n  kubectl -n ${victim} delete cloudbucket invoices\n`);
    const [{ id } = { id: 0 }] = world.emulator.control.rows('object keys') as unknown as { id: number }[];
    await user().delete(`${keys}/${id}`);
    await cloud(world, `reconcile -n ${victim} cbkt/invoices`);
    await world.ready('CloudBucket', 'invoices', 60_000, victim);
  });
  it('is made where its own object admits that namespace', async () => {
    await keyIsKept();
    await madeBy(victim, { allowedRefs: { namespaces: [tenant] } });
    expect(labels()).toEqual(['prod-invoices']);
  });
  it('is made where its namespace may adopt anything', async () => {
    await keyIsKept();
    await make('invoices', victim);
    await why('AlreadyClaimed');
    const access = [{ namespaces: [tenant] }, { namespaces: [victim], adopt: 'Any' }];
    await world.patch('CloudAccount', 'default', { spec: { access } }, platform);
    await world.ready('CloudBucket', 'invoices', hour, victim);
  });
  it('is made by the namespace that has the key', async () => {
    await keyIsKept();
    await madeBy(tenant);
    expect(labels()).toEqual(['prod-invoices']);
  });
  it('is made under another name, or in another cluster', async () => {
    await keyIsKept();
    await make('invoices', victim, { label: 'prod-invoices2' });
    await make('elsewhere', victim, { cluster: 'ap-south-1' });
    for (const name of ['invoices', 'elsewhere']) await world.ready('CloudBucket', name, hour, victim);
  });
});

describe('a bucket that a key which no object has would open', () => {
  it('is not made before that is gone', async () => {
    const key = await keyByHand();
    await make('invoices', victim);
    expect(await why('AlreadyExists')).not.toContain('by-hand');
    await world.clock.advance(hour);
    expect([labels(), posts()]).toEqual([[], 0]);
    await user().delete(key);
    await world.ready('CloudBucket', 'invoices', hour, victim);
  });
  it('is told of as one that is there, where it is', async () => {
    await keyByHand();
    const { cluster, label } = bucket;
    await user().post(buckets, { cluster, label });
    await make('invoices', victim);
    expect(await why('AlreadyExists')).toContain('"label":"prod-invoices"} exists in the account already');
  });
  it('is made where the key opens everything, as every bucket is', async () => {
    await user().post(keys, { label: 'whole-account' });
    await madeBy(victim);
    expect(labels()).toEqual(['prod-invoices']);
  });
});
