import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { type RunningOperator, World } from '../../support/world/world.ts';

const [platform, tenant] = ['platform', 'team-b'];
const accountRef = { name: 'default', namespace: platform };
const bucket = { accountRef, cluster: 'eu-central-1', label: 'prod-assets' };
const path = '/object-storage/buckets/eu-central-1/prod-assets';
const hour = 3_600_000;
let world: World;
let operator: RunningOperator;
const user = () => new CloudUser(world);
const annotate = (annotations: Record<string, string | null>) => world.patch('CloudBucket', 'mine', { metadata: { annotations } }, tenant);
/** Somebody else has a bucket of the name: made by hand, so that no object tells whose it is. */
async function madeAnew(): Promise<void> {
  await user().delete(path);
  await user().post('/object-storage/buckets', { label: 'prod-assets', cluster: 'eu-central-1' });
}
const heldBack = {
  paused: () => annotate({ 'cloudhosting.dev/pause': 'true' }),
  going: async () => {
    await world.patch('CloudBucket', 'mine', { spec: { lifecycle: { protect: true } } }, tenant);
    await world.clock.advance(5000);
    await world.delete('CloudBucket', 'mine', tenant);
  },
};
const key = (name: string) =>
  world.apply('CloudObjectKey', name, { accountRef, bucketAccess: [{ bucketRef: { name: 'mine' }, permissions: 'read_write' }] }, tenant);
const url = (name: string) => world.apply('CloudObjectURL', name, { accountRef, bucketRef: { name: 'mine' }, object: 'a.txt' }, tenant);
const signed = (): number => changesOf(world).filter((call) => call.endsWith('/object-url')).length;
const reads = (): number =>
  world.emulator.control.requests().filter((one) => one.method === 'GET' && one.path === path && one.username === 'admin').length;
const renewsIn = async (): Promise<number> => {
  const { status = {} } = await world.get('CloudObjectURL', 'old', tenant);
  const { at } = status['issued'] as { readonly at: string };
  return Date.parse(at) + (hour * 2) / 3 - world.clock.now();
};
const rows = () => world.emulator.control.rows('buckets');
const posts = (): number => changesOf(world).filter((call) => call === 'POST /object-storage/buckets').length;
const why = async (kind: string, name: string): Promise<string> =>
  (await world.reason(kind, name, 'ReferenceNotReady', 60_000, tenant)).message;

beforeEach(async () => {
  world = await World.create();
  for (const name of [platform, tenant]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [tenant] }] }, platform);
  operator = await world.start();
  await world.apply('CloudBucket', 'mine', bucket, tenant);
  await world.ready('CloudBucket', 'mine', hour, tenant);
});

describe.each(['paused', 'going'] as const)('a bucket whose object is %s, at whose name somebody else made another', (held) => {
  beforeEach(async () => {
    await heldBack[held]();
    await world.clock.advance(60_000);
  });
  it.each([
    ['key', 'CloudObjectKey', key],
    ['signed address', 'CloudObjectURL', url],
  ] as const)('is opened by no %s of that team, also after a restart', async (_, kind, apply) => {
    await madeAnew();
    const before = changesOf(world).length;
    await apply('early');
    expect(await why(kind, 'early')).toContain('was made anew');
    operator.kill();
    operator = await world.start();
    await world.clock.advance(hour / 2);
    await apply('late');
    expect(await why(kind, 'late')).toContain('was made anew');
    await world.clock.advance(hour);
    expect(changesOf(world).slice(before)).toEqual([]);
  });
  it('that is gone and not made anew is named to nobody, or its key would open what comes', async () => {
    await user().delete(path);
    const before = changesOf(world).length;
    await key('early');
    expect(await why('CloudObjectKey', 'early')).toContain('is not in the account as its status has it');
    expect(changesOf(world).slice(before)).toEqual([]);
  });
  it('that is still there is opened as before', async () => {
    await key('own');
    await world.ready('CloudObjectKey', 'own', 60_000, tenant);
  });
});

it('a bucket that was made anew since the last look is opened by no key either', async () => {
  await world.clock.advance(hour);
  await madeAnew();
  await key('early');
  expect(await why('CloudObjectKey', 'early')).toContain('was made anew');
});

