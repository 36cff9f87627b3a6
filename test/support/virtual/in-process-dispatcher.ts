import { Dispatcher, errors } from 'undici';
import type { Clock, Millis } from '../../../src/lib/clock.ts';
import type { Activity } from './activity.ts';
import type { Backend } from './backend.ts';
import { ConnectionLost } from './backend.ts';
import { Exchange } from './exchange.ts';
import { flattenHeaders, pathWithQuery, readBody } from './request-parts.ts';

/** undici's own default for both of an agent's timeouts. */
const DEFAULT_TIMEOUT: Millis = 300_000;

export interface InProcessDispatcherOptions {
  readonly clock: Clock;
  readonly activity: Activity;
  /** Backends by origin, for example `https://api.example.test`. An unknown origin refuses the connection. */
  readonly backends: Readonly<Record<string, Backend>>;
  readonly headersTimeout?: Millis;
  readonly bodyTimeout?: Millis;
}

/** Serves undici's `request`, `stream`, ... from functions in this process, in virtual time, without sockets. */
export class InProcessDispatcher extends Dispatcher {
  readonly #options: InProcessDispatcherOptions;
  readonly #open = new Set<Exchange>();
  #state: 'open' | 'closed' | 'gone' = 'open';

  constructor(options: InProcessDispatcherOptions) {
    super();
    this.#options = options;
  }

  /** Requests that have been sent and not fully answered. */
  get inFlight(): number {
    return this.#open.size;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    if (this.#state === 'gone') return true;
    const exchange: Exchange = new Exchange({
      clock: this.#options.clock,
      activity: this.#options.activity,
      handler,
      headersTimeout: options.headersTimeout ?? this.#options.headersTimeout ?? DEFAULT_TIMEOUT,
      bodyTimeout: options.bodyTimeout ?? this.#options.bodyTimeout ?? DEFAULT_TIMEOUT,
      finished: () => this.#open.delete(exchange),
    });
    this.#open.add(exchange);
    this.#options.activity.note();
    void this.#run(exchange, options).catch((error: unknown) => this.#options.activity.fail(error));
    return true;
  }

  override close(callback?: () => void): Promise<void> {
    if (this.#state === 'open') this.#state = 'closed';
    callback?.();
    return Promise.resolve();
  }

  override destroy(error?: Error | null | (() => void), callback?: () => void): Promise<void> {
    this.#state = 'closed';
    const reason = error instanceof Error ? error : new errors.ClientDestroyedError();
    for (const exchange of this.#open) exchange.abort(reason);
    if (typeof error === 'function') error();
    callback?.();
    return Promise.resolve();
  }

  /** All open connections break at once; new ones are possible. */
  breakConnections(error: Error = new ConnectionLost()): void {
    for (const exchange of this.#open) exchange.abort(error);
  }

  /** The process that uses this dispatcher was killed: servers see its connections close, it sees nothing any more. */
  kill(): void {
    this.#state = 'gone';
    for (const exchange of this.#open) exchange.vanish();
  }

  async #run(exchange: Exchange, options: Dispatcher.DispatchOptions): Promise<void> {
    const origin = new URL(String(options.origin)).origin;
    const backend = this.#options.backends[origin];
    // Who breaks off in the middle of what it sends has its connection broken.
    const body = await readBody(options.body).catch((error: unknown) =>
      exchange.abort(error instanceof Error ? error : new ConnectionLost()),
    );
    if (body === undefined) return;
    const request = {
      method: options.method,
      path: pathWithQuery(options.path, options.query),
      headers: {
        host: new URL(origin).host,
        ...flattenHeaders(options.headers),
        ...(body.length > 0 ? { 'content-length': String(body.length) } : {}),
      },
      body,
      signal: exchange.signal,
    };
    await exchange.run(backend && this.#state === 'open' ? backend : this.#refusing(origin), request);
  }

  #refusing(origin: string): Backend {
    const error =
      this.#state === 'closed'
        ? new errors.ClientClosedError()
        : new ConnectionLost('ECONNREFUSED', `connect ECONNREFUSED ${origin}: no backend of this name`);
    return { handle: () => Promise.reject(error) };
  }
}
