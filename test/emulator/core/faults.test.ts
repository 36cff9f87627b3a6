import { expect, test } from 'vitest';
import type { TestClient } from '../test-client.ts';
import { testClient } from '../test-client.ts';
import type { Effect } from './faults.ts';
import { ConnectionClosed, ConnectionRefused } from './http-message.ts';
import { probeAreas } from './probe-area.ts';

const create = { method: 'POST', template: '/vm/probes' };

function client(effect?: Effect, more: object = {}): TestClient {
  const api = testClient({ areas: probeAreas });
  if (effect !== undefined) api.emulator.control.addFault({ match: create, times: 1, effect, ...more });
  return api;
}

const post = (api: TestClient, label = 'alpha') => api.post('/vm/probes', { label });
const live = (api: TestClient) => api.emulator.control.rows('probes').length;

test.each([
  [{ kind: 'lose-request' }, 0],
  [{ kind: 'lose-answer' }, 1],
] as const)('%j breaks the connection', async (effect, rows) => {
  const api = client(effect);
  await expect(post(api)).rejects.toBeInstanceOf(ConnectionClosed);
  expect(live(api)).toBe(rows);
  expect(api.emulator.control.requests().at(-1)).toMatchObject({ status: 0, fault: effect.kind, changes: { length: rows } });
  expect((await post(api, 'beta')).status).toBe(200);
});

test('commit after the client gave up: the connection breaks, the row comes later and stands in the ledger', async () => {
  const api = client({ kind: 'commit-late', seconds: 40 });
  await expect(post(api)).rejects.toBeInstanceOf(ConnectionClosed);
  api.clock.advance(39_999);
  expect(live(api)).toBe(0);
  api.clock.advance(1);
  expect(live(api)).toBe(1);
  expect(api.emulator.control.requests()[0]?.changes).toMatchObject([{ collection: 'probes', key: 1, kind: 'insert' }]);
});

