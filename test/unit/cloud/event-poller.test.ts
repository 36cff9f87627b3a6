import { describe, expect, test } from 'vitest';
import type { Connection, OpenOptions } from '../../../src/engine/ports/index.ts';
import { del, post, put, type Row } from '../../../src/resource/index.ts';
import { accountWorld, how, idOf, ownerOf, sent } from './account-world.ts';
import { settled } from './scripted.ts';

type Connected = ReturnType<typeof accountWorld> & { readonly connection: Connection };

async function connected(options: Parameters<typeof accountWorld>[0] = {}, more: Partial<OpenOptions> = {}): Promise<Connected> {
  const world = accountWorld(options);
  const { connection } = await world.open(more);
  await world.clock.advance(1000);
  return { ...world, connection };
}
/** Volumes that somebody else made, owned and settled; polls are slow again. */
async function owned(set: Connected, count: number): Promise<readonly string[]> {
  const paths: string[] = [];
  for (let n = 0; n < count; n += 1)
    paths.push(`/volumes/${idOf(await set.byColleague('POST', '/v4/volumes', { label: `v${n}`, region: 'us-east' }))}`);
  await set.clock.advance(120_000);
  paths.forEach((path, index) => {
    const owner = ownerOf('volume', `v${index}`, '/volumes');
    set.connection.cache.track(path, owner);
    set.connection.cache.requestSweep(owner);
  });
  await set.clock.advance(5000);
  reset(set);
  return paths;
}
const reset = (set: Connected): void => {
  set.counted();
  set.woken.length = 0;
};

describe('a change by somebody else', () => {
  test('is read by id and wakes its owner within the poll interval, and is named', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 3);
    await set.byColleague('PUT', `/v4${path}`, { label: 'renamed' });
    await set.clock.advance(10_100);
    expect(set.woken).toEqual(['CloudVolume/team/v0']);
    expect(set.counted()['GET /volumes/{id}']).toBe(1);
    expect(set.connection.cache.get(path)?.remote['label']).toBe('renamed');
    expect(set.connection.cache.actor(path)).toMatchObject({ user: 'colleague', action: 'volume_update' });
  });

  test('makes the polls fast for a minute', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    await set.byColleague('PUT', `/v4${path}`, { label: 'renamed' });
    await set.clock.advance(10_100);
    reset(set);
    await set.clock.advance(50_000);
    expect(set.counted()['GET /account/events']).toBe(25);
    await set.clock.advance(30_000);
    reset(set);
    await set.clock.advance(60_000);
    expect(set.counted()['GET /account/events']).toBe(6);
  });

  test('of many rows is read by one sweep', async () => {
    const set = await connected();
    const paths = await owned(set, 40);
    for (const path of paths) await set.byColleague('PUT', `/v4${path}`, { label: `x${path.split('/')[2]}` });
    await set.clock.advance(15_000);
    expect(new Set(set.woken).size).toBe(40);
    const calls = set.counted();
    expect(calls['GET /volumes']).toBe(1);
    expect(calls['GET /volumes/{id}'] ?? 0).toBeLessThanOrEqual(1);
  });

  test('of many rows that were made since the last sweep is read by one sweep too', async () => {
    // The first sweep is far away.
    const world = accountWorld({}, 60_000, () => 0.9);
    const { connection } = await world.open();
    const set: Connected = { ...world, connection };
    const { clock } = world;
    for (let n = 0; n < 6; n += 1) {
      const reply = await settled(clock, sent(connection, post('/volumes', { label: `v${n}`, region: 'us-east', size: 20 })));
      const path = `/volumes/${idOf(reply.body)}`;
      connection.cache.track(path, ownerOf('volume', `v${n}`, '/volumes'));
      connection.cache.put(path, reply.body as Row, reply);
    }
    await clock.advance(61_000);
    reset(set);
    expect(connection.cache.sweptAt('/volumes')).toBeUndefined();
    for (let n = 0; n < 6; n += 1) await set.byColleague('PUT', `/v4/volumes/${1000 + n}`, { label: `x${n}` });
    await clock.advance(15_000);
    expect(new Set(set.woken).size).toBe(6);
    const calls = set.counted();
    expect([calls['GET /volumes'], calls['GET /volumes/{id}']]).toEqual([1, 1]);
  });

  test('that deletes is known as such, and the owner is woken', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    await set.byColleague('DELETE', `/v4${path}`);
    await set.clock.advance(10_100);
    expect(set.woken).toEqual(['CloudVolume/team/v0']);
    expect(set.connection.cache.deletedByEvent(path)).toBe(true);
    expect(set.connection.cache.get(path)).toBeUndefined();
  });

  test('of what nobody owns costs nothing', async () => {
    const set = await connected();
    await owned(set, 1);
    await set.byColleague('POST', '/v4/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' });
    await set.clock.advance(30_000);
    expect(set.counted()).toEqual({ 'GET /account/events': 3 });
    expect(set.woken).toEqual([]);
  });

  test('below a parent lists the rows below it', async () => {
    const set = await connected();
    const domain = idOf(
      await set.byColleague('POST', '/v4/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' }),
    );
    const collection = `/domains/${domain}/records`;
    const record = idOf(await set.byColleague('POST', `/v4${collection}`, { type: 'A', name: 'a', target: '192.0.2.1' }));
    const owner = ownerOf('record', 'r', collection);
    set.connection.cache.track(`${collection}/${record}`, owner);
    set.connection.cache.requestSweep(owner);
    await set.clock.advance(120_000);
    reset(set);
    await set.byColleague('PUT', `/v4${collection}/${record}`, { target: '192.0.2.2' });
    await set.clock.advance(11_000);
    expect(set.woken).toEqual(['CloudDomainRecord/team/r']);
    expect(set.counted()['GET /domains/{id}/records']).toBe(1);
  });

  test('of the account itself, which names no entity, reads the account', async () => {
    const set = await connected();
    set.connection.cache.track('/account', ownerOf('account', 'default', '/account'));
    await set.clock.advance(60_000);
    reset(set);
    await set.byColleague('PUT', '/v4/account', { company: 'Other' });
    await set.clock.advance(10_100);
    expect(set.counted()['GET /account']).toBe(1);
    expect(set.woken).toEqual(['CloudAccount/team/default']);
  });
});

