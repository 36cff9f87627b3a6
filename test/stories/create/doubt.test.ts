import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.ready('CloudAccount', 'default');
});
const volumes = (): { id: number; label: string }[] => world.emulator.control.rows('volumes') as never;
const posts = (): number =>
  world.emulator.control.requests().filter(({ method, username }) => method === 'POST' && username === 'admin').length;
const volume = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  region: 'eu-central',
  lifecycle: { onDelete: 'Delete' },
  ...more,
});
const made = (): number => world.emulator.control.objects().filter(({ collection }) => collection === 'volumes').length;
type Effect = Parameters<World['emulator']['control']['addFault']>[0]['effect'];
const spoil = (path: string, effect: Effect): number =>
  world.emulator.control.addFault({ match: { method: 'POST', path, username: 'admin' }, times: 1, effect });

describe('a create whose answer never came', () => {
  it('is not forgotten when a full replace drops the annotations', async () => {
    spoil('/volumes', { kind: 'commit-late', seconds: 30 });
    await world.apply('CloudVolume', 'data', volume());
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    const { metadata, ...rest } = await world.get('CloudVolume', 'data');
    await world.admin('PUT', world.path('CloudVolume', 'team-a', 'data'), { ...rest, metadata: { ...metadata, annotations: {} } });
    await world.ready('CloudVolume', 'data');
    expect(posts()).toBe(1);
    expect(volumes()).toHaveLength(1);
  });
  it('is found although the write before it took as long as it may', async () => {
    spoil('/volumes', { kind: 'commit-late', seconds: 55 });
    world.server.faults.add({
      match: { method: 'PATCH', path: /\/cloudvolumes\/data(\?|$)/ },
      nth: 1,
      action: { kind: 'delay-answer', by: 12_000 },
    });
    await world.apply('CloudVolume', 'data', volume());
    await world.ready('CloudVolume', 'data', 600_000);
    expect([posts(), made()]).toEqual([1, 1]);
  });
  it('sent once more tells of a deletion until when a second one is watched for, and not how long from a look that is long ago', async () => {
    spoil('/volumes', { kind: 'commit-late', seconds: 3600 });
    await world.apply('CloudVolume', 'data', volume());
    await world.ready('CloudVolume', 'data', 1_800_000);
    expect(posts()).toBe(2);
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(60_000);
    const told = async (): Promise<string> => (await world.condition('CloudVolume', 'data', 'Synced'))?.message ?? '';
    const first = await told();
    expect(first).toMatch(/is watched for a second one of it, .* goes once that was looked for after \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    await world.clock.advance(240_000);
    expect(await told()).toBe(first);
    await world.gone('CloudVolume', 'data', 1_800_000);
  });
  it('is not sent again when somebody spoils the annotation', async () => {
    spoil('/volumes', { kind: 'commit-late', seconds: 30 });
    await world.apply('CloudVolume', 'data', volume());
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/intent': 'spoilt' } } });
    await world.ready('CloudVolume', 'data');
    expect(posts()).toBe(1);
  });
  it('stays open when nothing readable is left of it, and says so', async () => {
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.clock.advance(1000);
    await world.apply('CloudVolume', 'data', volume());
    await world.patch('CloudVolume', 'data', {
      metadata: { annotations: { 'cloudhosting.dev/intent': 'spoilt' }, finalizers: ['cloudhosting.dev/remote'] },
    });
    await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
    expect((await world.reason('CloudVolume', 'data', 'IdentityConflict')).message).toContain('cloudhosting.dev/intent');
    await world.delete('CloudVolume', 'data');
    await world.clock.advance(120_000);
    expect(await world.find('CloudVolume', 'data')).toBeDefined();
    expect(posts()).toBe(0);
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/intent': null } } });
    await world.gone('CloudVolume', 'data');
  });
  it('is looked up under the name that it was sent with, and a new name begins anew', async () => {
    spoil('/volumes', { kind: 'lose-request' });
    spoil('/volumes', { kind: 'lose-answer' });
    await world.apply('CloudVolume', 'data', volume({ label: 'before' }));
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.patch('CloudVolume', 'data', { spec: { label: 'after' } });
    await world.ready('CloudVolume', 'data', 1_200_000);
    expect(volumes().map(({ label }) => label)).toEqual(['after']);
  });
  it('counts as ours when a second attempt is refused as its duplicate, as soon as it can be seen', async () => {
    world.emulator.control.setKnobs({ listLagSeconds: 300 });
    spoil('/domains', { kind: 'lose-answer' });
    await world.apply('CloudDomain', 'zone', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
    await world.ready('CloudDomain', 'zone', 700_000);
    expect(world.emulator.control.rows('domains')).toHaveLength(1);
  });
  it('is open for as long as listings are not whole', async () => {
    spoil('/volumes', { kind: 'lose-answer' });
    await world.apply('CloudVolume', 'data', volume());
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    const body = JSON.stringify({ data: [], page: 1, pages: 1, results: 7 });
    const fault = world.emulator.control.addFault({
      match: { method: 'GET', path: '/volumes', username: 'admin' },
      effect: { kind: 'answer', status: 200, body },
    });
    await world.clock.advance(1_200_000);
    expect(posts()).toBe(1);
    world.emulator.control.removeFault(fault);
    await world.ready('CloudVolume', 'data', 700_000);
    expect(posts()).toBe(1);
  });
  it('never gets us the zone that somebody made before, which may be adopted', async () => {
    const colleague = { username: 'colleague', method: 'POST', path: '/v4/domains' };
    await world.emulator.control.actAs({ ...colleague, body: { domain: 'example.com', type: 'master', soa_email: 'c@example.com' } });
    await world.clock.advance(600_000);
    spoil('/domains', { kind: 'lose-request' });
    const spec = { domain: 'example.com', type: 'master', soaEmail: 'a@example.com', lifecycle: { onDelete: 'Delete' } };
    await world.apply('CloudDomain', 'zone', spec);
    const { message } = await world.reason('CloudDomain', 'zone', 'AlreadyExists');
    const [row] = world.emulator.control.rows('domains') as unknown as { id: number; soa_email: string }[];
    expect(row).toMatchObject({ soa_email: 'c@example.com' });
    expect(message).toContain(`spec.adopt: {id: ${row?.id}}`);
    await world.apply('CloudDomain', 'zone', { ...spec, adopt: { id: row?.id } });
    expect((await world.ready('CloudDomain', 'zone')).status).toMatchObject({ origin: 'Adopted' });
  });
  it('never gets us the zone that somebody makes meanwhile, whose event nobody has seen', async () => {
    spoil('/domains', { kind: 'lose-request' });
    world.emulator.control.addFault({
      match: { method: 'GET', path: '/account/events', username: 'admin' },
      effect: { kind: 'answer', status: 200, body: '{"data":[],"page":1,"pages":1,"results":0}' },
    });
    await world.apply('CloudDomain', 'zone', {
      domain: 'ours.example',
      type: 'master',
      soaEmail: 'a@ours.example',
      lifecycle: { onDelete: 'Delete' },
    });
    await world.reason('CloudDomain', 'zone', 'UnknownOutcome');
    await world.emulator.control.actAs({
      username: 'colleague',
      method: 'POST',
      path: '/v4/domains',
      body: { domain: 'ours.example', type: 'master', soa_email: 'c@ours.example' },
    });
    await world.reason('CloudDomain', 'zone', 'AlreadyExists');
    await world.delete('CloudDomain', 'zone');
    await world.clock.advance(600_000);
    expect(world.emulator.control.rows('domains')).toHaveLength(1);
  });
  it('never gets us the bucket that somebody made since', async () => {
    spoil('/object-storage/buckets', { kind: 'lose-request' });
    await world.apply('CloudBucket', 'assets', { cluster: 'eu-central-1', label: 'shop-assets', lifecycle: { onDelete: 'Delete' } });
    await world.reason('CloudBucket', 'assets', 'UnknownOutcome');
    await world.clock.advance(90_000);
    const colleague = { username: 'colleague', method: 'POST', path: '/v4/object-storage/buckets' };
    await world.emulator.control.actAs({ ...colleague, body: { label: 'shop-assets', cluster: 'eu-central-1' } });
    await world.reason('CloudBucket', 'assets', 'AlreadyExists');
    await world.delete('CloudBucket', 'assets');
    await world.gone('CloudBucket', 'assets');
    expect(
      world.emulator.control.objects().filter(({ collection, diedAt }) => collection === 'buckets' && diedAt === undefined),
    ).toHaveLength(1);
  });
  it.each(['goes on', 'is killed'])('keeps another object of the same name waiting, also when the operator %s', async (fate) => {
    world.emulator.control.setKnobs({ listLagSeconds: 60 });
    spoil('/volumes', { kind: 'lose-answer' });
    await world.apply('CloudVolume', 'data', volume({ label: 'same' }));
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    if (fate === 'is killed') {
      operator.kill();
      await world.start();
    }
    await world.apply('CloudVolume', 'second', volume({ label: 'same' }));
    expect((await world.reason('CloudVolume', 'second', 'Busy')).message).toContain('CloudVolume team-a/data');
    await world.ready('CloudVolume', 'data');
    await world.reason('CloudVolume', 'second', 'AlreadyClaimed');
    expect(volumes()).toHaveLength(1);
  });
  it('is looked up under an account that is only read by now', async () => {
    spoil('/volumes', { kind: 'lose-answer' });
    await world.apply('CloudVolume', 'data', volume());
    await world.reason('CloudVolume', 'data', 'UnknownOutcome');
    await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
    await world.ready('CloudVolume', 'data');
    expect(posts()).toBe(1);
  });
  it('is sent ever more rarely, and in the end only when a person asks', async () => {
    const fault = world.emulator.control.addFault({
      match: { method: 'POST', path: '/volumes', username: 'admin' },
      effect: { kind: 'lose-request' },
    });
    await world.apply('CloudVolume', 'data', volume());
    await world.clock.advance(4 * 3_600_000);
    expect(posts()).toBe(6);
    expect((await world.condition('CloudVolume', 'data', 'Stalled'))?.message).toContain('cloudhosting.dev/reconcile-at');
    world.emulator.control.removeFault(fault);
    await world.clock.advance(3_600_000);
    expect(posts()).toBe(6);
    await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/reconcile-at': 'now' } } });
    await world.ready('CloudVolume', 'data');
    expect(posts()).toBe(7);
  });
});

/** The first comes about half a minute after the second was sent, however long that took. */
async function firstComesLate(): Promise<void> {
  spoil('/volumes', { kind: 'lose-request' });
  await world.clock.runUntil(() => Promise.resolve(posts() === 1), 60_000);
  const [sent] = world.emulator.control.requests().filter(({ method, username }) => method === 'POST' && username === 'admin');
  await world.clock.runUntil(() => Promise.resolve(posts() === 2), 600_000);
  const body: unknown = JSON.parse(sent?.body ?? '');
  world.clock.after(30_000, () => void world.emulator.control.actAs({ username: 'admin', method: 'POST', path: '/v4/volumes', body }));
}

describe('a second attempt', () => {
  it('leaves no twin behind when the object is deleted at once', async () => {
    await world.apply('CloudVolume', 'data', volume());
    await firstComesLate();
    await world.ready('CloudVolume', 'data', 20_000);
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data', 1_800_000);
    await world.clock.advance(600_000);
    expect(made()).toBe(2);
    expect(volumes()).toEqual([]);
  });
  it('is not taken for a twin when somebody else made the like of it, even to the label', async () => {
    spoil('/volumes', { kind: 'lose-request' });
    await world.apply('CloudVolume', 'data', volume());
    await world.ready('CloudVolume', 'data', 275_000);
    const [ours] = volumes();
    const body = { label: ours?.label, region: 'eu-central', size: 20 };
    await world.emulator.control.actAs({ username: 'colleague', method: 'POST', path: '/v4/volumes', body });
    await world.clock.advance(1_200_000);
    expect(volumes()).toHaveLength(2);
  });
  it('of which both came about leaves nothing when its object is deleted', async () => {
    await world.apply('CloudVolume', 'data', volume());
    const late = firstComesLate();
    await world.clock.runUntil(() => Promise.resolve(posts() === 1), 60_000);
    spoil('/volumes', { kind: 'lose-answer' });
    await late;
    await world.delete('CloudVolume', 'data');
    await world.gone('CloudVolume', 'data', 1_800_000);
    await world.clock.advance(600_000);
    expect(made()).toBe(2);
    expect(volumes()).toEqual([]);
  });
  it.each(['Delete', 'Retain'])(
    'is left alone while the account is only read, whatever becomes of its object (onDelete %s)',
    async (onDelete) => {
      const deletes = () => world.emulator.control.requests().filter(({ method }) => method === 'DELETE');
      await world.apply('CloudVolume', 'data', volume({ lifecycle: { onDelete } }));
      await firstComesLate();
      await world.ready('CloudVolume', 'data', 20_000);
      await world.patch('CloudAccount', 'default', { spec: { mode: 'ReadOnly' } });
      await world.delete('CloudVolume', 'data');
      await world.clock.advance(1_800_000);
      expect(deletes()).toEqual([]);
      expect(await world.condition('CloudVolume', 'data', 'Synced')).toMatchObject({ reason: 'ReadOnly' });
      await world.patch('CloudAccount', 'default', { spec: { mode: 'Manage' } });
      await world.gone('CloudVolume', 'data', 1_800_000);
      expect(volumes()).toHaveLength(onDelete === 'Retain' ? 1 : 0);
    },
  );
});
