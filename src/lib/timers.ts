import type { Clock, Millis, Timer } from './clock.ts';

/** Timers of one owner, which end with it: one that is left would keep the process alive. */
export class Timers {
  readonly #clock: Clock;
  readonly #pending = new Set<Timer>();
  #closed = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(delay: Millis, then: () => void): void {
    if (this.#closed) return;
    const timer = this.#clock.after(delay, () => {
      this.#pending.delete(timer);
      then();
    });
    this.#pending.add(timer);
  }

  /** None fires any more, and none is taken. */
  close(): void {
    this.#closed = true;
    for (const timer of this.#pending) timer.cancel();
    this.#pending.clear();
  }
}
