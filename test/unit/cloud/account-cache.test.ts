import { describe, expect, test } from 'vitest';
import type { Connection } from '../../../src/engine/ports/index.ts';
import { get, post, put } from '../../../src/resource/index.ts';
import { accountWorld, how, idOf, kinds, ownerOf, sent } from './account-world.ts';
import { settled } from './scripted.ts';

type Connected = ReturnType<typeof accountWorld> & { readonly connection: Connection };
const wait = { ...how, lane: 'wait' } as const;

async function connected(options: Parameters<typeof accountWorld>[0] = {}, listLag = 60_000): Promise<Connected> {
  const world = accountWorld(options, listLag);
  const { connection } = await world.open();
  await world.clock.advance(5000);
  return { ...world, connection };
}
async function volumes({ clock, byColleague }: Connected, count: number): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1)
    paths.push(`/volumes/${idOf(await byColleague('POST', '/v4/volumes', { label: `v${n}`, region: 'us-east' }))}`);
  await clock.advance(30_000);
  return paths;
}
const owner = (name: string) => ownerOf('volume', name, '/volumes');
const ownAll = ({ connection }: Connected, paths: readonly string[]): void =>
  paths.forEach((path, index) => {
    connection.cache.track(path, owner(`v${index}`));
    connection.cache.requestSweep(owner(`v${index}`));
  });

describe('sweeps', () => {
  test('a cold start of many objects costs its pages, and every owner is woken once', async () => {
    const set = await connected();
    const paths = await volumes(set, 600);
    set.counted();
    ownAll(set, paths);
    await set.clock.advance(1000);
    expect(set.counted()['GET /volumes']).toBe(2);
    expect(new Set(set.woken).size).toBe(600);
    expect(set.woken).toHaveLength(600);
    expect(set.connection.cache.get(paths[599] ?? '')).toMatchObject({ source: 'sweep', remote: { label: 'v599' } });
    expect(set.connection.cache.sweptAt('/volumes')).toBeGreaterThan(0);
  });

  test('an idle kind costs 12 calls per page an hour and wakes nobody', async () => {
    const set = await connected();
    ownAll(set, await volumes(set, 30));
    await set.clock.advance(600_000);
    set.counted();
    set.woken.length = 0;
    await set.clock.advance(3_600_000);
    const { 'GET /volumes': sweeps, ...others } = set.counted();
    expect(sweeps).toBe(12);
    expect(others['GET /volumes/{id}']).toBeUndefined();
    expect(set.woken).toEqual([]);
  });

  test('one that is asked for while another takes long is made after it, and they go on', async () => {
    const set = await connected();
    const paths = await volumes(set, 3);
    set.emulator.control.addFault({ match: { method: 'GET', path: '/volumes' }, times: 1, effect: { kind: 'delay', seconds: 10 } });
    ownAll(set, paths);
    await set.clock.advance(5000);
    set.connection.cache.requestSweep(owner('v0'));
    await set.clock.advance(30_000);
    expect(set.counted()['GET /volumes']).toBe(2);
    await set.clock.advance(3_600_000);
    expect(set.counted()['GET /volumes']).toBe(12);
  });

  test('an owner that comes just after a sweep needs no call', async () => {
    const set = await connected();
    const [first = '', second = ''] = await volumes(set, 2);
    ownAll(set, [first]);
    await set.clock.advance(1000);
    set.counted();
    set.connection.cache.track(second, owner('v1'));
    expect(set.connection.cache.get(second)).toMatchObject({ remote: { label: 'v1' } });
    await set.clock.advance(60_000);
    expect(set.counted()['GET /volumes']).toBeUndefined();
  });

  test('a change without an event is found by the next sweep, and only its owner is woken', async () => {
    const set = await connected();
    const paths = await volumes(set, 3);
    ownAll(set, paths);
    await set.clock.advance(1000);
    set.woken.length = 0;
    set.emulator.control.edit({ collection: 'volumes', key: Number(paths[1]?.split('/')[2]), row: { status: 'offline' } });
    await set.clock.advance(301_000);
    expect(set.woken).toEqual(['CloudVolume/team/v1']);
    expect(set.connection.cache.get(paths[1] ?? '')?.remote['status']).toBe('offline');
  });

  test('what a sweep finds is told when the event that names who did it has been read, or after five seconds without events', async () => {
    const world = accountWorld();
    const told: (string | undefined)[] = [];
    const wake = (): void => void told.push(connection.cache.actor(path)?.action);
    const { connection } = await world.open({ pollInterval: 3_600_000, wake });
    const [path = ''] = await volumes({ ...world, connection }, 1);
    connection.cache.track(path, owner('v0'));
    connection.cache.requestSweep(owner('v0'));
    await world.clock.advance(61_000);
    told.length = 0;
    await world.byColleague('PUT', `/v4${path}`, { label: 'theirs' });
    await world.clock.advance(301_000);
    expect([...new Set(told)]).toEqual(['volume_update']);
    told.length = 0;
    world.emulator.control.addFault({ match: { template: '/account/events' }, effect: { kind: 'delay', seconds: 20 } });
    world.counted();
    await world.byColleague('PUT', `/v4${path}`, { label: 'theirs-again' });
    let swept = false;
    for (let second = 0; second < 301 && !swept; second += 1) {
      await world.clock.advance(1000);
      swept = world.counted()['GET /volumes'] !== undefined;
    }
    expect([swept, told]).toEqual([true, []]);
    await world.clock.advance(6000);
    expect(told).toHaveLength(1);
  });

  test('a row that vanished is forgotten and its owner woken', async () => {
    const set = await connected();
    const paths = await volumes(set, 3);
    ownAll(set, paths);
    await set.clock.advance(1000);
    set.woken.length = 0;
    set.emulator.control.addFault({ match: {}, effect: { kind: 'lost' } });
    await set.byColleague('DELETE', `/v4${paths[2]}`);
    await set.clock.advance(301_000);
    expect(set.woken).toEqual(['CloudVolume/team/v2']);
    expect(set.connection.cache.get(paths[2] ?? '')).toBeUndefined();
  });

  test('after the last owner nothing is swept any more', async () => {
    const set = await connected();
    const paths = await volumes(set, 2);
    ownAll(set, paths);
    await set.clock.advance(1000);
    for (const path of paths) set.connection.cache.untrack(path);
    set.counted();
    await set.clock.advance(600_000);
    expect(set.counted()['GET /volumes']).toBeUndefined();
  });

  test('where listing is refused the owners are sent to read by id', async () => {
    const set = await connected();
    const [path = ''] = await volumes(set, 1);
    set.emulator.control.addFault({ match: { template: '/volumes' }, effect: { kind: 'answer', status: 403 } });
    ownAll(set, [path]);
    await set.clock.advance(1000);
    expect(set.woken).toEqual(['CloudVolume/team/v0']);
    expect(set.connection.cache.sweptAt('/volumes')).toBeGreaterThan(0);
  });
});

