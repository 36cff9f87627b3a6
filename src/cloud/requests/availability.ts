import type { Connection } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { Log } from '../../telemetry/log.ts';
import { backoff } from '../../lib/backoff.ts';

export type Outage = NonNullable<ReturnType<Connection['outage']>>;

export interface AvailabilityOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Asks the API something cheap; whatever comes back reaches {@link Availability.heard} or {@link Availability.failed}. */
  readonly probe: () => Promise<void>;
  readonly changed: () => void;
}

/** Calls in a row without an answer of the API before it is asked whether it is there at all. */
const patience = 3;
/** What was found to be the trouble of some calls alone may last, and those calls come again. */
const betweenDoubts: Millis = 10_000;
/** A shorter trouble is that of a single call, which comes back at once if all that failed is asked again. */
const longTrouble: Millis = 30_000;

/** Calls of these rate classes are refused for now. Undefined: none is. */
export function throttledOutage(classes: readonly string[]): Outage | undefined {
  if (classes.length === 0) return undefined;
  const message = `the API throttles this user's ${classes.join(', ')} calls: somebody else uses the same rate windows. Calls go on when it allows them; lower spec.budget.sharePercent if this comes back`;
  return { reason: 'Throttled', message };
}

/** Whether the account can be worked with at all. In an outage nothing is sent but probes with back-off. */
export class Availability {
  readonly #options: AvailabilityOptions;
  #outage: Outage | undefined;
  #heard = 0;
  #silent = 0;
  #inDoubt = false;
  #doubtedAt: Millis = -Infinity;
  #attempt = 0;
  #timer: Timer | undefined;
  #closed = false;
  #beganAt: Millis = 0;
  #lasted: Millis = 0;

  constructor(options: AvailabilityOptions) {
    this.#options = options;
  }

  get outage(): Outage | undefined {
    return this.#outage;
  }

  /** A trouble is over in which much was missed. */
  get isBackAgain(): boolean {
    return this.#outage === undefined && this.#lasted >= longTrouble;
  }

  /** The rejection of every call in an outage. */
  refusal(): CloudError | undefined {
    if (this.#outage === undefined) return undefined;
    const { reason, message } = this.#outage;
    return new CloudError(reason === 'Unreachable' ? 'Unavailable' : 'Unauthorized', message);
  }

  /** The API itself answered and knew the token. */
  heard(): void {
    this.#heard += 1;
    this.#silent = 0;
    if (this.#outage && this.#outage.reason !== 'AccountMismatch') this.#set(undefined);
  }

  /** No answer of the API: nothing came, or a balancer or proxy spoke in its place. In maintenance it is asked at once whether all of it is. */
  silent(error: CloudError, maintenance: boolean): void {
    this.#silent += 1;
    if (this.#outage !== undefined) return;
    if (maintenance || this.#silent >= patience) void this.#doubt(error);
  }

  /** One path alone may be without an answer, or in maintenance, whatever the header says; that must not stop all others. */
  async #doubt(error: CloudError): Promise<void> {
    const now = this.#options.clock.monotonic();
    if (this.#inDoubt || now - this.#doubtedAt < betweenDoubts) return;
    this.#inDoubt = true;
    this.#doubtedAt = now;
    const [heard, silent] = [this.#heard, this.#silent];
    try {
      await this.#options.probe();
    } catch {
      // What came of it is counted.
    }
    this.#inDoubt = false;
    if (this.#heard === heard && this.#silent > silent && this.#outage === undefined && !this.#closed) this.#unreachable(error);
  }

  #unreachable(error: CloudError): void {
    this.#set({
      reason: 'Unreachable',
      message: `the API does not answer: ${error.message}. It is tried again by itself; objects keep their last state`,
    });
  }

  unauthorized(error: CloudError): void {
    if (this.#outage?.reason !== 'Unauthorized') this.#set({ reason: 'Unauthorized', message: error.message });
  }

  mismatch(message: string): void {
    this.#set({ reason: 'AccountMismatch', message });
  }

  /** The token leads where it should (again). */
  verified(): void {
    this.#silent = 0;
    if (this.#outage) this.#set(undefined);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #set(outage: Outage | undefined): void {
    const now = this.#options.clock.monotonic();
    if (this.#outage === undefined) this.#beganAt = now;
    if (outage === undefined) this.#lasted = now - this.#beganAt;
    this.#outage = outage;
    this.#attempt = 0;
    if (outage) this.#options.log.warn('the account is in trouble', { reason: outage.reason, detail: outage.message });
    else this.#options.log.info('the account is well again');
    this.#schedule();
    this.#options.changed();
  }

  #schedule(): void {
    this.#timer?.cancel();
    if (this.#outage === undefined || this.#closed) return;
    const delay = backoff(this.#attempt, this.#options.random);
    this.#attempt += 1;
    this.#timer = this.#options.clock.after(delay, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    await this.#options.probe().catch(() => undefined);
    this.#schedule();
  }
}
