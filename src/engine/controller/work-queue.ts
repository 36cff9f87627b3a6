import { backoff } from '../../lib/backoff.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { FifoMap } from '../../lib/fifo-map.ts';
import { Heap } from '../../lib/heap.ts';
import type { Random } from '../../lib/random.ts';

/** Urgent keys in a row before one that waits behind them is taken. */
const URGENT_RUN = 4;

export interface AddOptions {
  /** Not before this much later; absent or 0: now. */
  readonly after?: Millis;
  /** Goes before keys that are not, for example after an edit by a person. */
  readonly urgent?: boolean;
}
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Told of each step of a key, for metrics; `waited` counts from when it was due. */
  readonly observe?: (change: 'add' | 'retry' | 'start' | 'done', key: string, waited: Millis) => void;
}
interface Delayed {
  readonly key: string;
  readonly due: Millis;
  readonly urgent: boolean;
}
interface Ready {
  /** Monotonic, when it became due. */
  readonly since: Millis;
  readonly urgent: boolean;
}

const timeline = (): Heap<Delayed> => new Heap((a, b) => a.due < b.due);

/**
 * Keys to work on, each at most once at a time (the semantics of client-go). A key that is added while it waits is one
 * key; one that is added while it is worked on comes again after `done`. A key has one due time: the earlier wins.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #observe: NonNullable<WorkQueueOptions['observe']>;
  readonly #urgent = new FifoMap<string, Ready>();
  readonly #normal = new FifoMap<string, Ready>();
  readonly #processing = new Set<string>();
  /** Added while worked on. */
  readonly #again = new Map<string, Ready>();
  readonly #delayed = new Map<string, Delayed>();
  /** May hold entries that `#delayed` no longer has; they are skipped. */
  #timeline = timeline();
  readonly #failures = new Map<string, number>();
  readonly #waiters: ((key: string | undefined) => void)[] = [];
  #timer: { readonly due: Millis; readonly timer: Timer } | undefined;
  #urgentRun = 0;
  #closed = false;

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock;
    this.#random = options.random;
    this.#observe = options.observe ?? (() => undefined);
  }

  /** Keys that are due and not yet taken. */
  get size(): number {
    return this.#urgent.size + this.#normal.size;
  }

  /** Keys that wait for their time. */
  get delayed(): number {
    return this.#delayed.size;
  }

  /** For how long the next key of either lane has been due. */
  oldestWait(): Millis {
    const now = this.#clock.monotonic();
    const waits = [this.#urgent, this.#normal].map((lane) => {
      const key = lane.oldest();
      return now - ((key === undefined ? undefined : lane.get(key)?.since) ?? now);
    });
    return Math.max(...waits);
  }

  add(key: string, options: AddOptions = {}): void {
    if (this.#closed) return;
    const urgent = options.urgent ?? false;
    if ((options.after ?? 0) > 0) return this.#addLater({ key, due: this.#clock.monotonic() + (options.after ?? 0), urgent });
    this.#addNow(key, urgent);
  }

  /** Adds the key with its next back-off, but not before `atLeast` nor, above all, after `atMost`; returns the delay. */
  retry(key: string, atLeast: Millis = 0, atMost: Millis = Infinity): Millis {
    const failures = this.#failures.get(key) ?? 0;
    this.#failures.set(key, failures + 1);
    const after = Math.min(Math.max(backoff(failures, this.#random), atLeast), atMost);
    this.#observe('retry', key, 0);
    this.add(key, { after });
    return after;
  }

  /** The next failure of this key counts as its first. */
  forget(key: string): void {
    this.#failures.delete(key);
  }
  /** Keys that failed and are tried again. */
  known(): Iterable<string> {
    return this.#failures.keys();
  }

  /** Waits for a key; it must be given back with `done`. Undefined once the queue is closed, whatever it still holds. */
  next(): Promise<string | undefined> {
    if (this.#closed) return Promise.resolve(undefined);
    const key = this.#take();
    if (key !== undefined) return Promise.resolve(key);
    return new Promise((resolve) => void this.#waiters.push(resolve));
  }

  done(key: string): void {
    if (!this.#processing.delete(key)) return;
    this.#observe('done', key, 0);
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again && !this.#closed) this.#enqueue(key, again);
  }

  close(): void {
    this.#closed = true;
    this.#timer?.timer.cancel();
    for (const resolve of this.#waiters.splice(0)) resolve(undefined);
  }

  #addNow(key: string, urgent: boolean): void {
    const before = this.#delayed.get(key);
    this.#delayed.delete(key);
    const entry = { since: this.#clock.monotonic(), urgent: urgent || (before?.urgent ?? false) };
    if (this.#processing.has(key)) return this.#addAgain(key, entry);
    const waiting = this.#urgent.get(key) ?? this.#normal.get(key);
    if (!waiting) return this.#enqueue(key, entry);
    if (entry.urgent && !waiting.urgent) {
      this.#normal.delete(key);
      this.#urgent.set(key, { since: waiting.since, urgent: true });
    }
  }

  #addAgain(key: string, entry: Ready): void {
    const again = this.#again.get(key);
    this.#again.set(key, again ? { since: again.since, urgent: again.urgent || entry.urgent } : entry);
  }

  #addLater(entry: Delayed): void {
    const { key } = entry;
    if (this.#urgent.has(key) || this.#normal.has(key) || this.#again.has(key)) return;
    const before = this.#delayed.get(key);
    const merged = before ? { key, due: Math.min(before.due, entry.due), urgent: before.urgent || entry.urgent } : entry;
    if (before && merged.due === before.due && merged.urgent === before.urgent) return;
    this.#delayed.set(key, merged);
    this.#timeline.push(merged);
    if (this.#timeline.size > 2 * this.#delayed.size + 64) this.#compact();
    this.#arm();
  }

  #enqueue(key: string, entry: Ready): void {
    (entry.urgent ? this.#urgent : this.#normal).set(key, entry);
    this.#observe('add', key, 0);
    const waiter = this.#waiters.pop();
    if (waiter) waiter(this.#take());
  }

  #take(): string | undefined {
    const starved = this.#urgentRun >= URGENT_RUN && this.#normal.size > 0;
    const lane = this.#urgent.size > 0 && !starved ? this.#urgent : this.#normal;
    const key = lane.oldest();
    const entry = key === undefined ? undefined : lane.get(key);
    if (key === undefined || !entry) return undefined;
    this.#urgentRun = lane === this.#urgent ? this.#urgentRun + 1 : 0;
    lane.delete(key);
    this.#processing.add(key);
    this.#observe('start', key, this.#clock.monotonic() - entry.since);
    return key;
  }

  /** Drops what is superseded: keys that run often leave an entry each time. */
  #compact(): void {
    this.#timeline = timeline();
    for (const entry of this.#delayed.values()) this.#timeline.push(entry);
  }

  /** One timer for all: it is set for the earliest entry and set anew only when an earlier one comes. */
  #arm(): void {
    const first = this.#timeline.peek();
    if (!first || (this.#timer && this.#timer.due <= first.due)) return;
    this.#timer?.timer.cancel();
    const wait = Math.max(0, first.due - this.#clock.monotonic());
    this.#timer = { due: first.due, timer: this.#clock.after(wait, () => this.#fire()) };
  }

  #fire(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonic();
    for (let first = this.#timeline.peek(); first && first.due <= now; first = this.#timeline.peek()) {
      this.#timeline.pop();
      if (this.#delayed.get(first.key) === first) this.#addNow(first.key, first.urgent);
    }
    if (!this.#closed) this.#arm();
  }
}