describe('our own change', () => {
  test('that is answered is not read again because of its event, once', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    const reply = await settled(set.clock, sent(set.connection, put(path, { label: 'ours' }), how));
    set.connection.cache.put(path, reply.body as Record<string, unknown>, reply);
    await set.clock.advance(30_000);
    expect(set.counted()).toEqual({ 'PUT /volumes/{id}': 1, 'GET /account/events': 3 });
    expect(set.connection.cache.actor(path)?.user).not.toBe('admin');
    await set.byColleague('PUT', `/v4${path}`, { label: 'theirs' });
    await set.clock.advance(10_100);
    expect(set.counted()['GET /volumes/{id}']).toBe(1);
  });

  test('by our user but not by us is seen', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    await set.emulator.control.actAs({ username: 'admin', method: 'PUT', path: `/v4${path}`, body: { label: 'byhand' } });
    await set.clock.advance(10_100);
    expect(set.woken).toEqual(['CloudVolume/team/v0']);
  });

  test('that runs as a job is polled fast and looked at once, at its end', async () => {
    const set = await connected();
    const reply = await settled(
      set.clock,
      sent(
        set.connection,
        post('/vm/instances', {
          region: 'us-east',
          type: 'g6-nanode-1',
          label: 'web',
          image: 'vm/debian11',
          root_pass: 'correct-Horse-battery-9',
        }),
        how,
      ),
    );
    const path = `/vm/instances/${idOf(reply.body)}`;
    set.connection.cache.put(path, reply.body as Record<string, unknown>, reply);
    set.connection.cache.track(path, ownerOf('instance', 'web', '/vm/instances'));
    set.connection.cache.expect(path, 1_800_000);
    await set.clock.advance(4000);
    expect(set.connection.cache.jobs(path).map(({ action }) => action)).toEqual(['vm_boot', 'vm_create']);
    await set.clock.runUntil(() => set.connection.cache.get(path)?.remote['status'] === 'running', 600_000);
    await set.clock.advance(10_000);
    expect(set.counted()['GET /vm/instances/{id}']).toBe(2);
    expect(set.woken).toContain('CloudInstance/team/web');
    expect(set.connection.cache.jobs(path)).toEqual([]);
  });

  test('to delete is not read again because of its event', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    await settled(set.clock, sent(set.connection, del(path), how));
    await set.clock.advance(30_000);
    expect(set.counted()['GET /volumes/{id}']).toBeUndefined();
    expect(set.connection.cache.deletedByEvent(path)).toBe(true);
  });
});

