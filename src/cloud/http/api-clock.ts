import type { Clock, Millis } from '../../lib/clock.ts';

/**
 * The service's wall clock, from its `Date` headers. A header is cut to whole seconds and was written somewhere between
 * request and answer; each one narrows the possible offset, so that after a few answers it is known to some milliseconds.
 */
export class ApiClock {
  #lowest = -Infinity;
  #highest = Infinity;

  observe(date: Millis, requestedAt: Millis, answeredAt: Millis): void {
    const lowest = Math.max(this.#lowest, date - answeredAt);
    const highest = Math.min(this.#highest, date + 1000 - requestedAt);
    const contradicts = lowest > highest;
    this.#lowest = contradicts ? date - answeredAt : lowest;
    this.#highest = contradicts ? date + 1000 - requestedAt : highest;
  }

  /** Before the first answer, by our own. */
  now(clock: Clock): Millis {
    return this.offset === undefined ? clock.now() : this.offset + clock.monotonic();
  }

  /** What must be added to our monotonic clock: never too much. Undefined before the first answer. */
  get offset(): Millis | undefined {
    return this.#lowest === -Infinity ? undefined : this.#lowest;
  }
}
