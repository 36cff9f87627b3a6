import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
let colleague: CloudUser;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
  await world.account();
  await world.start();
  await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'shop-assets', lifecycle: { onDelete: 'Delete' } });
  await world.ready('CloudBucket', 'assets');
  await colleague.object('eu-central-1/shop-assets', 'PUT', 'a.txt', 'hello');
  await colleague.object('eu-central-1/shop-assets', 'PUT', 'b.txt', 'hello');
});
const bucketCalls = (): number => world.emulator.control.requests().filter(({ path }) => path.endsWith('/shop-assets')).length;

it('a bucket that is made anew after we deleted one of its name is looked up and deleted, though its answer was lost', async () => {
  for (const name of ['a.txt', 'b.txt']) await colleague.object('eu-central-1/shop-assets', 'DELETE', name);
  await world.clock.advance(360_000);
  await world.delete('CloudBucket', 'assets');
  await world.gone('CloudBucket', 'assets');
  world.emulator.control.addFault({ match: { method: 'POST', username: 'admin' }, times: 1, effect: { kind: 'lose-answer' } });
  await world.apply('CloudBucket', 'again', { cluster: 'eu-central-1', label: 'shop-assets', lifecycle: { onDelete: 'Delete' } });
  await world.reason('CloudBucket', 'again', 'UnknownOutcome');
  await world.delete('CloudBucket', 'again');
  await world.gone('CloudBucket', 'again');
  expect(world.emulator.control.objects().filter(({ collection, diedAt }) => collection === 'buckets' && diedAt === undefined)).toEqual([]);
});

it('a bucket that holds something is not replaced: it stalls with the count', async () => {
  await world.clock.advance(360_000);
  const lifecycle = { replace: 'Allow', approve: ['InPlace', 'Replace'] };
  await world.patch('CloudBucket', 'assets', { spec: { label: 'other-assets', lifecycle } });
  const { message } = await world.reason('CloudBucket', 'assets', 'Rejected');
  expect(message).toContain('cannot be replaced yet (spec.label): the bucket holds 2 objects');
  expect(world.emulator.control.requests().filter(({ method }) => method === 'DELETE')).toEqual([]);
  for (const name of ['a.txt', 'b.txt']) await colleague.object('eu-central-1/shop-assets', 'DELETE', name);
  expect((await world.ready('CloudBucket', 'assets', 3_700_000)).status).toMatchObject({ id: 'eu-central-1/other-assets' });
});

describe('deletion of a bucket that holds something', () => {
  beforeEach(async () => {
    // The sweep tells what the bucket holds now.
    await world.clock.advance(360_000);
    await world.delete('CloudBucket', 'assets');
  });

  it('stalls with the count and what to do, and asks the account rarely', async () => {
    const { message } = await world.reason('CloudBucket', 'assets', 'Rejected');
    expect(message).toContain('holds 2 objects');
    expect(message).toContain('Empty it, or set spec.lifecycle.onDelete: Retain');
    expect(await world.condition('CloudBucket', 'assets', 'Stalled')).toMatchObject({ status: 'True', reason: 'Rejected' });
    const before = bucketCalls();
    await world.clock.advance(3_600_000);
    expect(bucketCalls() - before).toBeLessThanOrEqual(3);
  });

  it('goes on at once when the object is touched after the bucket was emptied', async () => {
    await world.reason('CloudBucket', 'assets', 'Rejected');
    await world.clock.advance(15_000);
    for (const name of ['a.txt', 'b.txt']) await colleague.object('eu-central-1/shop-assets', 'DELETE', name);
    await world.patch('CloudBucket', 'assets', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });
    await world.gone('CloudBucket', 'assets', 15_000);
    expect(world.emulator.control.rows('buckets')).toEqual([]);
  });

  it('goes on by itself within the hour', async () => {
    await world.reason('CloudBucket', 'assets', 'Rejected');
    for (const name of ['a.txt', 'b.txt']) await colleague.object('eu-central-1/shop-assets', 'DELETE', name);
    await world.gone('CloudBucket', 'assets', 3_600_000);
    expect(world.emulator.control.rows('buckets')).toEqual([]);
  });

  it('lets go when the bucket may stay', async () => {
    await world.reason('CloudBucket', 'assets', 'Rejected');
    await world.patch('CloudBucket', 'assets', { spec: { lifecycle: { onDelete: 'Retain' } } });
    await world.gone('CloudBucket', 'assets', 15_000);
    expect(await colleague.get('/object-storage/buckets/eu-central-1/shop-assets')).toMatchObject({ objects: 2 });
  });
});

