import type { Clock } from '../clock.ts';
import type { Effect } from './faults.ts';
import type { ApiRequest, ApiResponse } from './http-message.ts';
import { ConnectionClosed, ConnectionRefused } from './http-message.ts';

export interface Call {
  readonly clock: Clock;
  readonly request: ApiRequest;
  /** Connections are refused from now on. */
  refuse(seconds: number): void;
  /** Performs the request and gives its answer. */
  commit(): ApiResponse;
  /** An answer that is not the operation's: with the headers that every answer has; an empty value takes one away. */
  other(status: number, body: string, headers: Readonly<Record<string, string>>): ApiResponse;
}

export function pause(clock: Clock, seconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(seconds * 1000, resolve);
  });
}

/** Ends only when the client goes away. */
function silence(request: ApiRequest): Promise<never> {
  return new Promise((_resolve, reject) => {
    request.signal?.addEventListener('abort', () => reject(new ConnectionClosed()), { once: true });
  });
}

/** Not the service but the balancer before it answers: no scopes, no windows. */
function balancer(clock: Clock, status: number): ApiResponse {
  const headers = { server: 'nginx', date: new Date(clock.now()).toUTCString(), 'content-type': 'text/html' };
  return { status, headers, body: page(status) };
}

const page = (status: number): string =>
  `<html>\r\n<head><title>${status}</title></head>\r\n<body>\r\n<center><h1>${status}</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n`;

async function* slowly(clock: Clock, text: string, seconds: number): AsyncGenerator<string> {
  const pieces = 4;
  const size = Math.ceil(text.length / pieces);
  for (let at = 0; at < pieces; at += 1) {
    await pause(clock, seconds / pieces);
    yield text.slice(at * size, (at + 1) * size);
  }
}

async function* cut(text: string): AsyncGenerator<string> {
  yield text.slice(0, Math.ceil(text.length / 2));
  throw new ConnectionClosed();
}

function alter(text: string, field: string, change: (row: Record<string, unknown>) => void): string {
  // A picture has no fields: it comes empty.
  if (text === '') return text;
  const body = JSON.parse(text) as Record<string, unknown>;
  const rows = Array.isArray(body['data']) && !Object.hasOwn(body, field) ? (body['data'] as Record<string, unknown>[]) : [body];
  for (const row of rows) if (Object.hasOwn(row, field)) change(row);
  return JSON.stringify(body);
}

const wrongType = (value: unknown): unknown => (typeof value === 'string' ? { unexpected: value } : `unexpected ${JSON.stringify(value)}`);

/** The committed answer, with another body. */
function defaced(call: Call, change: (text: string) => ApiResponse['body']): ApiResponse {
  const response = call.commit();
  return { ...response, body: change(typeof response.body === 'string' ? response.body : '') };
}

function replace(call: Call, effect: Extract<Effect, { kind: 'answer' | 'html' }>): ApiResponse {
  if (effect.commit === true) call.commit();
  if (effect.kind === 'html') return balancer(call.clock, effect.status);
  const standard = JSON.stringify({ errors: [{ reason: standardReasons[effect.status] ?? 'Internal server error' }] });
  return call.other(effect.status, effect.body ?? standard, { 'content-type': 'application/json', ...effect.headers });
}

const standardReasons: Readonly<Record<number, string>> = {
  400: 'Linode busy.',
  401: 'Invalid Token',
  403: 'Unauthorized',
  404: 'Not found',
  408: 'Please try again',
  429: 'Too many requests',
  502: 'Bad gateway',
  503: 'Please try again later.',
};

async function commitLate(call: Call, effect: Extract<Effect, { kind: 'commit-late' }>): Promise<ApiResponse> {
  call.clock.after(effect.seconds * 1000, () => void call.commit());
  if (effect.hang === true) return silence(call.request);
  throw new ConnectionClosed();
}

async function delay(call: Call, effect: Extract<Effect, { kind: 'delay' }>): Promise<ApiResponse> {
  if (effect.before === true) await pause(call.clock, effect.seconds);
  const response = call.commit();
  if (effect.before !== true) await pause(call.clock, effect.seconds);
  return response;
}

function lose(): never {
  throw new ConnectionClosed();
}

type Performers = {
  readonly [K in Effect['kind']]: (call: Call, effect: Extract<Effect, { kind: K }>) => Promise<ApiResponse> | ApiResponse;
};

const performers: Performers = {
  'lose-request': lose,
  refuse: (call, effect) => {
    call.refuse(effect.seconds);
    throw new ConnectionRefused();
  },
  'lose-answer': (call) => {
    call.commit();
    return lose();
  },
  'commit-late': commitLate,
  twice: (call) => {
    call.commit();
    return call.commit();
  },
  delay,
  hang: (call, effect) => {
    if (effect.commit === true) call.commit();
    return silence(call.request);
  },
  answer: replace,
  html: replace,
  truncate: (call) => defaced(call, (text) => text.slice(0, Math.ceil(text.length / 2))),
  close: (call) => defaced(call, cut),
  malformed: (call) => defaced(call, (text) => `${text.slice(0, -1)},}`),
  'wrong-type': (call, { field }) => defaced(call, (text) => alter(text, field, (row) => void (row[field] = wrongType(row[field])))),
  'missing-field': (call, { field }) => defaced(call, (text) => alter(text, field, (row) => void Reflect.deleteProperty(row, field))),
  'slow-body': (call, effect) => defaced(call, (text) => slowly(call.clock, text, effect.seconds)),
};

/** The call as the fault lets it happen. */
export function withFault(call: Call, effect: Effect): Promise<ApiResponse> | ApiResponse {
  const perform = performers[effect.kind] as (call: Call, effect: Effect) => Promise<ApiResponse> | ApiResponse;
  return perform(call, effect);
}
