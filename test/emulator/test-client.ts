import { watched } from './areas/proof.ts';
import type { Emulator, EmulatorOptions } from './emulator.ts';
import { createEmulator } from './emulator.ts';
import type { TestClock } from './test-clock.ts';
import { testClock } from './test-clock.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The rows of a page. */
  readonly data: readonly Readonly<Record<string, unknown>>[];
  /** `field: reason` of every error item, `reason` alone without a field. */
  readonly errors: readonly string[];
}

export interface TestClient {
  readonly emulator: Emulator;
  readonly clock: TestClock;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Reply>;
  /** GET with an X-Filter. */
  filter(path: string, filter: unknown): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  put(path: string, body?: unknown): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  /** Any method, any headers; a string or bytes are sent as they are. */
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body?: unknown): Promise<Reply>;
  /** The same emulator under another token. */
  as(token: string): TestClient;
}

function reasons(body: Readonly<Record<string, unknown>>): readonly string[] {
  // A domain has a text field of that name.
  const items = (Array.isArray(body['errors']) ? body['errors'] : []) as readonly { reason: string; field?: string }[];
  return items.map(({ field, reason }) => (field === undefined ? reason : `${field}: ${reason}`));
}

async function textOf(body: string | Buffer | AsyncIterable<string | Buffer>): Promise<string> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return body.toString();
  let text = '';
  for await (const piece of body) text += piece.toString();
  return text;
}

function clientOf(emulator: Emulator, clock: TestClock, token: string): TestClient {
  const send: TestClient['send'] = async (method, path, headers, body) => {
    const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const answer = await emulator.handle({ method, path: `/v4${path}`, headers, body: payload });
    const text = await textOf(answer.body);
    const parsed = (answer.headers['content-type'] === 'application/json' && text !== '' ? JSON.parse(text) : {}) as Reply['body'];
    return {
      status: answer.status,
      headers: answer.headers,
      body: parsed,
      data: (parsed['data'] ?? []) as Reply['data'],
      errors: reasons(parsed),
    };
  };
  const authorization = { authorization: `Bearer ${token}` };
  return {
    emulator,
    clock,
    send,
    get: (path, headers) => send('GET', path, { ...authorization, ...headers }),
    filter: (path, filter) =>
      send('GET', path, { ...authorization, 'x-filter': typeof filter === 'string' ? filter : JSON.stringify(filter) }),
    post: (path, body) => send('POST', path, authorization, body),
    put: (path, body) => send('PUT', path, authorization, body),
    delete: (path) => send('DELETE', path, authorization),
    as: (other) => clientOf(emulator, clock, other),
  };
}

/** An emulator in virtual time, without rate limits unless told, in the hands of the first account's `admin`. */
export function testClient(options: EmulatorOptions = {}): TestClient {
  const clock = testClock();
  const emulator = watched(createEmulator({ clock, ...options, knobs: { rateProfile: 'none', ...options.knobs } }));
  return clientOf(emulator, clock, 'token-admin');
}
