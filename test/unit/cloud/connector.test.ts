import { describe, expect, test } from 'vitest';
import { get, post, Sensitive } from '../../../src/resource/index.ts';
import { accountWorld, how, never, sent } from './account-world.ts';
import { settled } from './scripted.ts';

describe('open', () => {
  test('says who the token is, in neutral words', async () => {
    const { open } = accountWorld();
    const { connection } = await open();
    expect(connection.identity).toEqual({
      account: 'E1AF5EEC-526F-487D-B317EBEB34C87D71',
      user: 'admin',
      restricted: false,
      scopes: ['*'],
    });
    const narrow = await open({ token: new Sensitive('token-readonly') });
    expect(narrow.connection.identity.scopes).toContain('vms:read_only');
    expect(narrow.connection.report()['missingScopes']).toEqual([]);
  });

  test.each([
    ['a wrong token', { token: new Sensitive('wrong') }, 'Unauthorized'],
    ['an endpoint that nobody configured', { endpoint: 'elsewhere' }, 'Rejected'],
  ])('refuses %s', async (_, more, fault) => {
    await expect(accountWorld().open(more)).rejects.toMatchObject({ fault });
  });

  test('one connection per account, user and scopes, until the last lease is closed', async () => {
    const { open, clock, counted } = accountWorld();
    const [first, second, other, narrow] = [
      await open(),
      await open(),
      await open({ token: new Sensitive('token-other') }),
      await open({ token: new Sensitive('token-readonly') }),
    ];
    expect(second.connection).toBe(first.connection);
    expect(other.connection).not.toBe(first.connection);
    expect(narrow.connection).not.toBe(first.connection);
    other.close();
    narrow.close();
    first.close();
    await clock.advance(1000);
    counted();
    await clock.advance(60_000);
    expect(counted()).toEqual({ 'GET /account/events': 6 });
    second.close();
    second.close();
    await clock.advance(60_000);
    expect(counted()).toEqual({});
    expect((await open()).connection).not.toBe(first.connection);
  });

  test("knows the service's clock from the start, whatever the node's says", async () => {
    const { open, clock, emulator } = accountWorld();
    emulator.control.setClockSkew(600);
    for (const path of ['/account/events', '/regions', '/account/settings'])
      emulator.control.addFault({ match: { method: 'GET', path }, effect: { kind: 'hang' } });
    const { connection } = await open();
    expect(Math.abs(connection.apiNow() - clock.now() - 600_000)).toBeLessThanOrEqual(1000);
  });

  test('an idle account costs 360 event polls and about 20 other calls an hour', async () => {
    const { open, clock, counted } = accountWorld();
    await open();
    await clock.advance(3_600_000);
    counted();
    await clock.advance(3_600_000);
    const calls = counted();
    const sum = Object.values(calls).reduce((a, b) => a + b, 0);
    expect(calls['GET /account/events']).toBe(360);
    expect(sum).toBeLessThanOrEqual(400);
    expect(calls).toMatchObject({ 'GET /account': 4, 'GET /profile': 4, 'GET /regions': 1, 'GET /vm/types': 1, 'GET /images': 1 });
    // What no field is looked up in is not read.
    expect(calls).not.toHaveProperty('GET /vm/kernels');
  });
});

