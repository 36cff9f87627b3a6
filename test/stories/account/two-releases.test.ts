import { beforeEach, describe, expect, it } from 'vitest';
import { type Release, type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.namespace('second');
  world.server.addUser('one', { name: 'one', groups: ['system:masters'] });
  world.server.addUser('two', { name: 'two', groups: ['system:masters'] });
  await world.account();
});
const first = (release: Partial<Release> = {}): RunningOperator => world.launch('one', release);
const second = (release: Partial<Release> = {}): RunningOperator => world.launch('two', { namespace: 'second', ...release });
const volumes = (): readonly unknown[] => world.emulator.control.rows('volumes');
const apply = (name: string): Promise<unknown> => world.apply('CloudVolume', name, { region: 'eu-central' });

/** Writes of objects, their status included, by who made them. */
const writers = (from: number, to = Infinity): readonly string[] => [
  ...new Set(
    world.server.ledger.writes.flatMap(({ at, user, group }) =>
      group === 'cloudhosting.dev' && user !== 'admin' && at >= from && at <= to ? [user] : [],
    ),
  ),
];
interface LeaseObject {
  readonly metadata: { readonly name: string; readonly ownerReferences?: readonly { readonly kind: string; readonly uid: string }[] };
  readonly spec?: { readonly holderIdentity?: string; readonly renewTime?: string };
}
async function leaseOf(name = 'default', namespace = 'team-a'): Promise<LeaseObject | undefined> {
  const { metadata } = await world.get('CloudAccount', name, namespace);
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/cloud-operator-${metadata['uid']}`;
  const { status, body } = await world.server.as('admin', 'GET', path);
  return status === 404 ? undefined : (body as unknown as LeaseObject);
}
const holder = async (): Promise<string | undefined> => (await leaseOf())?.spec?.holderIdentity;

describe('two releases without a selector', () => {
  it('serve an account one at a time: the other one touches none of its objects, and says who does', async () => {
    first();
    await world.ready('CloudAccount', 'default');
    for (const name of ['a', 'b', 'c']) await apply(name);
    second();
    await world.clock.advance(10 * 60_000);
    for (const name of ['a', 'b', 'c']) await world.ready('CloudVolume', name, 1000);
    expect(writers(0)).toEqual(['one']);
    expect(volumes()).toHaveLength(3);
    expect(await holder()).toBe('cloud-operator/cloud-operator');
    expect((await world.get('CloudAccount', 'default')).status?.['servedBy']).toBe('cloud-operator/cloud-operator');
    const { metadata } = await world.get('CloudAccount', 'default');
    expect((await leaseOf())?.metadata.ownerReferences).toMatchObject([{ kind: 'CloudAccount', uid: metadata['uid'] }]);
    const events = world.server.objects('/events') as unknown as { reason: string; message: string }[];
    const told = events.filter(({ reason }) => reason === 'AccountNotReady');
    expect(told.map(({ message }) => message).join()).toContain('cloud-operator/cloud-operator');
    expect(world.log.filter(({ identity, message }) => identity === 'operator-2' && message.includes('another release'))).toHaveLength(1);
  });

  it('started at once make each thing once, and patch no object of the other', async () => {
    for (let n = 0; n < 30; n += 1) await apply(`v${n}`);
    first();
    second();
    await world.clock.advance(60_000);
    for (let n = 0; n < 30; n += 1) await world.ready('CloudVolume', `v${n}`);
    expect(volumes()).toHaveLength(30);
    expect(writers(0)).toHaveLength(1);
  });

  it('hand over when the one that serves is stopped, and when it is killed', async () => {
    const one = first();
    await world.ready('CloudAccount', 'default');
    const two = second();
    await world.clock.advance(30_000);
    await one.operator.stop();
    await world.clock.runUntil(async () => (await holder()) === 'second/cloud-operator', 10_000);
    await apply('a');
    await world.ready('CloudVolume', 'a');
    first();
    await world.clock.advance(30_000);
    two.kill();
    await apply('b');
    await world.ready('CloudVolume', 'b', 90_000);
    expect(await holder()).toBe('cloud-operator/cloud-operator');
    expect(volumes()).toHaveLength(2);
  });

  it('go on once the one that serves has let its account go with its last object', async () => {
    first();
    second();
    await world.ready('CloudAccount', 'default');
    await apply('a');
    await world.ready('CloudVolume', 'a');
    await world.delete('CloudVolume', 'a');
    await world.delete('CloudAccount', 'default');
    await world.gone('CloudAccount', 'default');
    await world.clock.advance(5_000);
    const left = world.server.objects('coordination.k8s.io/leases') as unknown as LeaseObject[];
    expect(left.map(({ metadata }) => metadata.name)).toEqual(['cloud-operator', 'cloud-operator']);
  });
});

/** As `cloud-operator key export` and `key import` before the second release starts. */
async function oneKey(): Promise<void> {
  for (const namespace of ['cloud-operator', 'second'])
    await world.secret('cloud-operator-key', { key: Buffer.alloc(32, 7).toString('base64') }, namespace);
}
const label = (team: string): Promise<unknown> => world.patch('CloudAccount', 'default', { metadata: { labels: { release: team } } });

describe('two releases with selectors', () => {
  it('hand an account over when its label changes, and never both write', async () => {
    await label('one');
    first({ accountSelector: { release: 'one' } });
    second({ accountSelector: { release: 'two' } });
    await apply('a');
    await world.ready('CloudVolume', 'a');
    expect(await holder()).toBe('cloud-operator/cloud-operator');
    await label('two');
    const at = world.clock.now();
    await world.clock.runUntil(async () => (await holder()) === 'second/cloud-operator', 15_000);
    const taken = world.clock.now();
    await world.patch('CloudVolume', 'a', { spec: { sizeGiB: 40 } });
    await world.ready('CloudVolume', 'a');
    await apply('b');
    await world.ready('CloudVolume', 'b');
    expect(writers(at + 1000, taken - 1)).toEqual([]);
    expect(writers(taken)).toEqual(['two']);
    expect(volumes()).toHaveLength(2);
  });

  it('finish what was begun before the account is handed over', async () => {
    await oneKey();
    await label('one');
    first({ accountSelector: { release: 'one' } });
    second({ accountSelector: { release: 'two' } });
    await world.ready('CloudAccount', 'default');
    world.emulator.control.setKnobs({ latencyMilliseconds: 3000 });
    await apply('a');
    const posts = (): number => world.emulator.control.requests().filter(({ method }) => method === 'POST').length;
    await world.clock.advance(4000);
    await label('two');
    await world.clock.advance(60_000);
    await world.ready('CloudVolume', 'a');
    expect([posts(), volumes().length]).toEqual([1, 1]);
  });
});

describe('two releases with a key each', () => {
  it('show what the other one signed as what it is, and change nothing of it until its key is imported', async () => {
    await label('one');
    const one = first({ accountSelector: { release: 'one' } });
    await apply('a');
    await world.ready('CloudVolume', 'a');
    await one.operator.stop();
    // As a backup brings it: without status, only what was signed tells whose it is.
    await world.admin('PATCH', `${world.path('CloudVolume', 'team-a', 'a')}/status`, { status: null });
    const two = second();
    const { message } = await world.reason('CloudVolume', 'a', 'IdentityConflict');
    expect(message).toContain('cloud-operator key import');
    expect(volumes()).toHaveLength(1);
    const at = '/api/v1/namespaces/cloud-operator/secrets/cloud-operator-key';
    const { data } = (await world.admin('GET', at)) as unknown as { data: Record<string, string> };
    const { data: own } = (await world.admin('GET', at.replace('/cloud-operator/', '/second/'))) as unknown as {
      data: Record<string, string>;
    };
    await two.operator.stop();
    const both = { key: own['key'], 'previous-1': data['key'] };
    await world.admin('PATCH', at.replace('/cloud-operator/', '/second/'), { data: both });
    second();
    await world.ready('CloudVolume', 'a');
    expect(volumes()).toHaveLength(1);
  });
});

describe('replicas of one release', () => {
  it('take the account over at once, because its lease is held by the release', async () => {
    const one = first();
    await world.ready('CloudAccount', 'default');
    first();
    await world.clock.advance(10_000);
    one.kill();
    const begun = world.clock.monotonic();
    await world.apply('CloudDomain', 'zone', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
    await world.ready('CloudDomain', 'zone', 20_000);
    expect(world.clock.monotonic() - begun).toBeLessThanOrEqual(20_000);
    expect(await holder()).toBe('cloud-operator/cloud-operator');
  });

  it('renew without writing anything else', async () => {
    first();
    await world.ready('CloudAccount', 'default');
    await world.clock.advance(10 * 60_000);
    const before = (await leaseOf())?.spec?.renewTime;
    world.server.ledger.clear();
    await world.clock.advance(10 * 60_000);
    expect(world.server.ledger.writes.filter(({ resource }) => resource !== 'leases')).toEqual([]);
    expect((await leaseOf())?.spec?.renewTime).not.toBe(before);
  });
});

describe('a lease that cannot be renewed', () => {
  it('ends the work on its account before another release may begin, and the work begins again with it', async () => {
    first();
    await world.ready('CloudAccount', 'default');
    const { uid } = (await world.get('CloudAccount', 'default')).metadata;
    world.server.faults.add({ match: { path: new RegExp(`leases/cloud-operator-${uid}`) }, times: 40, action: { kind: 'lose' } });
    await world.clock.advance(60_000);
    await apply('a');
    await world.clock.advance(30_000);
    expect(volumes()).toEqual([]);
    await world.clock.advance(10 * 60_000);
    await world.ready('CloudVolume', 'a');
  });
});
