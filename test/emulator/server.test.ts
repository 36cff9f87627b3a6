import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';
import { controlHandler } from './control-api.ts';
import { probeAreas } from './core/probe-area.ts';
import { createEmulator } from './emulator.ts';
import type { RunningServer } from './server.ts';
import { serve } from './server.ts';
import { testClock } from './test-clock.ts';

const running: RunningServer[] = [];
const authorization = 'Bearer token-admin';

async function start() {
  const clock = testClock();
  const emulator = createEmulator({ clock, areas: probeAreas, knobs: { requestBytes: 1000 } });
  const api = await serve((request) => emulator.handle(request), {
    listen: '127.0.0.1:0',
    outage: emulator.outage,
    maxBody: (path) => emulator.maxBody(path),
  });
  const control = await serve(controlHandler(emulator.control, clock), { listen: '127.0.0.1:0' });
  running.push(api, control);
  const call = async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(control.origin + path, init);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> & Record<string, unknown>[] };
  };
  return {
    emulator,
    api: api.origin,
    call,
    say: (method: string, path: string, body: unknown) => call(path, { method, body: JSON.stringify(body) }),
  };
}

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

test('HTTP gives what handle gives', async () => {
  const { api } = await start();
  const created = await fetch(`${api}/v4/vm/probes`, { method: 'POST', headers: { authorization }, body: '{"label":"alpha"}' });
  expect([created.status, created.headers.get('date')]).toEqual([200, 'Thu, 01 Jan 2026 00:00:00 GMT']);
  expect(await created.json()).toMatchObject({ id: 1, label: 'alpha' });
  const listed = await fetch(`${api}/v4beta/vm/probes`, { headers: { authorization, 'X-Filter': '{"label":"beta"}' } });
  expect(await listed.json()).toEqual({ data: [], page: 1, pages: 1, results: 0 });
});

test('a defect is 500 with its stack', async () => {
  const { api } = await start();
  const answer = await fetch(`${api}/v4/vm/defect`, { headers: { authorization } });
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('a mistake in an area')]);
});

test('a body beyond the bound is 413', async () => {
  const { api, call } = await start();
  const send = (length: number) => {
    const body = JSON.stringify({ label: 'x'.repeat(length) });
    return fetch(`${api}/v4/vm/probes`, { method: 'POST', headers: { authorization }, body });
  };
  for (const length of [1000, 20_000_000]) {
    const answer = await send(length);
    expect([answer.status, await answer.text()]).toEqual([413, '{"errors":[{"reason":"Request body is too large"}]}']);
  }
  expect((await send(900)).status).toBe(400);
  const noted = (await call('/ledger/requests')).body as unknown as { status: number; body: string }[];
  expect(noted.map(({ status, body }) => [status, body.length])).toEqual([
    [413, 1001],
    [413, 1001],
    [400, 912],
  ]);
});

/** Why a call got no answer. */
const reasonOf = (address: string): Promise<string> =>
  fetch(address, { headers: { authorization } }).then(
    () => 'answered',
    (error: unknown) => String(((error as Error).cause as { code?: string }).code),
  );

test('a fault refuses connections: the call that it hits breaks, those after it find no listener until the time is over', async () => {
  const { api, call, say } = await start();
  const probes = `${api}/v4/vm/probes`;
  await say('POST', '/faults', { match: { template: '/vm/probes' }, times: 1, effect: { kind: 'refuse', seconds: 30 } });
  expect(await reasonOf(`${api}/v4/account`)).toBe('answered');
  expect(await reasonOf(probes)).not.toBe('answered');
  expect([await reasonOf(probes), await reasonOf(`${api}/v4/account`)]).toEqual(['ECONNREFUSED', 'ECONNREFUSED']);
  await say('POST', '/time/advance', { seconds: 29 });
  expect(await reasonOf(probes)).toBe('ECONNREFUSED');
  await say('POST', '/time/advance', { seconds: 1 });
  expect(await reasonOf(probes)).toBe('answered');
  expect((await call('/ledger/requests?since=1')).body).toMatchObject([{ seq: 2, status: 0, fault: 'refuse', changes: [] }, { seq: 3 }]);
});

test('the port closes at once when told to, and a reset opens it', async () => {
  const { api, call, say } = await start();
  const account = `${api}/v4/account`;
  await say('POST', '/refuse', { seconds: 3600 });
  expect(await reasonOf(account)).toBe('ECONNREFUSED');
  const asUser = await say('POST', '/as', { username: 'colleague', method: 'GET', path: '/v4/account' });
  expect(asUser.body).toMatchObject({ status: 200 });
  await call('/reset', { method: 'POST' });
  expect(await reasonOf(account)).toBe('answered');
});