const sent = (): readonly string[] =>
  world.emulator.control
    .requests()
    .flatMap(({ method, path, username }) => (method === 'GET' || username !== 'admin' ? [] : [`${method} ${path}`]));

const annotate = (annotations: object) => world.patch('CloudBucket', 'assets', { metadata: { annotations } });

describe('another bucket of its name, made by hand while the object was paused', () => {
  const pause = 'cloudhosting.dev/pause';
  const at = '/object-storage/buckets/eu-central-1/shop-assets';
  async function another(): Promise<void> {
    await annotate({ [pause]: 'true' });
    await world.clock.advance(60_000);
    for (const name of ['a.txt', 'b.txt']) await colleague.object('eu-central-1/shop-assets', 'DELETE', name);
    await colleague.delete(at);
    await world.clock.advance(60_000);
    await colleague.post('/object-storage/buckets', { cluster: 'eu-central-1', label: 'shop-assets' });
    await world.clock.advance(600_000);
  }

  it.each(['by the same operator', 'after a restart'])('is neither changed nor named nor deleted, %s', async (how) => {
    await another();
    if (how === 'after a restart') await world.start();
    const before = sent().length;
    await annotate({ [pause]: null });
    const { message } = await world.reason('CloudBucket', 'assets', 'RemoteMissing', 3_600_000);
    expect(message).toContain(`${at} was made anew`);
    await world.patch('CloudBucket', 'assets', { spec: { acl: 'public-read-write' } });
    await world.apply('CloudObjectKey', 'spy', {
      label: 'spy',
      bucketAccess: [{ bucketRef: { name: 'assets' }, permissions: 'read_write' }],
    });
    await world.reason('CloudObjectKey', 'spy', 'ReferenceNotReady', 3_600_000);
    await world.clock.advance(3_600_000);
    await world.delete('CloudBucket', 'assets');
    await world.gone('CloudBucket', 'assets', 3_600_000);
    expect(sent().slice(before)).toEqual([]);
    expect(await colleague.get(at)).toMatchObject({ label: 'shop-assets' });
  });
  it('counts as its own where the operator made that', async () => {
    await world.patch('CloudBucket', 'assets', { spec: { lifecycle: { onMissing: 'Recreate' } } });
    for (const name of ['a.txt', 'b.txt']) await colleague.object('eu-central-1/shop-assets', 'DELETE', name);
    await world.clock.advance(360_000);
    await colleague.delete(at);
    await world.clock.runUntil(() => Promise.resolve(sent().filter((call) => call.startsWith('POST')).length === 2), 3_600_000);
    await world.clock.advance(600_000);
    await world.patch('CloudBucket', 'assets', { spec: { acl: 'public-read' } });
    await world.ready('CloudBucket', 'assets', 3_600_000);
    await world.delete('CloudBucket', 'assets');
    await world.gone('CloudBucket', 'assets', 3_600_000);
    expect(world.emulator.control.rows('buckets')).toEqual([]);
  });
});

it('that was adopted and let go says that the same manifest takes it up again, as its id is spelled with its place', async () => {
  await world.patch('CloudBucket', 'assets', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.delete('CloudBucket', 'assets');
  await world.gone('CloudBucket', 'assets');
  await world.apply('CloudBucket', 'taken', { cluster: 'eu-central-1', label: 'shop-assets', adopt: { id: 'eu-central-1/shop-assets' } });
  await world.ready('CloudBucket', 'taken');
  await world.delete('CloudBucket', 'taken');
  await world.gone('CloudBucket', 'taken');
  const events = world.server.objects('/events') as never as readonly {
    readonly reason: string;
    readonly message: string;
    readonly involvedObject: { readonly name: string };
  }[];
  const told = events.find(({ reason, involvedObject }) => reason === 'Retained' && involvedObject.name === 'taken');
  expect(told?.message).toContain('To have it back, apply the same manifest again');
});