describe('freshness', () => {
  test('the answer of our own change counts until a listing was requested later than the list lag', async () => {
    const set = await connected({ knobs: { listLagSeconds: 60 } });
    const paths = await volumes(set, 1);
    const [path = ''] = paths;
    await set.clock.advance(61_000);
    ownAll(set, paths);
    await set.clock.advance(1000);
    const { cache } = set.connection;
    const reply = await settled(set.clock, sent(set.connection, put(path, { label: 'renamed' }), how));
    cache.put(path, reply.body as Record<string, unknown>, reply);
    set.woken.length = 0;
    cache.requestSweep(owner('v0'));
    await set.clock.advance(55_000);
    expect(set.woken).toContain('CloudVolume/team/v0');
    expect(cache.get(path)).toMatchObject({ source: 'answer', remote: { label: 'renamed' } });
    await set.clock.advance(300_000);
    expect(cache.get(path)).toMatchObject({ source: 'sweep', remote: { label: 'renamed' } });
  });

  test('what was read before a change of ours does not count after it', async () => {
    const set = await connected();
    const [path = ''] = await volumes(set, 1);
    const { cache } = set.connection;
    cache.track(path, owner('v0'));
    await settled(set.clock, cache.read(path, kinds.volume, wait));
    const reply = await settled(set.clock, sent(set.connection, put(path, { label: 'renamed' }), how));
    cache.written(path, reply);
    expect(cache.get(path)).toBeUndefined();
    expect(await settled(set.clock, cache.read(path, kinds.volume, wait))).toMatchObject({ source: 'item', remote: { label: 'renamed' } });
  });

  test('a dropped row does not come back from a listing that was requested before', async () => {
    const set = await connected({ knobs: { listLagSeconds: 30 } });
    const paths = await volumes(set, 2);
    const [path = ''] = paths;
    await set.clock.advance(61_000);
    ownAll(set, paths);
    await set.clock.advance(1000);
    const { cache } = set.connection;
    await set.byColleague('DELETE', `/v4${path}`);
    cache.invalidate(path);
    cache.requestSweep(owner('v1'));
    await set.clock.advance(20_000);
    expect(cache.get(path)).toBeUndefined();
  });
});

