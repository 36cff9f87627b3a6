import { getEventListeners, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { describe, expect, test } from 'vitest';
import type { KubeError } from '../../../src/engine/ports/index.ts';
import { sleep, systemClock } from '../../../src/lib/clock.ts';
import { KubeClient, kubePath } from '../../../src/kube/http/client.ts';
import { clusterAt } from '../../../src/kube/http/cluster.ts';
import { isGone, isMissing } from '../../../src/kube/http/status-error.ts';
import { ConnectionLost } from '../../support/virtual/backend.ts';
import { json, scripted, SERVER, status } from './scripted-server.ts';

const fault = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: KubeError) => `${error.name} ${error.fault}`,
  );

async function* half(): AsyncGenerator<string> {
  yield '{"metadata":';
  throw new ConnectionLost();
}
async function* chunks(): AsyncGenerator<string | Buffer> {
  const bytes = Buffer.from('{"a":"ä"}\n\n{"b":1}\n{"cut":');
  for (const byte of bytes) yield Buffer.from([byte]);
}
const read = async (stream: AsyncIterable<string>, into: string[]): Promise<string> => {
  for await (const line of stream) into.push(line);
  return 'ended';
};

describe('kube client', () => {
  test('sends method, path, query, body, token and user agent; gives the parsed answer', async () => {
    const { client, seen } = scripted(() => json(201, { ok: 1 }));
    const body = { a: 'ä' };
    const path = kubePath('apis', 'x.dev', 'v1', 'namespaces', 'a-b', 'things');
    expect(await client.request({ method: 'POST', path, query: { fieldManager: 'me', skip: undefined }, body })).toEqual({ ok: 1 });
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/apis/x.dev/v1/namespaces/a-b/things?fieldManager=me',
      headers: { authorization: 'Bearer tok', 'user-agent': 'test/1', 'content-type': 'application/json', accept: 'application/json' },
    });
    expect(JSON.parse(seen[0]?.body.toString() ?? '')).toEqual(body);
  });

  test.each(['', '.', '..', 'a/../b', 'a%2Fb', 'a?b', 'a#b', 'A', 'ä', 'a'.repeat(254)])('%j is no part of a path', (name) => {
    expect(() => kubePath('api', 'v1', 'namespaces', 'team', 'secrets', name)).toThrow(
      expect.objectContaining({ name: 'KubeError', fault: 'Invalid', message: expect.stringContaining('nothing was sent') as string }),
    );
  });

  test.each([
    [409, 'Conflict', 'Conflict'],
    [409, 'AlreadyExists', 'AlreadyExists'],
    [404, 'NotFound', 'NotFound'],
    [422, 'Invalid', 'Invalid'],
    [400, 'BadRequest', 'Invalid'],
    [403, 'Forbidden', 'Forbidden'],
    [429, 'TooManyRequests', 'Unavailable'],
    [503, 'ServiceUnavailable', 'Unavailable'],
    [500, 'InternalError', 'Unknown'],
    [504, 'Timeout', 'Unknown'],
  ])('a change answered with %i %s is %s', async (code, reason, expected) => {
    const { client } = scripted(() => status(code, reason, 'the words of the server'));
    const work = client.request({ method: 'PATCH', path: '/a', body: {} });
    await expect(work).rejects.toThrow(`PATCH /a: ${code} ${reason}: the words of the server`);
    expect(await fault(work)).toBe(`KubeError ${expected}`);
  });

  test.each([500, 502, 504])('a read answered with %i changed nothing', async (code) => {
    const { client } = scripted(() => ({ status: code, headers: {}, body: '<html>bad gateway</html>' }));
    expect(await fault(client.request({ path: '/a' }))).toBe('KubeError Unavailable');
  });

  test('what cannot wait does not wait for a connection behind a thousand others', async () => {
    const held: ServerResponse[] = [];
    const server = createServer((call, response) => void (call.url === '/lease' ? response.end('{"renewed":1}') : held.push(response)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const cluster = clusterAt(systemClock, { server: `http://127.0.0.1:${port}` });
    const client = new KubeClient({ cluster, clock: systemClock, userAgent: 'test/1' });
    const writes = Array.from({ length: 100 }, () => client.request({ path: '/write' }).catch(() => undefined));
    expect(await client.request({ path: '/lease', ahead: true, timeout: 2_000 })).toEqual({ renewed: 1 });
    expect(held.length).toBeLessThan(100);
    await client.close();
    await Promise.all(writes);
    server.close();
  });

  test('waiting for a connection is not waiting for the server', async () => {
    let [now, most] = [0, 0];
    const { client, clock } = scripted(async () => {
      now += 1;
      most = Math.max(most, now);
      await sleep(clock, 10_000);
      now -= 1;
      return json(200, { done: 1 });
    });
    const all = Promise.all(Array.from({ length: 100 }, () => client.request({ path: '/slow' })));
    const gone = new AbortController();
    const left = fault(client.request({ method: 'PATCH', path: '/slow', body: {}, signal: gone.signal }));
    gone.abort(new Error('the operator stops'));
    expect(await left).toBe('KubeError Unavailable');
    await clock.advance(60_000);
    expect([(await all).length, most]).toEqual([100, 32]);
  });

  test('a write that waited for a connection is asked about once it has one', async () => {
    const seen: string[] = [];
    const server = createServer((call, response) => void (seen.push(call.url ?? ''), response.end('{"done":1}')));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    let objection: string | undefined;
    const agent = new Agent();
    const dispatcher = agent.compose((dispatch) => (options, handler) => {
      objection = options.path === '/late' ? 'another leads by now' : undefined;
      return dispatch(options, handler);
    });
    const client = new KubeClient({
      cluster: clusterAt(systemClock, { server: `http://127.0.0.1:${port}` }),
      clock: systemClock,
      userAgent: 'test/1',
      dispatcher,
    });
    const write = (path: string): Promise<unknown> => client.request({ method: 'PATCH', path, body: {}, unless: () => objection });
    expect(await write('/soon')).toEqual({ done: 1 });
    await expect(write('/late')).rejects.toMatchObject({
      fault: 'Unavailable',
      message: 'PATCH /late: not sent: another leads by now',
    });
    expect(seen).toEqual(['/soon']);
    await agent.close();
    server.close();
  });

  test('Retry-After is kept in milliseconds, from the header or from the Status', async () => {
    const answers = [
      status(429, 'TooManyRequests', '', { 'retry-after': '3' }),
      json(503, { kind: 'Status', details: { retryAfterSeconds: 7 } }),
    ];
    const { client } = scripted((_, n) => answers[n] ?? json(200, {}));
    await expect(client.request({ path: '/a' })).rejects.toMatchObject({ retryAfter: 3_000 });
    await expect(client.request({ path: '/a' })).rejects.toMatchObject({ retryAfter: 7_000 });
  });

  test('an object that is missing and a kind that is not served are told apart; so is lost history', async () => {
    const answers = [status(404, 'NotFound'), { status: 404, headers: {}, body: '404 page not found' }, status(410, 'Expired')];
    const { client } = scripted((_, n) => answers[n] ?? json(200, {}));
    const errors: unknown[] = [];
    for (const _ of answers) errors.push(await client.request({ path: '/a' }).catch((error: unknown) => error));
    expect(errors.map((error) => [isMissing(error), isGone(error)])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
  });

  test.each([
    ['ECONNRESET', 'Unknown'],
    ['ECONNREFUSED', 'Unavailable'],
    ['UND_ERR_CONNECT_TIMEOUT', 'Unavailable'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'Unavailable'],
    ['EPIPE', 'Unknown'],
  ])('a change cut with %s is %s; a read is always unavailable', async (code, expected) => {
    const { client } = scripted(() => Promise.reject(new ConnectionLost(code)));
    expect(await fault(client.request({ method: 'PUT', path: '/a', body: {} }))).toBe(`KubeError ${expected}`);
    expect(await fault(client.request({ path: '/a' }))).toBe('KubeError Unavailable');
  });

  test('an unreadable or cut answer to a change leaves its outcome unknown', async () => {
    const answers = [
      { status: 200, headers: {}, body: '{"met' },
      { status: 200, headers: {}, body: half() },
    ];
    const { client } = scripted((_, n) => answers[n] ?? json(200, {}));
    expect(await fault(client.request({ method: 'PATCH', path: '/a', body: {} }))).toBe('KubeError Unknown');
    expect(await fault(client.request({ method: 'PATCH', path: '/a', body: {} }))).toBe('KubeError Unknown');
  });

  test('waits for an answer 15 s or as long as told, on the clock that it was given', async () => {
    const { client, clock, dispatcher } = scripted(async () => new Promise(() => undefined));
    const [short, usual] = [client.request({ method: 'PUT', path: '/a', body: {}, timeout: 2_000 }), client.request({ path: '/b' })].map(
      fault,
    );
    expect(await Promise.race([short, clock.advance(1_999).then(() => 'waiting')])).toBe('waiting');
    await clock.advance(1);
    expect(await short).toBe('KubeError Unknown');
    await clock.advance(13_000);
    expect(await usual).toBe('KubeError Unavailable');
    expect(dispatcher.inFlight).toBe(0);
  });

  test('follows the signal of its caller and leaves nothing registered on it', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const { client, clock } = scripted(({ path }) => (path === '/slow' ? new Promise(() => undefined) : json(200, {})));
    for (let n = 0; n < 20; n += 1) await client.request({ path: '/fast', signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    const slow = fault(client.request({ method: 'DELETE', path: '/slow', signal }));
    await clock.settle();
    controller.abort(new Error('stopping'));
    expect(await slow).toBe('KubeError Unknown');
    expect(await fault(client.request({ method: 'DELETE', path: '/never', signal }))).toBe('KubeError Unavailable');
  });

  test('the token is loaded once a minute, and at once when it is refused', async () => {
    let loads = 0;
    const tokens: (string | undefined)[] = [];
    const world = scripted((request, n) => {
      tokens.push(request.headers['authorization']);
      return n === 2 ? status(401, 'Unauthorized') : json(200, {});
    });
    const cluster = clusterAt(world.clock, { server: SERVER, token: async () => `t${(loads += 1)}` });
    const { client } = scripted(() => json(200, {}), { cluster, clock: world.clock, dispatcher: world.dispatcher });
    await client.request({ path: '/a' });
    await client.request({ path: '/a' });
    await client.request({ path: '/refused' });
    await world.clock.advance(60_001);
    await client.request({ path: '/a' });
    expect(tokens).toEqual(['t1', 't1', 't1', 't2', 't3'].map((token) => `Bearer ${token}`));
  });

  test('a token source that fails later leaves the last token in use; one that never worked says so', async () => {
    let works = true;
    const { clock, dispatcher } = scripted(() => json(200, {}));
    const token = async (): Promise<string> => (works ? 't' : Promise.reject(new Error('no such file')));
    const client = (): ReturnType<typeof scripted>['client'] =>
      scripted(() => json(200, {}), { cluster: clusterAt(clock, { server: SERVER, token }), clock, dispatcher }).client;
    const first = client();
    await first.request({ path: '/a' });
    works = false;
    await clock.advance(61_000);
    expect(await first.request({ path: '/a' })).toEqual({});
    await expect(client().request({ method: 'PUT', path: '/a', body: {} })).rejects.toMatchObject({
      fault: 'Unavailable',
      message: expect.stringContaining('no such file') as string,
    });
  });

  test('every request is counted with its code', async () => {
    const counted: string[] = [];
    const { client } = scripted((_, n) => (n === 0 ? status(409, 'Conflict') : Promise.reject(new ConnectionLost())), {
      onRequest: ({ code, method, host }) => counted.push(`${code} ${method} ${host}`),
    });
    await fault(client.request({ method: 'PUT', path: '/a', body: {} }));
    await fault(client.request({ path: '/a' }));
    expect(counted).toEqual(['409 PUT kube.test', '<error> GET kube.test']);
  });
});

describe('kube client, streams', () => {
  test('gives whole lines however they are cut, and drops a last one without an end', async () => {
    const { client } = scripted(() => ({ status: 200, headers: {}, body: chunks() }));
    const seen: string[] = [];
    expect(
      await read(
        client.stream({ path: '/watch' }, () => 1_000),
        seen,
      ),
    ).toBe('ended');
    expect(seen).toEqual(['{"a":"ä"}', '{"b":1}']);
  });

  test('silence beyond the timeout is an error, slow news is not', async () => {
    const world = scripted(() => ({ status: 200, headers: {}, body: slow() }));
    async function* slow(): AsyncGenerator<string> {
      for (const delay of [50, 90, 90, 101]) {
        await sleep(world.clock, delay);
        yield `${delay}\n`;
      }
    }
    const seen: string[] = [];
    const ended = fault(
      read(
        world.client.stream({ path: '/watch' }, () => 100),
        seen,
      ),
    );
    await world.clock.advance(1_000);
    expect(await ended).toBe('KubeError Unavailable');
    expect(seen).toEqual(['50', '90', '90']);
  });

  test('leaving the loop ends the request', async () => {
    const world = scripted(() => ({ status: 200, headers: {}, body: endless() }));
    async function* endless(): AsyncGenerator<string> {
      for (;;) {
        await sleep(world.clock, 10);
        yield 'line\n';
      }
    }
    const stream = world.client.stream({ path: '/watch' }, () => 1_000);
    const first = stream.next();
    await world.clock.advance(10);
    expect((await first).value).toBe('line');
    expect(world.dispatcher.inFlight).toBe(1);
    const left = stream.return();
    await world.clock.advance(20);
    await left;
    expect(world.dispatcher.inFlight).toBe(0);
  });
});
