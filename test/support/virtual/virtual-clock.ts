import type { Clock, Millis, Timer } from '../../../src/lib/clock.ts';
import { Activity } from './activity.ts';
import { MachineTime } from './machine-time.ts';
import { TimerHeap } from './timer-heap.ts';

const NEVER = Number.MAX_SAFE_INTEGER;

export interface VirtualClockOptions {
  /** Wall clock at the beginning, milliseconds since the epoch. */
  readonly start?: Millis;
  readonly activity?: Activity;
}

/** One simulated process: its timers die with it, as those of a killed process do. */
export interface VirtualProcess {
  readonly clock: Clock;
  readonly alive: boolean;
  kill(): void;
  /** As SIGSTOP: timers that fall due wait for `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Its machine's wall clock jumps, that of others does not. */
  jump(by: Millis): void;
  /** Its machine's clocks run so many times as fast as time does from now on. */
  drift(rate: number): void;
}

/**
 * Deterministic time. Timers fire one by one in order of due time, then of creation; between two timers everything that
 * this process can do without time passing is finished first (`Activity`).
 */
export class VirtualClock implements Clock {
  readonly activity: Activity;
  readonly #timers = new TimerHeap();
  #elapsed: Millis = 0;
  #wallOffset: Millis;
  #serial = 0;

  constructor(options: VirtualClockOptions = {}) {
    this.activity = options.activity ?? new Activity();
    this.#wallOffset = options.start ?? Date.UTC(2026, 0, 1);
  }

  now(): Millis {
    return this.#wallOffset + this.#elapsed;
  }

  monotonic(): Millis {
    return this.#elapsed;
  }

  after(delay: Millis, then: () => void): Timer {
    const wait = Number.isNaN(delay) ? 0 : Math.max(0, delay);
    const timer = { due: Math.min(this.#elapsed + wait, NEVER), serial: this.#serial++, fire: then, cancelled: false };
    this.#timers.push(timer);
    return {
      cancel: () => {
        timer.cancelled = true;
      },
    };
  }

  /** The wall clock jumps (NTP, a suspended machine); monotonic time and timers do not notice. */
  jumpWallClock(by: Millis): void {
    this.#wallOffset += by;
  }

  /** Finishes all work that is possible at this instant. */
  settle(): Promise<void> {
    return this.activity.settle();
  }

  /** Lets `span` pass and fires what falls due in it, the end included. */
  async advance(span: Millis): Promise<void> {
    const end = this.#elapsed + span;
    await this.settle();
    while (await this.#fireNext(end)) await this.settle();
    this.#elapsed = end;
  }

  /** Lets time pass until `done`; returns how long it took. Throws when `limit` passes first, naming the time it gave. */
  async runUntil(done: () => boolean | Promise<boolean>, limit: Millis): Promise<Millis> {
    const begin = this.#elapsed;
    await this.settle();
    while (!(await done())) {
      if (!(await this.#fireNext(begin + limit))) {
        this.#elapsed = begin + limit;
        throw new Error(`not so within ${limit} ms of virtual time; ${this.#describePending()}`);
      }
      await this.settle();
    }
    return this.#elapsed - begin;
  }

  /** A view of this clock for one simulated process that a test may kill. */
  spawn(): VirtualProcess {
    let alive = true;
    let missed: (() => void)[] | undefined;
    const fire = (then: () => void): void => {
      if (!alive) return;
      if (missed === undefined) then();
      else missed.push(then);
    };
    const time = new MachineTime(this);
    const clock: Clock = {
      now: () => time.now(),
      monotonic: () => time.monotonic(),
      after: (delay, then) => (alive ? this.#cancellable(time.trueSpan(delay), then, fire) : { cancel: () => undefined }),
    };
    return {
      jump: (by) => time.jump(by),
      drift: (rate) => time.drift(rate),
      clock,
      get alive() {
        return alive;
      },
      kill: () => {
        alive = false;
      },
      freeze: () => {
        missed ??= [];
      },
      thaw: () => {
        const due = missed ?? [];
        missed = undefined;
        for (const then of due) fire(then);
      },
    };
  }

  /** A timer that was missed while its process stood still can be cancelled until it has fired. */
  #cancellable(delay: Millis, then: () => void, fire: (then: () => void) => void): Timer {
    let cancelled = false;
    const timer = this.after(delay, () => fire(() => cancelled || then()));
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
      },
    };
  }

  async #fireNext(end: Millis): Promise<boolean> {
    const next = this.#timers.peek();
    if (!next || next.due > end) return false;
    this.#timers.pop();
    this.#elapsed = Math.max(this.#elapsed, next.due);
    next.fire();
    return true;
  }

  #describePending(): string {
    const waiting = this.#timers.pending();
    const next = waiting[0];
    return next
      ? `${waiting.length} timers wait, the next in ${next.due - this.#elapsed} ms`
      : 'no timer is pending: whatever it waits for never comes';
  }
}