describe('a token', () => {
  test('is rotated to one of the same user, and to no other', async () => {
    const { open, clock, emulator } = accountWorld();
    emulator.control.setToken({ token: 'token-new', username: 'admin', scopes: '*' });
    const lease = await open();
    const { connection } = lease;
    emulator.control.revokeToken('token-admin');
    await expect(settled(clock, sent(connection, get('/volumes/1'), how))).rejects.toMatchObject({ fault: 'Unauthorized' });
    expect(connection.outage()).toMatchObject({ reason: 'Unauthorized' });
    await expect(settled(clock, lease.rotate(new Sensitive('token-other'), never))).rejects.toMatchObject({
      fault: 'Rejected',
      message: expect.stringContaining('leads to account'),
    });
    await expect(settled(clock, lease.rotate(new Sensitive('token-colleague'), never))).rejects.toMatchObject({
      fault: 'Rejected',
      message: expect.stringContaining('user colleague'),
    });
    await settled(clock, lease.rotate(new Sensitive('token-new'), never));
    expect(connection.outage()).toBeUndefined();
    await expect(settled(clock, sent(connection, get('/volumes/1'), how))).rejects.toMatchObject({ fault: 'NotFound' });
  });

  test('that is refused stops everything but probes, which end the trouble', async () => {
    const { open, clock, emulator, counted, changes } = accountWorld();
    const { connection } = await open();
    await clock.advance(1000);
    emulator.control.revokeToken('token-admin');
    await clock.advance(15_000);
    expect(connection.outage()).toMatchObject({ reason: 'Unauthorized', message: expect.stringContaining('Secret') });
    const before = changes();
    counted();
    await expect(sent(connection, get('/volumes'), how)).rejects.toMatchObject({ fault: 'Unauthorized' });
    await clock.advance(120_000);
    expect(Object.keys(counted())).toEqual(['GET /account']);
    emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: '*' });
    await clock.advance(600_000);
    expect(connection.outage()).toBeUndefined();
    expect(changes()).toBeGreaterThan(before);
  });

  test('that is refused does not stop those who have another one of the same user', async () => {
    const { open, clock, emulator } = accountWorld();
    emulator.control.setToken({ token: 'token-second', username: 'admin', scopes: '*' });
    const [first, second] = [await open(), await open({ token: new Sensitive('token-second') })];
    const { connection } = second;
    expect(first.connection).toBe(connection);
    emulator.control.revokeToken('token-admin');
    await clock.advance(15_000 + 10_000);
    expect(connection.outage()).toBeUndefined();
    await expect(settled(clock, sent(connection, get('/volumes/1'), how))).rejects.toMatchObject({ fault: 'NotFound' });
    emulator.control.revokeToken('token-second');
    await clock.advance(15_000);
    expect(connection.outage()).toMatchObject({ reason: 'Unauthorized' });
    emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: '*' });
    await clock.advance(1_300_000);
    expect(connection.outage()).toBeUndefined();
  });

  test('that is refused gets no further turn while another one is accepted', async () => {
    const { open, clock, emulator, calls } = accountWorld();
    emulator.control.setToken({ token: 'token-second', username: 'admin', scopes: '*' });
    await open();
    await open({ token: new Sensitive('token-second') });
    emulator.control.revokeToken('token-admin');
    await clock.advance(30_000);
    calls.splice(0);
    await clock.advance(2 * 3_600_000);
    expect(calls.length).toBeGreaterThan(700);
    expect(calls.filter(({ status }) => status === 401)).toEqual([]);
  });

  test('that is refused ends the way of those who brought it, and of nobody else', async () => {
    const { open, clock, emulator } = accountWorld();
    emulator.control.setToken({ token: 'token-second', username: 'admin', scopes: '*' });
    const [first, second] = [await open(), await open({ token: new Sensitive('token-second') })];
    emulator.control.revokeToken('token-admin');
    await clock.advance(25_000);
    expect([first.isRefused(), second.isRefused()]).toEqual([true, false]);
    first.close();
    await expect(open()).rejects.toMatchObject({ fault: 'Unauthorized' });
    emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: '*' });
    const again = await open();
    expect(again.connection).toBe(second.connection);
    expect([again.isRefused(), second.isRefused()]).toEqual([false, false]);
  });

  test('with other scopes is not shared with those who have the old ones', async () => {
    const { open, clock, emulator } = accountWorld();
    const [first, second] = [
      await open({ token: new Sensitive('token-readonly') }),
      await open({ token: new Sensitive('token-readonly') }),
    ];
    emulator.control.setToken({ token: 'token-wide', username: 'admin', scopes: '*' });
    expect(await settled(clock, first.rotate(new Sensitive('token-wide'), never))).toBe(false);
    expect(second.connection.identity.scopes).not.toContain('*');
    second.close();
    expect(await settled(clock, first.rotate(new Sensitive('token-wide'), never))).toBe(true);
    expect(first.connection.identity.scopes).toContain('*');
  });

  test('is not used any longer when those who brought it have gone', async () => {
    const { open, clock, emulator } = accountWorld();
    emulator.control.setToken({ token: 'token-second', username: 'admin', scopes: '*' });
    const [first, second] = [await open(), await open({ token: new Sensitive('token-second') })];
    first.close();
    emulator.control.revokeToken('token-admin');
    await expect(settled(clock, sent(second.connection, get('/volumes/1'), how))).rejects.toMatchObject({ fault: 'NotFound' });
  });

  test('that comes to lead to another account stops all writes', async () => {
    const { open, clock, emulator } = accountWorld();
    const { connection } = await open();
    emulator.control.setToken({ token: 'token-admin', username: 'other', scopes: '*' }, 'B2C04D11-93A7-4E0C-9F21D07A55E1C3B8');
    await clock.advance(901_000);
    expect(connection.outage()).toMatchObject({ reason: 'AccountMismatch', message: expect.stringContaining('B2C04D11') });
    await expect(sent(connection, post('/volumes', { label: 'a' }), how)).rejects.toMatchObject({ fault: 'Unauthorized' });
    emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: '*' });
    await clock.advance(600_000);
    expect(connection.outage()).toBeUndefined();
  });
});

