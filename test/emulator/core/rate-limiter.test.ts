import { expect, test } from 'vitest';
import { testClient } from '../test-client.ts';
import { probeAreas } from './probe-area.ts';

const client = (knobs: object) => testClient({ areas: probeAreas, knobs });

test('a class has its window; the others go on; 429 is JSON and says when', async () => {
  const api = client({ rateProfile: 'published-2026' });
  api.clock.advance(10_000);
  for (let call = 0; call < 100; call += 1) expect((await api.post('/vm/probes', { label: `p${call}a` })).status).toBe(200);
  const refused = await api.post('/vm/probes', { label: 'more' });
  expect([refused.status, refused.errors]).toEqual([429, ['Too many requests']]);
  expect(refused.headers).toMatchObject({ 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': '0', 'retry-after': '60' });
  expect((await api.get('/vm/probes')).status).toBe(200);
  expect((await api.as('token-colleague').post('/vm/probes', { label: 'mine' })).status).toBe(200);
  api.clock.advance(59_999);
  expect((await api.post('/vm/probes', { label: 'more' })).headers['retry-after']).toBe('1');
  api.clock.advance(1);
  expect((await api.post('/vm/probes', { label: 'more' })).headers['x-ratelimit-remaining']).toBe('99');
});

test('two tokens of one user share the window', async () => {
  const api = client({ rateProfile: 'recorded-2023' });
  expect((await api.get('/vm/probes')).headers['x-ratelimit-remaining']).toBe('799');
  expect((await api.as('token-readonly').get('/account')).headers['x-ratelimit-remaining']).toBe('798');
});

const spend = async (rateWindow: string) => {
  const api = client({ rateProfile: 'published-2026', rateWindow });
  for (let call = 0; call < 200; call += 1) {
    await api.get('/vm/probes');
    if (call === 99) api.clock.advance(50_000);
  }
  api.clock.advance(10_000);
  let accepted = 0;
  while (accepted < 300 && (await api.get('/vm/probes')).status === 200) accepted += 1;
  return accepted;
};

test('a fixed window forgets at its end, a sliding one request by request', async () => {
  expect(await spend('fixed')).toBe(200);
  expect(await spend('sliding')).toBe(100);
});

test('without a profile there are neither limits nor rate headers', async () => {
  const api = client({ rateProfile: 'none' });
  for (let call = 0; call < 300; call += 1) expect((await api.get('/vm/probes')).status).toBe(200);
  expect(Object.keys((await api.get('/vm/probes')).headers).filter((name) => /rate|retry/.test(name))).toEqual([]);
});

test('classes of concurrency 1 refuse a second request in flight', async () => {
  const api = client({ rateProfile: 'published-2026', latencyMilliseconds: 100 });
  const both = [api.post('/vm/boots/a'), api.post('/vm/boots/b')];
  api.clock.advance(100);
  expect((await Promise.all(both)).map((reply) => reply.status)).toEqual([200, 429]);
});

test('object storage writes: 5 a second besides 60 a minute', async () => {
  const api = client({ rateProfile: 'published-2026' });
  const statuses: number[] = [];
  for (let call = 0; call < 6; call += 1) statuses.push((await api.post('/vm/writes')).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  expect((await api.post('/vm/writes')).headers['retry-after']).toBe('1');
  api.clock.advance(1000);
  expect((await api.post('/vm/writes')).status).toBe(200);
});

test('a 429 may come as HTML or empty, as a fault', async () => {
  const api = client({ rateProfile: 'none' });
  api.emulator.control.addFault({ match: {}, times: 1, effect: { kind: 'html', status: 429 } });
  api.emulator.control.addFault({ match: {}, times: 1, effect: { kind: 'answer', status: 429, body: '' } });
  const [html, empty] = [await api.get('/vm/probes'), await api.get('/vm/probes')];
  expect(Object.keys(html.headers).toSorted()).toEqual(['content-type', 'date', 'server']);
  expect([html.status, html.headers['content-type'], empty.status, empty.body]).toEqual([429, 'text/html', 429, {}]);
});
