import { Agent, request } from 'undici';
import type { Dispatcher } from 'undici';
import { KubeError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { deadline, unlessAborted } from '../../lib/deadline.ts';
import { Slots } from '../../lib/slots.ts';
import { isObjectName } from '../../resource/index.ts';
import type { Cluster } from './cluster.ts';
import type { Headers } from './credentials.ts';
import { gated, type Objection } from './gate.ts';
import { lines } from './lines.ts';
import { connectionError, statusError } from './status-error.ts';

const TIMEOUT: Millis = 15_000;

export interface KubeRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the server, segments encoded (see {@link kubePath}). */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly signal?: AbortSignal | undefined;
  /** For the whole exchange, from when it has a connection; default 15 s. */
  readonly timeout?: Millis;
  /** Of a GET: the object's metadata alone, where the rest is large and says nothing. */
  readonly metadataOnly?: true;
  /** The body as it is, for logs. */
  readonly text?: true;
  readonly unless?: Objection | undefined;
  /** Never waits behind other requests for a connection: for the lease, which a thousand writes would otherwise lose. */
  readonly ahead?: boolean;
}
export interface KubeClientOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Serves everything, in place of the client's own connections. */
  readonly dispatcher?: Dispatcher;
  /** Called once per request, `code` as client-go's `rest_client_requests_total` has it; `path` with its query. */
  readonly onRequest?: (request: { readonly code: string; readonly method: string; readonly host: string; readonly path: string }) => void;
}

/** Joins names into a path below the server. What no object can be called would lead elsewhere there. */
export function kubePath(...names: readonly string[]): string {
  const odd = names.find((name) => !isObjectName(name));
  if (odd !== undefined)
    throw new KubeError('Invalid', `${JSON.stringify(odd.slice(0, 300))} is no name that Kubernetes gives to anything; nothing was sent`);
  return `/${names.join('/')}`;
}

/** Requests wait for one of these rather than open a TLS connection each. */
const CONNECTIONS = 32;

/** HTTP/1.1 only: undici's HTTP/2 has no answer to half-open connections and shares one window between all watches. */
const agent = (cluster: Cluster, connections: number | null): Agent =>
  new Agent({
    allowH2: false,
    connections,
    keepAliveTimeout: 30_000,
    connect: { ...cluster.tls, timeout: 10_000, keepAlive: true, keepAliveInitialDelay: 30_000 },
  });

/** JSON over HTTP to one API server. Methods reject only with `KubeError`. */
export class KubeClient {
  readonly #options: KubeClientOptions;
  readonly #own: readonly Agent[];
  readonly #requests: Dispatcher;
  /** Connections without a bound, for watches, which would occupy those of requests, and for what cannot wait. */
  readonly #unbounded: Dispatcher;
  /** Waiting here is not waiting for the server: a slow one must not find a thousand requests given up that it never saw. */
  readonly #slots = new Slots(CONNECTIONS);

  constructor(options: KubeClientOptions) {
    this.#options = options;
    this.#own = options.dispatcher ? [] : [agent(options.cluster, CONNECTIONS), agent(options.cluster, null)];
    [this.#requests, this.#unbounded] = options.dispatcher ? [options.dispatcher, options.dispatcher] : (this.#own as [Agent, Agent]);
  }

  get host(): string {
    return new URL(this.#options.cluster.server).host;
  }

  /** The parsed body of a 2xx. */
  async request(call: KubeRequest): Promise<unknown> {
    if (call.ahead) return this.#exchange(call, this.#unbounded);
    const free = await this.#slots.take(call.signal).catch((cause: unknown) => {
      throw new KubeError('Unavailable', `${describe(call)}: not sent`, { cause });
    });
    return this.#exchange(call, this.#requests).finally(free);
  }

  async #exchange(call: KubeRequest, dispatcher: Dispatcher): Promise<unknown> {
    const limit = deadline(this.#options.clock, () => call.timeout ?? TIMEOUT, call.signal);
    const title = describe(call);
    try {
      const response = await this.#send(call, dispatcher, limit.signal);
      const text = await unlessAborted(limit.signal, response.body.text());
      return call.text === true ? text : (JSON.parse(text) as unknown);
    } catch (error) {
      throw connectionError(title, error, writes(call));
    } finally {
      limit.end();
    }
  }

  /** Lines of a body that does not end, for watches. Ends when the server ends it; longer silence than `silence()` is an error. */
  async *stream(call: Omit<KubeRequest, 'timeout'>, silence: () => Millis): AsyncGenerator<string, void> {
    const limit = deadline(this.#options.clock, silence, call.signal);
    try {
      const response = await this.#send(call, this.#unbounded, limit.signal);
      yield* lines(heard(response.body, () => limit.touch()));
    } catch (error) {
      throw connectionError(describe(call), error, false);
    } finally {
      limit.abort(new Error('the reader has left'));
      limit.end();
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#own.map((each) => each.destroy()));
  }

  /** A 401 means that nothing was done: the credentials are loaded anew and the request is sent once more. */
  async #send(call: KubeRequest, dispatcher: Dispatcher, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    for (let attempt = 1; ; attempt += 1) {
      const response = await this.#sendOnce(call, dispatcher, signal);
      if (response.statusCode < 300) return response;
      const text = await unlessAborted(signal, response.body.text());
      if (response.statusCode === 401) this.#options.cluster.credentials.refused();
      if (response.statusCode !== 401 || attempt > 1) throw refusal(call, response, text);
    }
  }

  async #sendOnce(call: KubeRequest, dispatcher: Dispatcher, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const { cluster, userAgent, onRequest } = this.#options;
    const method = call.method ?? 'GET';
    const path = `${call.path}${search(call.query)}`;
    let code = '<error>';
    const credentials = await this.#credentials(call, signal);
    if (signal.aborted) throw new KubeError('Unavailable', `${describe(call)}: not sent`, { cause: signal.reason });
    try {
      const response = await request(`${cluster.server}${path}`, {
        dispatcher: gated(dispatcher, describe(call), call.unless),
        method,
        signal,
        headers: {
          ...credentials,
          accept: call.metadataOnly ? metadataAlone : 'application/json',
          'user-agent': userAgent,
          ...(call.body !== undefined && { 'content-type': call.contentType ?? 'application/json' }),
        },
        ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
        headersTimeout: 0,
        bodyTimeout: 0,
      });
      code = String(response.statusCode);
      return response;
    } finally {
      onRequest?.({ code, method, host: this.host, path });
    }
  }

  async #credentials(call: KubeRequest, signal: AbortSignal): Promise<Headers> {
    try {
      return await unlessAborted(signal, this.#options.cluster.credentials.headers());
    } catch (error) {
      throw connectionError(`${describe(call)}: credentials`, error, false);
    }
  }
}

const metadataAlone = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';
const writes = (call: KubeRequest): boolean => (call.method ?? 'GET') !== 'GET';
const describe = (call: KubeRequest): string => `${call.method ?? 'GET'} ${call.path}`;

function refusal(call: KubeRequest, response: Dispatcher.ResponseData, text: string): Error {
  const after = response.headers['retry-after'];
  const retryAfter = typeof after === 'string' ? after : undefined;
  return statusError({ request: describe(call), writes: writes(call), status: response.statusCode, retryAfter, text });
}

function search(query: KubeRequest['query']): string {
  const pairs = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs).toString()}`;
}

async function* heard(body: AsyncIterable<Buffer>, then: () => void): AsyncGenerator<Buffer, void> {
  for await (const chunk of body) {
    then();
    yield chunk;
  }
}
