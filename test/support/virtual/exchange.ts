import { errors } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock, Millis, Timer } from '../../../src/lib/clock.ts';
import { sleep } from '../../../src/lib/clock.ts';
import type { Activity } from './activity.ts';
import type { Backend, BackendRequest, BackendResponse } from './backend.ts';
import { ConnectionLost } from './backend.ts';

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly activity: Activity;
  readonly handler: Dispatcher.DispatchHandler;
  readonly headersTimeout: Millis;
  readonly bodyTimeout: Millis;
  /** Called once, when nothing more will be delivered. */
  readonly finished: () => void;
}

/** One request and its answer on the way between an undici handler and a backend. */
export class Exchange implements Dispatcher.DispatchController {
  aborted = false;
  paused = false;
  reason: Error | null = null;
  readonly #abort = new AbortController();
  readonly #options: ExchangeOptions;
  #finished = false;
  #wake: (() => void) | undefined;
  #timer: Timer | undefined;

  constructor(options: ExchangeOptions) {
    this.#options = options;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  abort(reason: Error): void {
    if (this.#finished) return;
    this.aborted = true;
    this.reason = reason ?? new errors.RequestAbortedError();
    this.#fail(this.reason);
  }

  pause(): void {
    this.paused = true;
  }

  resume(): void {
    this.paused = false;
    this.#wake?.();
    this.#wake = undefined;
  }

  /** The process at the client's end is gone: nothing more is delivered to it, not even an error. */
  vanish(): void {
    this.#finish();
    this.#abort.abort(new ConnectionLost());
    this.resume();
  }

  async run(backend: Backend, request: BackendRequest): Promise<void> {
    this.#options.handler.onRequestStart?.(this, {});
    if (this.#finished) return;
    this.#arm(this.#options.headersTimeout, () => new errors.HeadersTimeoutError());
    try {
      const travel = backend.travel?.(request) ?? { there: 0, back: 0 };
      await this.#wait(travel.there);
      const response = await backend.handle(request);
      await this.#wait(travel.back);
      if (!this.#finished) await this.#deliver(response);
      else await closeBody(response);
    } catch (error) {
      this.#lose(error);
    }
  }

  async #deliver(response: BackendResponse): Promise<void> {
    const { handler, activity } = this.#options;
    const whole = typeof response.body === 'string' || Buffer.isBuffer(response.body) ? Buffer.from(response.body) : undefined;
    const length = whole ? { 'content-length': String(whole.length) } : {};
    activity.note();
    this.#arm(this.#options.bodyTimeout, () => new errors.BodyTimeoutError());
    handler.onResponseStart?.(this, response.status, { ...length, ...response.headers }, '');
    if (whole) this.#data(whole);
    else await this.#stream(response.body as AsyncIterable<string | Buffer>);
    await this.#resumed();
    if (this.#finished) return;
    this.#finish();
    handler.onResponseEnd?.(this, {});
  }

  async #stream(body: AsyncIterable<string | Buffer>): Promise<void> {
    const chunks = body[Symbol.asyncIterator]();
    const stop = (): void => void chunks.return?.()?.catch((error: unknown) => this.#options.activity.fail(error));
    this.signal.addEventListener('abort', stop, { once: true });
    for (;;) {
      await this.#resumed();
      if (this.#finished) return;
      const next = await chunks.next();
      this.#options.activity.note();
      if (next.done || this.#finished) return;
      this.#arm(this.#options.bodyTimeout, () => new errors.BodyTimeoutError());
      this.#data(Buffer.from(next.value));
    }
  }

  #data(chunk: Buffer): void {
    if (!this.#finished && chunk.length > 0) this.#options.handler.onResponseData?.(this, chunk);
  }

  #resumed(): Promise<void> {
    if (!this.paused || this.#finished) return Promise.resolve();
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #wait(span: Millis): Promise<void> {
    if (span > 0) await sleep(this.#options.clock, span, this.signal);
  }

  #arm(span: Millis, error: () => Error): void {
    this.#timer?.cancel();
    this.#timer = span > 0 ? this.#options.clock.after(span, () => this.#fail(error())) : undefined;
  }

  /** Anything a backend throws is a broken connection to the client, with its own `code` if it has one; a bug is also reported to the test. */
  #lose(error: unknown): void {
    if (this.#finished) return;
    if (isBug(error)) this.#options.activity.fail(error);
    if (error instanceof Error && 'code' in error && !isBug(error)) return this.#fail(error);
    this.#fail(new errors.SocketError(error instanceof Error ? error.message : String(error)));
  }

  #fail(error: Error): void {
    if (this.#finished) return;
    this.#finish();
    this.#abort.abort(error);
    this.resume();
    this.#options.activity.note();
    this.#options.handler.onResponseError?.(this, error);
  }

  #finish(): void {
    this.#finished = true;
    this.#timer?.cancel();
    this.#options.activity.note();
    this.#options.finished();
  }
}

async function closeBody(response: BackendResponse): Promise<void> {
  if (typeof response.body === 'string' || Buffer.isBuffer(response.body)) return;
  await response.body[Symbol.asyncIterator]().return?.();
}

function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError || error instanceof SyntaxError;
}
