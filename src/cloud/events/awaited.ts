import type { Clock, Millis } from '../../lib/clock.ts';
import type { EventLog } from './event-log.ts';

interface Expected {
  /** A wait that is asked for again and again began here: its limit does not start anew. */
  readonly since: Millis;
  readonly limit: Millis;
  /** Without an open job the wait is over by then. */
  readonly quietAt: Millis;
}

/** An event or job that a call of ours causes shows up within this time, or never. */
const showsWithin: Millis = 60_000;

/** Who waits for what: events are polled fast while somebody does. */
export class AwaitedRemotes {
  readonly #clock: Clock;
  readonly #eventLog: EventLog;
  readonly #started: () => void;
  readonly #expected = new Map<string, Expected>();
  #foreignUntil: Millis = -Infinity;

  constructor(clock: Clock, eventLog: EventLog, started: () => void) {
    this.#clock = clock;
    this.#eventLog = eventLog;
    this.#started = started;
  }

  expect(path: string, limit: Millis): void {
    const now = this.#clock.monotonic();
    const since = this.#expected.get(path)?.since ?? now;
    this.#expected.set(path, { since, limit, quietAt: now + Math.min(limit, showsWithin) });
    this.#started();
  }

  /** Somebody else changed something of ours, and may go on. */
  foreignChange(): void {
    this.#foreignUntil = this.#clock.monotonic() + showsWithin;
    this.#started();
  }

  end(path: string): void {
    this.#expected.delete(path);
  }

  get active(): boolean {
    const now = this.#clock.monotonic();
    let waits = now < this.#foreignUntil;
    for (const [path, { since, limit, quietAt }] of this.#expected) {
      const lasts = now < quietAt || this.#hasOpenJob(path);
      if (!lasts) this.#expected.delete(path);
      else if (now < since + limit) waits = true;
    }
    return waits;
  }

  /** A job may name the parent. */
  #hasOpenJob(path: string): boolean {
    const segments = path.split('/');
    return this.#eventLog.hasOpenJob(path) || this.#eventLog.hasOpenJob(segments.slice(0, -2).join('/'));
  }
}