test('a refused connection: nothing is committed, nobody is heard until the time is over', async () => {
  const api = client({ kind: 'refuse', seconds: 30 });
  await expect(post(api)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expect(api.get('/account')).rejects.toBeInstanceOf(ConnectionRefused);
  api.clock.advance(29_999);
  await expect(post(api)).rejects.toBeInstanceOf(ConnectionRefused);
  expect(api.emulator.control.requests()).toMatchObject([{ status: 0, fault: 'refuse', changes: [] }]);
  api.clock.advance(1);
  expect([(await post(api)).status, live(api)]).toEqual([200, 1]);
});

test('no answer ever, until the client goes away', async () => {
  const api = client({ kind: 'hang', commit: true });
  const gone = new AbortController();
  const request = { method: 'POST', path: '/v4/vm/probes', headers: { authorization: 'Bearer token-admin' }, body: '{"label":"alpha"}' };
  const pending = api.emulator.handle({ ...request, signal: gone.signal });
  api.clock.advance(3_600_000);
  expect(live(api)).toBe(1);
  gone.abort();
  await expect(pending).rejects.toBeInstanceOf(ConnectionClosed);
});

test('delivered twice makes two, and answers the second', async () => {
  const api = client({ kind: 'twice' });
  expect([(await post(api)).body['id'], live(api)]).toEqual([2, 2]);
});

test.each([
  [true, 0],
  [false, 1],
])('a delay before the commit: %s', async (before, rows) => {
  const api = client({ kind: 'delay', seconds: 30, before });
  const pending = post(api);
  api.clock.advance(29_999);
  expect(live(api)).toBe(rows);
  api.clock.advance(1);
  expect((await pending).status).toBe(200);
});

test('any status, with the usual text or a given one, committed only when told', async () => {
  const api = client({ kind: 'answer', status: 408 });
  expect([(await post(api)).errors, live(api)]).toEqual([['Please try again'], 0]);
  api.emulator.control.addFault({
    match: create,
    times: 1,
    effect: { kind: 'answer', status: 500, body: '{"errors":[{"reason":"x"}]}', commit: true },
  });
  expect([(await post(api)).errors, live(api)]).toEqual([['x'], 1]);
  api.emulator.control.addFault({
    match: create,
    times: 1,
    effect: { kind: 'answer', status: 503, headers: { 'x-maintenance-mode': 'all', 'retry-after': '9' } },
  });
  expect((await post(api)).headers).toMatchObject({ 'x-maintenance-mode': 'all', 'retry-after': '9' });
});

const raw = async (effect: Effect) => {
  const { emulator, clock } = client(effect);
  const headers = { authorization: 'Bearer token-admin' };
  const answer = await emulator.handle({ method: 'POST', path: '/v4/vm/probes', headers, body: '{"label":"alpha"}' });
  if (typeof answer.body === 'string' || Buffer.isBuffer(answer.body)) return answer.body.toString();
  const pieces: string[] = [];
  for (const reader = answer.body[Symbol.asyncIterator](); ;) {
    const next = reader.next();
    clock.advance(5000);
    const { value, done } = await next;
    if (done === true) return pieces.join('|');
    pieces.push(String(value));
  }
};

test('an answer of a fault may lack the headers that all answers have', async () => {
  const api = testClient({ areas: probeAreas, knobs: { rateProfile: 'published-2026' } });
  api.emulator.control.addFault({ match: {}, times: 1, effect: { kind: 'answer', status: 429, headers: { 'retry-after': '' } } });
  const { status, headers } = await post(api);
  expect([status, headers['retry-after'], headers['x-ratelimit-limit']]).toEqual([429, undefined, '100']);
});

test('bodies: HTML, truncated, malformed, another type, a missing field, slow', async () => {
  expect(await raw({ kind: 'html', status: 502 })).toContain('<h1>502</h1>');
  const truncated = await raw({ kind: 'truncate' });
  expect(truncated).toMatch(/^\{"id":1/);
  expect(() => JSON.parse(truncated) as unknown).toThrow('JSON');
  expect(await raw({ kind: 'malformed' })).toMatch(/,\}$/);
  expect(JSON.parse(await raw({ kind: 'wrong-type', field: 'size' }))).toMatchObject({ size: 'unexpected 20' });
  expect(JSON.parse(await raw({ kind: 'missing-field', field: 'id' }))).not.toHaveProperty('id');
  const slow = await raw({ kind: 'slow-body', seconds: 20 });
  expect(slow.split('|')).toHaveLength(4);
  expect(JSON.parse(slow.replaceAll('|', ''))).toMatchObject({ label: 'alpha' });
  await expect(raw({ kind: 'close' })).rejects.toBeInstanceOf(ConnectionClosed);
});

test('faults of pages reach every row', async () => {
  const api = client();
  await post(api);
  api.emulator.control.addFault({ match: { method: 'GET', path: '/vm/probes' }, effect: { kind: 'missing-field', field: 'label' } });
  expect((await api.get('/vm/probes')).data).toMatchObject([{ id: 1 }]);
  expect((await api.get('/vm/probes')).data[0]).not.toHaveProperty('label');
});

const hits = async (seed: number) => {
  const seeded = testClient({ areas: probeAreas, seed });
  seeded.emulator.control.addFault({ match: {}, probability: 0.5, effect: { kind: 'answer', status: 500 } });
  const seen: number[] = [];
  for (let call = 0; call < 40; call += 1) seen.push((await seeded.get('/vm/probes')).status);
  return seen;
};

test('matchers: method, template, path, user; skip, times, probability by seed, removal', async () => {
  const api = client();
  const { control } = api.emulator;
  const id = control.addFault({ match: { ...create, username: 'colleague' }, effect: { kind: 'answer', status: 500 } });
  expect([(await post(api)).status, (await post(api.as('token-colleague'))).status]).toEqual([200, 500]);
  control.removeFault(id);
  control.addFault({ match: { path: '/vm/probes/1' }, skip: 1, times: 2, effect: { kind: 'answer', status: 503 } });
  const statuses: number[] = [];
  for (let call = 0; call < 5; call += 1) statuses.push((await api.get('/vm/probes/1')).status);
  expect(statuses).toEqual([200, 503, 503, 200, 200]);
  expect(control.faults()).toMatchObject([{ seen: 5, hits: 2 }]);
  control.clearFaults();
  const one = await hits(7);
  expect(one).toEqual(await hits(7));
  expect(one).not.toEqual(await hits(8));
  expect(one.filter((status) => status === 500).length).toBeGreaterThan(8);
});

test('a commit may come up to a minute after the receipt of any write', async () => {
  const api = testClient({ areas: probeAreas, knobs: { commitDelaySeconds: 60 } });
  const pending = post(api);
  expect((await api.get('/vm/probes')).body['results']).toBe(0);
  api.clock.advance(60_000);
  expect([(await pending).status, live(api)]).toEqual([200, 1]);
});