describe('waiting', () => {
  test('polls every 2 s, and ends by itself when nothing happens', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    set.connection.cache.expect(path, 1_800_000);
    await set.clock.advance(20_000);
    expect(set.counted()['GET /account/events']).toBeGreaterThanOrEqual(9);
    await set.clock.advance(60_000);
    reset(set);
    await set.clock.advance(60_000);
    expect(set.counted()['GET /account/events']).toBe(6);
  });

  test('that is asked for again and again ends with its first limit', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    for (let n = 0; n < 40; n += 1) {
      set.connection.cache.expect(path, 300_000);
      await set.clock.advance(15_000);
    }
    reset(set);
    set.connection.cache.expect(path, 300_000);
    await set.clock.advance(60_000);
    expect(set.counted()['GET /account/events']).toBeLessThanOrEqual(8);
  });

  test('for a job that hangs ends with the limit', async () => {
    const set = await connected();
    set.emulator.control.addFault({ match: {}, effect: { kind: 'job-hangs' } });
    const instance = await set.byColleague('POST', '/v4/vm/instances', { region: 'us-east', type: 'g6-nanode-1', label: 'web' });
    const path = `/vm/instances/${idOf(instance)}`;
    set.connection.cache.track(path, ownerOf('instance', 'web', '/vm/instances'));
    set.connection.cache.expect(path, 300_000);
    await set.clock.advance(290_000);
    reset(set);
    await set.clock.advance(8000);
    expect(set.counted()['GET /account/events']).toBe(4);
    await set.clock.advance(60_000);
    reset(set);
    await set.clock.advance(60_000);
    expect(set.counted()['GET /account/events']).toBe(6);
  });
});

describe('the cursor', () => {
  test('without one, the first poll starts at the newest event; it is shown at most once a minute', async () => {
    const set = await connected();
    const [path = ''] = await owned(set, 1);
    const shown = new Set<unknown>([set.connection.report()['eventCursor']]);
    for (let n = 0; n < 5; n += 1) {
      await set.byColleague('PUT', `/v4${path}`, { label: `n${n}` });
      await set.clock.advance(10_000);
      shown.add(set.connection.report()['eventCursor']);
    }
    expect(shown.size).toBeLessThanOrEqual(2);
    await set.clock.advance(120_000);
    expect(set.connection.report()['eventCursor']).toBe(Math.max(...set.emulator.control.rows('events').map(idOf)));
  });

  test('from a kept one, what happened meanwhile is looked at', async () => {
    const first = await connected();
    const [path = ''] = await owned(first, 1);
    const cursor = Number(first.connection.report()['eventCursor']);
    await first.byColleague('PUT', `/v4${path}`, { label: 'meanwhile' });
    const second = await settled(first.clock, first.open({ cursor }));
    expect(second.connection).toBe(first.connection);
    await first.clock.advance(10_100);
    expect(first.woken).toContain('CloudVolume/team/v0');
  });

  test('an event that appears late, below ids that were read, is not missed', async () => {
    const set = await connected();
    const [late = '', other = ''] = await owned(set, 2);
    set.emulator.control.addFault({
      match: { action: 'volume_update', entityId: Number(late.split('/')[2]) },
      effect: { kind: 'late', seconds: 25 },
    });
    await set.byColleague('PUT', `/v4${late}`, { label: 'late' });
    await set.byColleague('PUT', `/v4${other}`, { label: 'other' });
    await set.clock.advance(15_000);
    expect(set.woken).toEqual(['CloudVolume/team/v1']);
    await set.clock.advance(20_000);
    expect(set.woken).toContain('CloudVolume/team/v0');
  });
});

test('a token without the scope for events works by sweeps, and says so', async () => {
  const set = accountWorld();
  set.emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: 'account:read_only volumes:read_write' });
  const { connection } = await set.open();
  await set.clock.advance(1000);
  expect(connection.report()).toMatchObject({
    missingScopes: ['events:read_only'],
    eventsRefused: expect.stringContaining('events:read_only'),
  });
  expect(connection.outage()).toBeUndefined();
  set.counted();
  await set.clock.advance(3_600_000);
  expect(set.counted()['GET /account/events']).toBe(12);
});
