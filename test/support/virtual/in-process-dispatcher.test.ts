import { Readable } from 'node:stream';
import { errors, request } from 'undici';
import { describe, expect, test } from 'vitest';
import { sleep } from '../../../src/lib/clock.ts';
import type { Backend, BackendRequest } from './backend.ts';
import { ConnectionLost } from './backend.ts';
import { InProcessDispatcher } from './in-process-dispatcher.ts';
import { VirtualClock } from './virtual-clock.ts';

const ORIGIN = 'https://one.test';

function world(handle: Backend['handle'], more: Partial<Backend> = {}): { clock: VirtualClock; dispatcher: InProcessDispatcher } {
  const clock = new VirtualClock();
  return { clock, dispatcher: new InProcessDispatcher({ clock, activity: clock.activity, backends: { [ORIGIN]: { handle, ...more } } }) };
}

const echo = async (seen: BackendRequest) => ({
  status: 201,
  headers: { 'content-type': 'application/json', 'x-two': ['a', 'b'] },
  body: JSON.stringify({ method: seen.method, path: seen.path, headers: seen.headers, body: seen.body.toString() }),
});

describe('in-process dispatcher', () => {
  test('method, path with query, headers and body arrive; status, headers and body come back', async () => {
    const { dispatcher } = world(echo);
    const response = await request(`${ORIGIN}/v4/a?x=1`, {
      dispatcher,
      method: 'POST',
      headers: { Authorization: 'Bearer t' },
      body: '{"a":1}',
    });
    expect([response.statusCode, response.headers['x-two']]).toEqual([201, ['a', 'b']]);
    expect(await response.body.json()).toEqual({
      method: 'POST',
      path: '/v4/a?x=1',
      headers: { host: 'one.test', authorization: 'Bearer t', 'content-length': '7' },
      body: '{"a":1}',
    });
  });

  test.each([
    ['Buffer', () => Buffer.from('hello')],
    ['stream', () => Readable.from(['hel', 'lo'])],
  ])('a request body may be a %s', async (_, body) => {
    const { dispatcher } = world(echo);
    const response = await request(`${ORIGIN}/`, { dispatcher, method: 'PUT', body: body(), query: { page: 2 } });
    expect(await response.body.json()).toMatchObject({ body: 'hello', path: '/?page=2' });
  });

  test('a large body survives back-pressure', async () => {
    const chunk = 'x'.repeat(40_000);
    async function* chunks(): AsyncGenerator<string> {
      for (let i = 0; i < 20; i += 1) yield chunk;
    }
    const { dispatcher } = world(async () => ({ status: 200, headers: {}, body: chunks() }));
    const response = await request(`${ORIGIN}/`, { dispatcher });
    let length = 0;
    for await (const part of response.body) {
      length += (part as Buffer).length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(length).toBe(800_000);
  });

  test('a thrown error is a broken connection, with the code that the fault chose', async () => {
    const { dispatcher } = world(() => Promise.reject(new ConnectionLost('ECONNRESET')));
    await expect(request(`${ORIGIN}/`, { dispatcher })).rejects.toMatchObject({ code: 'ECONNRESET' });
    await expect(request('https://other.test/', { dispatcher })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const plain = world(() => Promise.reject(new Error('cut')));
    await expect(request(`${ORIGIN}/`, { dispatcher: plain.dispatcher })).rejects.toBeInstanceOf(errors.SocketError);
  });

  test('a bug in a backend reaches the test even though the client treats it as a broken connection', async () => {
    const { clock, dispatcher } = world(() => Promise.reject(new TypeError('x is undefined')));
    await expect(request(`${ORIGIN}/`, { dispatcher })).rejects.toThrow('x is undefined');
    await expect(clock.settle()).rejects.toThrow('x is undefined');
  });

  test('aborting a stream tells the server and ends the reader', async () => {
    const closed: string[] = [];
    const { clock, dispatcher } = world(async (seen) => {
      seen.signal.addEventListener('abort', () => closed.push('signal'));
      return { status: 200, headers: {}, body: endless(() => closed.push('return')) };
    });
    const abort = new AbortController();
    const response = await request(`${ORIGIN}/watch`, { dispatcher, signal: abort.signal });
    const reading = response.body.text();
    await clock.settle();
    abort.abort(new Error('enough'));
    await expect(reading).rejects.toThrow('enough');
    expect(closed.toSorted()).toEqual(['return', 'signal']);
    expect(dispatcher.inFlight).toBe(0);
  });

  test('aborting before the answer rejects the request', async () => {
    const { clock, dispatcher } = world(async () => new Promise(() => undefined));
    const abort = new AbortController();
    const pending = request(`${ORIGIN}/`, { dispatcher, signal: abort.signal });
    await clock.settle();
    abort.abort(new Error('too slow'));
    await expect(pending).rejects.toThrow('too slow');
  });

  test('headers and body timeouts run in virtual time', async () => {
    const { clock, dispatcher } = world(async (seen) =>
      seen.path === '/slow' ? new Promise(() => undefined) : { status: 200, headers: {}, body: endless(() => undefined) },
    );
    const outcome: Record<string, number> = {};
    const note = (name: string) => (error: Error) =>
      void (outcome[`${name} ${(error as Error & { code: string }).code}`] = clock.monotonic());
    void request(`${ORIGIN}/slow`, { dispatcher, headersTimeout: 5_000 }).catch(note('slow'));
    const response = await request(`${ORIGIN}/idle`, { dispatcher, bodyTimeout: 9_000 });
    void response.body.text().catch(note('idle'));
    await clock.advance(10_000);
    expect(outcome).toEqual({ 'slow UND_ERR_HEADERS_TIMEOUT': 5_000, 'idle UND_ERR_BODY_TIMEOUT': 9_000 });
  });

  test('travel time passes before the server sees the request and before the client sees the answer', async () => {
    const at: number[] = [];
    const { clock, dispatcher } = world(
      async () => {
        at.push(clock.monotonic());
        return { status: 200, headers: {}, body: '' };
      },
      { travel: () => ({ there: 10, back: 15 }) },
    );
    void request(`${ORIGIN}/`, { dispatcher }).then(() => at.push(clock.monotonic()));
    await clock.advance(100);
    expect(at).toEqual([10, 25]);
  });

  test('a killed process sees neither answers nor errors; the server sees its connection close', async () => {
    let served = 0;
    let closed = 0;
    const { clock, dispatcher } = world(async (seen) => {
      seen.signal.addEventListener('abort', () => (closed += 1));
      await sleep(clock, 1_000);
      served += 1;
      return { status: 200, headers: {}, body: 'late' };
    });
    let settled = 0;
    void request(`${ORIGIN}/`, { dispatcher }).finally(() => (settled += 1));
    await clock.advance(500);
    dispatcher.kill();
    void request(`${ORIGIN}/`, { dispatcher }).finally(() => (settled += 1));
    await clock.advance(5_000);
    expect([served, closed, settled]).toEqual([1, 1, 0]);
  });

  test('breaking all connections fails what is open and nothing later', async () => {
    const { clock, dispatcher } = world(async (seen) =>
      seen.path === '/watch' ? { status: 200, headers: {}, body: endless(() => undefined) } : { status: 200, headers: {}, body: 'ok' },
    );
    const response = await request(`${ORIGIN}/watch`, { dispatcher });
    const reading = response.body.text();
    await clock.settle();
    dispatcher.breakConnections();
    await expect(reading).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(await (await request(`${ORIGIN}/`, { dispatcher })).body.text()).toBe('ok');
  });

  test('a destroyed dispatcher refuses requests', async () => {
    const { dispatcher } = world(echo);
    await dispatcher.destroy();
    await expect(request(`${ORIGIN}/`, { dispatcher })).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' });
  });
});

function endless(onReturn: () => void): AsyncIterable<string> {
  let first = true;
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        if (!first) return new Promise(() => undefined);
        first = false;
        return Promise.resolve({ done: false, value: 'one line\n' });
      },
      return: () => {
        onReturn();
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
}