describe('reads', () => {
  test('are shared by all who ask at the same time, and 404 is undefined', async () => {
    const set = await connected();
    const [path = ''] = await volumes(set, 1);
    set.counted();
    const { cache } = set.connection;
    const seen = await settled(
      set.clock,
      Promise.all([cache.read(path, kinds.volume, wait), cache.read(path, kinds.volume, wait), cache.read(path, kinds.volume, wait)]),
    );
    expect(seen.map((one) => one?.remote['label'])).toEqual(['v0', 'v0', 'v0']);
    expect(set.counted()).toEqual({ 'GET /volumes/{id}': 1 });
    expect(await settled(set.clock, cache.read('/volumes/999', kinds.volume, wait))).toBeUndefined();
  });

  test('one who goes away leaves the others their answer', async () => {
    const set = await connected();
    const [path = ''] = await volumes(set, 1);
    const abort = new AbortController();
    const gone = set.connection.cache.read(path, kinds.volume, { ...wait, signal: abort.signal });
    const stays = set.connection.cache.read(path, kinds.volume, wait);
    abort.abort();
    await expect(gone).rejects.toMatchObject({ fault: 'Abandoned' });
    expect(await settled(set.clock, stays)).toMatchObject({ remote: { label: 'v0' } });
  });
});

describe('an item that is read out of its list', () => {
  test('is found there, and what a complete list lacks is not there; the item itself is never asked for', async () => {
    const set = await connected();
    const [path = ''] = await volumes(set, 2);
    const { cache } = set.connection;
    set.counted();
    const seen = await settled(
      set.clock,
      Promise.all([cache.read(path, kinds.listedVolume, wait), cache.read(path, kinds.listedVolume, wait)]),
    );
    expect(seen.map((one) => one?.remote['label'])).toEqual(['v0', 'v0']);
    await set.clock.advance(1);
    expect(await settled(set.clock, cache.read('/volumes/999', kinds.listedVolume, wait))).toBeUndefined();
    expect(set.counted()).toEqual({ 'GET /volumes': 2 });
  });

  test('counts for less than the answer of our last change while lists may lag', async () => {
    const set = await connected({ knobs: { listLagSeconds: 30 } });
    const [path = ''] = await volumes(set, 1);
    await set.clock.advance(61_000);
    const { cache } = set.connection;
    cache.track(path, ownerOf('listedVolume', 'v0', '/volumes'));
    const reply = await settled(set.clock, sent(set.connection, put(path, { label: 'renamed' }), how));
    cache.put(path, reply.body as Record<string, unknown>, reply);
    expect(await settled(set.clock, cache.read(path, kinds.listedVolume, wait))).toMatchObject({ remote: { label: 'renamed' } });
    await set.clock.advance(61_000);
    await set.byColleague('DELETE', `/v4${path}`);
    await set.clock.advance(31_000);
    expect(await settled(set.clock, cache.read(path, kinds.listedVolume, wait))).toBeUndefined();
  });
});

test('a collection of the whole platform is listed under the filter of its kind, sweeps and looks alike', async () => {
  const set = await connected();
  const script = { label: 'mine', images: ['any/all'], script: '#!/bin/sh' };
  const path = `/vm/stackscripts/${idOf(await set.byColleague('POST', '/v4/vm/stackscripts', script))}`;
  set.connection.cache.track(path, ownerOf('script', 's0', '/vm/stackscripts'));
  set.connection.cache.requestSweep(ownerOf('script', 's0', '/vm/stackscripts'));
  await set.clock.advance(1000);
  expect(set.connection.cache.get(path)).toMatchObject({ source: 'sweep', remote: { label: 'mine' } });
  expect(set.connection.report()['resources']).toContainEqual({ kind: 'CloudStackScript', managed: 1, unmanaged: 0 });
  const { rows } = await settled(set.clock, set.connection.list('/vm/stackscripts', { ...wait, notBefore: set.clock.monotonic() }));
  expect(rows.map(({ label }) => label)).toEqual(['mine']);
});

