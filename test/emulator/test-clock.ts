import type { Clock, Timer } from './clock.ts';
import { DueQueue } from './core/due-queue.ts';

interface Pending {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
  cancelled: boolean;
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
  const pending = new DueQueue<Pending>();
  let elapsed = 0;
  let order = 0;
  const first = (): Pending | undefined => {
    while (pending.first?.cancelled === true) pending.pop();
    return pending.first;
  };
  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after: (delay, then): Timer => {
      const one: Pending = { at: elapsed + Math.max(0, delay), order: (order += 1), run: then, cancelled: false };
      pending.push(one);
      return { cancel: () => void (one.cancelled = true) };
    },
    advance: (milliseconds) => {
      const end = elapsed + milliseconds;
      for (let due = first(); due !== undefined && due.at <= end; due = first()) {
        pending.pop();
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
