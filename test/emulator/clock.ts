/** One pending callback. Cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

/** The emulator's only source of time: milliseconds, wall clock and monotonic. Structurally the clock of the operator's adapters. */
export interface Clock {
  now(): number;
  monotonic(): number;
  after(delay: number, then: () => void): Timer;
}

/** Wall time of this machine; pending timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delay, then) => {
    const timer = setTimeout(then, Math.min(delay, 2 ** 31 - 1));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};