describe('an outage', () => {
  test('shows after three silent calls, sends nothing but probes, and ends by itself', async () => {
    const { open, clock, dispatcher, emulator, counted } = accountWorld();
    const { connection } = await open();
    const fault = emulator.control.addFault({ match: {}, effect: { kind: 'html', status: 502 } });
    await clock.advance(40_000);
    expect(connection.outage()).toMatchObject({ reason: 'Unreachable' });
    await expect(connection.permit(post('/volumes', {}), how)).rejects.toMatchObject({ fault: 'Unavailable' });
    counted();
    await clock.advance(3_600_000);
    expect(Object.keys(counted())).toEqual(['GET /account']);
    emulator.control.removeFault(fault);
    await clock.advance(600_000);
    expect(connection.outage()).toBeUndefined();
    expect(dispatcher.inFlight).toBe(0);
  });

  test('one 503 of one route is no outage', async () => {
    const { open, clock, emulator } = accountWorld();
    const { connection } = await open();
    await clock.advance(1000);
    emulator.control.addFault({ match: { template: '/volumes/{volumeId}' }, effect: { kind: 'answer', status: 503 } });
    for (let n = 0; n < 5; n += 1) {
      await expect(settled(clock, sent(connection, get('/volumes/1'), how))).rejects.toMatchObject({ fault: 'Unavailable' });
    }
    expect(connection.outage()).toBeUndefined();
  });
});

describe('calls', () => {
  test('a permit can be given back, and a gate stops the call at the socket', async () => {
    const { open, clock, counted } = accountWorld();
    const { connection } = await open();
    await clock.advance(1000);
    counted();
    const given = await settled(clock, connection.permit(post('/volumes', {}), how));
    given.release();
    const gated = await settled(clock, connection.permit(post('/volumes', {}), how));
    await expect(gated.send(() => 'the intent is too old')).rejects.toMatchObject({ fault: 'Abandoned' });
    expect(counted()).toEqual({});
  });

  test('a listing is shared by all who accept it, and asked anew by those who do not', async () => {
    const { open, clock, counted } = accountWorld();
    const { connection } = await open();
    for (let n = 0; n < 3; n += 1) await settled(clock, sent(connection, post('/volumes', { label: `v${n}`, region: 'us-east' }), how));
    await clock.advance(3000);
    counted();
    const notBefore = clock.monotonic();
    const list = () => connection.list('/volumes', { ...how, notBefore });
    const listings = await settled(clock, Promise.all([list(), list(), list()]));
    expect(listings.map(({ rows }) => rows.length)).toEqual([3, 3, 3]);
    expect(counted()['GET /volumes']).toBe(1);
    await settled(clock, list());
    expect(counted()['GET /volumes']).toBeUndefined();
    await clock.advance(1);
    await settled(clock, connection.list('/volumes', { ...how, notBefore: clock.monotonic() }));
    expect(counted()['GET /volumes']).toBe(1);
  });

  test('the service clock is known to within the header of one second', async () => {
    const { open, emulator, clock } = accountWorld();
    emulator.control.setClockSkew(3600);
    const { connection } = await open();
    await clock.advance(30_123);
    const wrong = connection.apiNow() - (clock.now() + 3_600_000);
    expect(wrong).toBeLessThanOrEqual(0);
    expect(wrong).toBeGreaterThan(-1000);
  });
});