let domains = 0;
async function domain(set: Connected, records: number): Promise<string> {
  const { body } = await settled(
    set.clock,
    sent(set.connection, post('/domains', { domain: `d${(domains += 1)}.example.org`, type: 'master', soa_email: 'a@example.org' }), how),
  );
  const collection = `/domains/${idOf(body)}/records`;
  for (let n = 0; n < records; n += 1)
    await settled(set.clock, sent(set.connection, post(collection, { type: 'A', name: `a${n}`, target: '192.0.2.1' }), how));
  return collection;
}
const ownRecords = async (set: Connected, collection: string): Promise<readonly string[]> => {
  const { rows } = await settled(set.clock, set.connection.list(collection, { ...how, notBefore: set.clock.monotonic() }));
  const paths = rows.map((row) => `${collection}/${String(row['id'])}`);
  paths.forEach((path, index) => {
    set.connection.cache.track(path, ownerOf('record', `r${index}`, collection));
    set.connection.cache.requestSweep(ownerOf('record', `r${index}`, collection));
  });
  return paths;
};

describe('sub-collections', () => {
  test('of parents that we own are visited every 5 min, one call for all their rows', async () => {
    const set = await connected();
    const collection = await domain(set, 20);
    const paths = await ownRecords(set, collection);
    await set.clock.advance(120_000);
    expect(set.connection.cache.get(paths[7] ?? '')).toMatchObject({ remote: { target: '192.0.2.1' } });
    set.counted();
    await set.clock.advance(3_600_000);
    expect(set.counted()['GET /domains/{id}/records']).toBe(12);
  });

  test('all together stay below their cap, whatever there is to visit', async () => {
    const set = await connected();
    const collections: string[] = [];
    for (let n = 0; n < 80; n += 1) collections.push(await domain(set, 1));
    for (const collection of collections) await ownRecords(set, collection);
    await set.clock.advance(1_800_000);
    set.counted();
    await set.clock.advance(3_600_000);
    expect(set.counted()['GET /domains/{id}/records']).toBeLessThanOrEqual(601);
    expect(set.connection.report()['driftBoundSeconds']).toBe(300 + 80 * 6);
  });

  test('a parent that is gone takes its rows with it', async () => {
    const set = await connected();
    const collection = await domain(set, 2);
    const paths = await ownRecords(set, collection);
    await set.clock.advance(120_000);
    set.woken.length = 0;
    set.emulator.control.addFault({ match: {}, effect: { kind: 'lost' } });
    await set.byColleague('DELETE', `/v4${collection.replace('/records', '')}`);
    await set.clock.advance(301_000);
    expect(new Set(set.woken)).toEqual(new Set(['CloudDomainRecord/team/r0', 'CloudDomainRecord/team/r1']));
    expect(set.connection.cache.get(paths[0] ?? '')).toBeUndefined();
  });
});

test('a read of something nobody owns keeps the connection usable', async () => {
  const set = await connected();
  await expect(settled(set.clock, sent(set.connection, get('/volumes/1'), how))).rejects.toMatchObject({ fault: 'NotFound' });
  expect(set.connection.outage()).toBeUndefined();
});

test('a remote is there although it was read before our last change of it was answered', async () => {
  const set = await connected();
  const [path = ''] = await volumes(set, 1);
  set.connection.cache.track(path, owner('v0'));
  set.emulator.control.addFault({ match: { method: 'GET', path }, times: 1, effect: { kind: 'delay', seconds: 5 } });
  const reading = set.connection.cache.read(path, kinds.volume, how);
  await set.clock.advance(1000);
  const now = set.clock.monotonic();
  set.connection.cache.written(path, { body: {}, apiTime: set.clock.now(), requestedAt: now, answeredAt: now });
  expect(await settled(set.clock, reading)).toMatchObject({ remote: { label: 'v0' } });
  expect(set.connection.cache.get(path)).toBeUndefined();
});
