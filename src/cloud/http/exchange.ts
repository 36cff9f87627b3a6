import type { Dispatcher } from 'undici';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import type { RawAnswer } from './answer.ts';

export interface Limits {
  /** From the hand-over to the first header, and then between any two pieces of the body. */
  readonly patience: Millis;
  readonly bytes: number;
}
/** Longer than the service is known to take before it commits and answers (README: facts 9). */
export const defaultLimits: Limits = { patience: 75_000, bytes: 64 * 1024 * 1024 };

/** Why there is no whole answer. */
export class Lost extends Error {
  override readonly name = 'Lost';
  readonly why: 'gate' | 'aborted' | 'transport' | 'too-large';
  /** Bytes of the request may have left this process. */
  readonly sent: boolean;
  constructor(why: Lost['why'], sent: boolean, message: string, cause?: unknown) {
    super(message, { cause });
    this.why = why;
    this.sent = sent;
  }
}

export interface ExchangeOptions {
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Runs in the tick of the socket write; a text stops the request. */
  readonly gate?: (() => string | undefined) | undefined;
}

/** Sends one request; rejects only with {@link Lost}. */
export function exchange(request: Dispatcher.DispatchOptions, options: ExchangeOptions): Promise<RawAnswer> {
  return new Promise((resolve, reject) => new Exchange(options, resolve, reject).start(request));
}

/**
 * Works on undici's `dispatch` and not its `request`: `onRequestStart` is called in the tick of the socket write, once a
 * connection stands, which is where the gate belongs and what tells a change that was sent from one that was not.
 */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #resolve: (answer: RawAnswer) => void;
  readonly #reject: (lost: Lost) => void;
  readonly #abort = (): void => this.#fail('aborted', 'the call was cancelled');
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #timer: Timer | undefined;
  #requestedAt: Millis | undefined;
  #head: { readonly status: number; readonly headers: Readonly<Record<string, string>> } | undefined;
  #bytes = 0;
  #ended = false;

  constructor(options: ExchangeOptions, resolve: (answer: RawAnswer) => void, reject: (lost: Lost) => void) {
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  start(request: Dispatcher.DispatchOptions): void {
    const { signal, dispatcher } = this.#options;
    if (signal.aborted) return this.#abort();
    signal.addEventListener('abort', this.#abort, { once: true });
    this.#arm();
    try {
      dispatcher.dispatch(request, this);
    } catch (error) {
      this.onResponseError(undefined, error instanceof Error ? error : new Error(String(error)));
    }
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ended) return controller.abort(new Error('nobody waits for this any more'));
    const refusal = this.#askGate();
    if (refusal !== undefined) return this.#fail('gate', refusal);
    this.#requestedAt = this.#options.clock.monotonic();
  }

  onResponseStart(
    _: Dispatcher.DispatchController,
    status: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#arm();
    const flat = Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]);
    this.#head = { status, headers: Object.fromEntries(flat) as Record<string, string> };
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#arm();
    this.#bytes += chunk.length;
    if (this.#bytes > this.#options.limits.bytes)
      return this.#fail('too-large', `the answer is larger than ${this.#options.limits.bytes} bytes`);
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.#ended) return;
    const head = this.#head;
    if (head === undefined) return this.#fail('transport', 'the answer had no head');
    this.#finish();
    const answeredAt = this.#options.clock.monotonic();
    this.#resolve({
      ...head,
      bytes: Buffer.concat(this.#chunks),
      requestedAt: this.#requestedAt ?? answeredAt,
      answeredAt,
    });
  }

  onResponseError(_: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#fail('transport', error.message, error);
  }

  #askGate(): string | undefined {
    try {
      return this.#options.gate?.();
    } catch (error) {
      return `the check before sending failed: ${String(error)}`;
    }
  }

  #arm(): void {
    this.#timer?.cancel();
    if (this.#ended) return;
    const { patience } = this.#options.limits;
    this.#timer = this.#options.clock.after(patience, () => this.#fail('transport', `no answer within ${patience / 1000} s`));
  }

  #fail(why: Lost['why'], message: string, cause?: unknown): void {
    if (this.#ended) return;
    this.#finish();
    const lost = new Lost(why, this.#requestedAt !== undefined, message, cause);
    this.#controller?.abort(lost);
    this.#reject(lost);
  }

  #finish(): void {
    this.#ended = true;
    this.#timer?.cancel();
    this.#options.signal.removeEventListener('abort', this.#abort);
  }
}