describe('a signed address at rest, whose time to be renewed comes', () => {
  beforeEach(async () => {
    await url('old');
    await world.ready('CloudObjectURL', 'old', hour, tenant);
  });

  it('is not renewed for a bucket that was made anew since the last sweep, and says so', async () => {
    // No list shows it before.
    world.emulator.control.setKnobs({ listLagSeconds: 600 });
    await world.clock.advance((await renewsIn()) - 30_000);
    await madeAnew();
    const before = signed();
    await world.clock.advance(120_000);
    // The look also tells the bucket's own object, which has none by then.
    expect(await why('CloudObjectURL', 'old')).toContain('spec.bucketRef: CloudBucket mine');
    await world.clock.advance(hour);
    expect(signed()).toBe(before);
    expect((await world.condition('CloudObjectURL', 'old', 'Ready', tenant))?.status).toBe('False');
  });
  it('is renewed for its own at the cost of one read, and costs none in between', async () => {
    await world.clock.advance(60_000);
    const [before, read] = [signed(), reads()];
    await world.clock.advance((await renewsIn()) - 30_000);
    expect([signed() - before, reads() - read]).toEqual([0, 0]);
    await world.clock.advance(60_000);
    expect([signed() - before, reads() - read]).toEqual([1, 1]);
  });
});

describe('the name of a bucket that is gone', () => {
  const rival = 'team-a';
  const theirs = { ...bucket, lifecycle: { onDelete: 'Delete' } };
  beforeEach(async () => {
    await world.patch('CloudAccount', 'default', { spec: { access: [{ namespaces: [tenant, rival] }] } }, platform);
    await world.clock.advance(60_000);
  });

  it.each(['paused', 'going', 'looked at'] as const)('is free for another team, while the object that had it is %s', async (held) => {
    if (held !== 'looked at') await heldBack[held]();
    await world.clock.advance(60_000);
    await user().delete(path);
    await world.clock.advance(hour / 2);
    await world.apply('CloudBucket', 'theirs', theirs, rival);
    await world.ready('CloudBucket', 'theirs', hour, rival);
    expect(posts()).toBe(2);
    operator.kill();
    const since = await world.condition('CloudBucket', 'theirs', 'Ready', rival);
    operator = await world.start();
    await world.clock.advance(hour);
    await world.ready('CloudBucket', 'theirs', 60_000, rival);
    expect(await world.condition('CloudBucket', 'theirs', 'Ready', rival)).toEqual(since);
    // Whatever becomes of the object that had it, it is theirs.
    if (held !== 'going') {
      const lifecycle = { onDelete: 'Delete', protect: false };
      const pause = { metadata: { annotations: { 'cloudhosting.dev/pause': null } } };
      await world.patch('CloudBucket', 'mine', { ...pause, spec: { acl: 'public-read', lifecycle } }, tenant);
      await world.clock.advance(hour / 2);
      await world.delete('CloudBucket', 'mine', tenant);
    }
    await world.gone('CloudBucket', 'mine', hour, tenant);
    await world.clock.advance(hour);
    await world.ready('CloudBucket', 'theirs', 60_000, rival);
    expect(changesOf(world).filter((call) => call.startsWith('DELETE') || call.includes('/access'))).toEqual([]);
    await world.delete('CloudBucket', 'theirs', rival);
    await world.gone('CloudBucket', 'theirs', hour, rival);
    expect(rows()).toEqual([]);
  });
  it('is not while it is there, though its object is paused and the account answers once that it is not', async () => {
    await heldBack.paused();
    await world.clock.advance(60_000);
    world.emulator.control.addFault({
      match: { method: 'GET', path, username: 'admin' },
      times: 1,
      effect: { kind: 'answer', status: 404, body: '{"errors":[{"reason":"Not found"}]}' },
    });
    await world.apply('CloudBucket', 'theirs', theirs, rival);
    await world.reason('CloudBucket', 'theirs', 'AlreadyClaimed', hour, rival);
    await world.delete('CloudBucket', 'theirs', rival);
    await world.gone('CloudBucket', 'theirs', hour, rival);
    expect(rows()).toHaveLength(1);
  });
});
