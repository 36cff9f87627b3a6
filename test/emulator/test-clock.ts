import type { Clock, Timer } from './clock.ts';

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Virtual time: nothing happens until `advance`. */
export interface TestClock extends Clock {
  /** Moves time forward and runs what falls due, in order; callbacks see the time at which they were due. */
  advance(milliseconds: number): void;
  /** Milliseconds until the next pending callback; undefined when nothing is pending. */
  next(): number | undefined;
}

/** Starts at 2026-01-01 unless told. */
export function testClock(start = Date.UTC(2026, 0, 1)): TestClock {
  const pending = new Set<Pending>();
  let elapsed = 0;
  let order = 0;
  const first = (): Pending | undefined => {
    let best: Pending | undefined;
    for (const one of pending) if (best === undefined || one.at < best.at || (one.at === best.at && one.order < best.order)) best = one;
    return best;
  };
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after: (delay, then): Timer => {
      const one = { at: elapsed + Math.max(0, delay), order: (order += 1), run: then };
      pending.add(one);
      return { cancel: () => void pending.delete(one) };
    },
    advance: (milliseconds) => {
      const end = elapsed + milliseconds;
      for (let due = first(); due !== undefined && due.at <= end; due = first()) {
        pending.delete(due);
        elapsed = Math.max(elapsed, due.at);
        due.run();
      }
      elapsed = end;
    },
    next: () => {
      const due = first();
      return due === undefined ? undefined : due.at - elapsed;
    },
  };
}
