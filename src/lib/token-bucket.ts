import type { Clock, Millis } from './clock.ts';

/** Allows a burst of `size`, then one per `every`. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #size: number;
  readonly #every: Millis;
  #tokens: number;
  #at: Millis;

  constructor(clock: Clock, size: number, every: Millis) {
    this.#clock = clock;
    this.#size = size;
    this.#every = every;
    this.#tokens = size;
    this.#at = clock.monotonic();
  }

  /** False when there is none left now, or when less than `spare` would be. */
  take(spare = 0): boolean {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(this.#size, this.#tokens + (now - this.#at) / this.#every);
    this.#at = now;
    if (this.#tokens < 1 + spare) return false;
    this.#tokens -= 1;
    return true;
  }
}