test('broken and slow connections reach the client', async () => {
  const { api, say } = await start();
  await say('POST', '/faults', { match: {}, times: 1, effect: { kind: 'lose-answer' } });
  await expect(fetch(`${api}/v4/vm/probes`, { headers: { authorization } })).rejects.toThrow('fetch failed');
  await say('POST', '/faults', { match: {}, times: 1, effect: { kind: 'close' } });
  const cut = await fetch(`${api}/v4/vm/probes`, { headers: { authorization } });
  await expect(cut.text()).rejects.toThrow('terminated');
  await say('POST', '/faults', { match: {}, times: 1, effect: { kind: 'hang' } });
  await expect(fetch(`${api}/v4/vm/probes`, { headers: { authorization }, signal: AbortSignal.timeout(50) })).rejects.toThrow('timeout');
  expect((await fetch(`${api}/v4/vm/probes`, { headers: { authorization } })).status).toBe(200);
});

test('the control port: time, ledger, knobs, faults, tokens, grants, edits, reset', async () => {
  const { api, call, say } = await start();
  const as = { username: 'colleague', method: 'POST', path: '/v4/vm/probes', body: { label: 'alpha' } };
  expect((await say('POST', '/as', as)).body).toMatchObject({ status: 200, body: { id: 1 } });
  expect((await say('POST', '/time/advance', { seconds: 30 })).body).toEqual({ now: '2026-01-01T00:00:30.000Z' });
  expect((await call('/rows/probes')).body).toMatchObject([{ status: 'active' }]);
  await say('POST', '/rows', { collection: 'probes', key: 1, row: { status: 'offline' } });
  expect((await call('/ledger/objects?collection=probes&alive=true')).body).toMatchObject([{ key: 1, row: { status: 'offline' } }]);
  expect((await call('/ledger/objects?collection=probes&alive=false')).body).toEqual([]);
  expect((await call('/ledger/requests?since=0')).body).toMatchObject([{ seq: 1, username: 'colleague' }]);
  expect((await say('PUT', '/knobs', { listLagSeconds: 3 })).body).toMatchObject({ listLagSeconds: 3 });
  expect((await say('PUT', '/knobs', { listLag: 3 })).status).toBe(400);
  const { id } = (await say('POST', '/faults', { match: {}, effect: { kind: 'html', status: 502 } })).body;
  expect((await call('/faults')).body).toMatchObject([{ id, hits: 0 }]);
  await call(`/faults/${String(id)}`, { method: 'DELETE' });
  await say('POST', '/tokens', { token: 'new', username: 'admin', scopes: 'account:read_only' });
  expect((await fetch(`${api}/v4/account`, { headers: { authorization: 'Bearer new' } })).status).toBe(200);
  await call('/tokens/new', { method: 'DELETE' });
  expect((await fetch(`${api}/v4/account`, { headers: { authorization: 'Bearer new' } })).status).toBe(401);
  await say('PUT', '/grants/limited', { 'volume:1': 'read_only' });
  expect((await fetch(`${api}/v4/vm/probes/1`, { headers: { authorization: 'Bearer token-limited' } })).status).toBe(200);
  await say('PUT', '/clock', { skewSeconds: 3600 });
  expect((await fetch(`${api}/v4/account`, { headers: { authorization } })).headers.get('date')).toBe('Thu, 01 Jan 2026 01:00:30 GMT');
  await call('/reset', { method: 'POST' });
  expect((await call('/ledger/requests')).body).toEqual([]);
  expect((await call('/nothing')).status).toBe(404);
});

test('the command prints one line of JSON, answers, and ends with 0 on SIGTERM', async () => {
  const main = new URL('main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, '--provider-word', 'linode', '--rate-profile', 'none', '--speed', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, controlUrl, token } = JSON.parse(line) as Record<string, string>;
  expect([url?.endsWith('/v4'), token]).toEqual([true, 'token-admin']);
  const types = await fetch(`${url}/linode/types`);
  expect(await types.json()).toMatchObject({ results: 20 });
  const account = await fetch(`${url}/account`, { headers: { authorization: `Bearer ${token}` } });
  expect(account.status).toBe(200);
  expect(await (await fetch(`${controlUrl}/knobs`)).json()).toMatchObject({ rateProfile: 'none' });
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the command refuses nonsense', async () => {
  const main = new URL('main.ts', import.meta.url).pathname;
  const child = spawn(process.execPath, [main, '--rate-profile', 'fast'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const stderr = (child.stderr as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const { value } = await stderr.next();
  expect(String(value)).toContain('no knob rateProfile that takes "fast"');
  expect(await once(child, 'exit')).toEqual([1, null]);
});
