import type { Clock, Timer } from '../clock.ts';

/** The emulator's view of time: the wall clock may be wrong, the monotonic one is not. */
export class SkewedClock implements Clock {
  readonly #base: Clock;
  skew = 0;

  constructor(base: Clock) {
    this.#base = base;
  }

  now(): number {
    return this.#base.now() + this.skew;
  }

  monotonic(): number {
    return this.#base.monotonic();
  }

  after(delay: number, then: () => void): Timer {
    return this.#base.after(delay, then);
  }
}
