import type { Connection } from '../engine/ports.ts';
import { CloudError } from '../engine/ports.ts';
import type { Clock, Timer } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import type { Log } from '../telemetry/log.ts';
import { backoff } from './backoff.ts';

export type Trouble = NonNullable<ReturnType<Connection['trouble']>>;

export interface VitalsOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Asks the API something cheap; whatever comes back reaches {@link Vitals.heard} or {@link Vitals.failed}. */
  readonly probe: () => Promise<void>;
  readonly changed: () => void;
}

/** Calls in a row without an answer of the API before it counts as unreachable. */
const patience = 3;

/** Calls of these rate classes are refused for now. Undefined: none is. */
export function throttledTrouble(classes: readonly string[]): Trouble | undefined {
  if (classes.length === 0) return undefined;
  const message = `the API throttles this user's ${classes.join(', ')} calls: somebody else uses the same rate windows. Calls go on when it allows them; lower spec.budget.sharePercent if this comes back`;
  return { reason: 'Throttled', message };
}

/** Whether the account can be worked with at all. In trouble nothing is sent but probes with back-off. */
export class Vitals {
  readonly #options: VitalsOptions;
  #trouble: Trouble | undefined;
  #silent = 0;
  #attempt = 0;
  #timer: Timer | undefined;
  #closed = false;

  constructor(options: VitalsOptions) {
    this.#options = options;
  }

  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  /** The rejection of every call while in trouble. */
  refusal(): CloudError | undefined {
    if (this.#trouble === undefined) return undefined;
    const { reason, message } = this.#trouble;
    return new CloudError(reason === 'Unreachable' ? 'Unavailable' : 'Unauthorized', message);
  }

  /** The API itself answered and knew the token. */
  heard(): void {
    this.#silent = 0;
    if (this.#trouble && this.#trouble.reason !== 'AccountMismatch') this.#set(undefined);
  }

  /** No answer of the API: nothing came, or a balancer or proxy spoke in its place. */
  silent(error: CloudError, maintenance: boolean): void {
    this.#silent += 1;
    if (this.#silent < patience && !maintenance) return;
    if (this.#trouble === undefined)
      this.#set({
        reason: 'Unreachable',
        message: `the API does not answer: ${error.message}. It is tried again by itself; objects keep their last state`,
      });
  }

  unauthorized(error: CloudError): void {
    if (this.#trouble?.reason !== 'Unauthorized') this.#set({ reason: 'Unauthorized', message: error.message });
  }

  mismatch(message: string): void {
    this.#set({ reason: 'AccountMismatch', message });
  }

  /** The token leads where it should (again). */
  verified(): void {
    this.#silent = 0;
    if (this.#trouble) this.#set(undefined);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #set(trouble: Trouble | undefined): void {
    this.#trouble = trouble;
    this.#attempt = 0;
    if (trouble) this.#options.log.warn('the account is in trouble', { reason: trouble.reason, detail: trouble.message });
    else this.#options.log.info('the account is well again');
    this.#schedule();
    this.#options.changed();
  }

  #schedule(): void {
    this.#timer?.cancel();
    if (this.#trouble === undefined || this.#closed) return;
    const delay = backoff(this.#attempt, this.#options.random);
    this.#attempt += 1;
    this.#timer = this.#options.clock.after(delay, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    await this.#options.probe().catch(() => undefined);
    this.#schedule();
  }
}
