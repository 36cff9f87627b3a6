/** A span of time or a point on the monotonic scale, in milliseconds. */
export type Millis = number;

/** One pending callback. Cancelling twice, or after it fired, does nothing. */
export interface Timer {
  cancel(): void;
}

/**
 * The only source of time. Everything that waits takes one in its constructor, so that the whole operator can run in
 * virtual time; nothing else in `src` may touch `Date.now`, `performance.now` or `setTimeout`.
 */
export interface Clock {
  /** Wall clock, milliseconds since the epoch. May jump; never use it to measure. */
  now(): Millis;
  /** Never goes back. Only differences mean anything. */
  monotonic(): Millis;
  /** Calls `then` once, not before `delay` has passed. */
  after(delay: Millis, then: () => void): Timer;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delay, then) => {
    const timer = setTimeout(then, Math.min(Math.max(delay, 0), 2 ** 31 - 1));
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Resolves after `delay`; rejects with the signal's reason when it is aborted first. */
export function sleep(clock: Clock, delay: Millis, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const timer = clock.after(delay, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
