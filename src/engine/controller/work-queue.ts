import { backoff } from '../../lib/backoff.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { Heap } from '../../lib/heap.ts';
import type { Random } from '../../lib/random.ts';
import { parseObjectId } from '../model/object-id.ts';
import { FairLine } from './fair-line.ts';

/** Urgent keys in a row before one that waits behind them is taken. */
const URGENT_RUN = 4;
/** How many times as many as are free may be of one namespace: 7 of 8, and of what that leaves 7 of 8 again. */
const TIMES_FREE = 7;

export interface AddOptions {
  /** Not before this much later; absent or 0: now. */
  readonly after?: Millis;
  /** Goes before keys that are not, for example after an edit by a person. */
  readonly urgent?: boolean;
}
export type QueueChange = 'add' | 'retry' | 'start' | 'done';
export interface WorkQueueOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Keys that may be worked on at once; without a bound where absent. */
  readonly turns?: number;
  /** Told of each step of a key, for metrics; `waited` counts from when it was due. */
  readonly observe?: (change: QueueChange, key: string, waited: Millis) => void;
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
 * Turns are shared out between namespaces: who has thousands that take long has what others leave, and never the last one.
 */
export class WorkQueue {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #observe: NonNullable<WorkQueueOptions['observe']>;
  readonly #turns: number;
  readonly #urgent = new FairLine<Ready>();
  readonly #normal = new FairLine<Ready>();
  readonly #processing = new Set<string>();
  /** Of `#processing`, how many are of a namespace. */
  readonly #loads = new Map<string, number>();
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
    this.#turns = options.turns ?? Infinity;
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
      const first = lane.first();
      return now - ((first && lane.get(first.key)?.since) ?? now);
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
    this.#load(namespaceOf(key), -1);
    const again = this.#again.get(key);
    this.#again.delete(key);
    if (again && !this.#closed) this.#enqueue(key, again);
    this.#serve();
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
      const place = this.#placeOf(key);
      this.#normal.delete(key, place);
      this.#urgent.add(key, { since: waiting.since, urgent: true }, place);
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
    (entry.urgent ? this.#urgent : this.#normal).add(key, entry, this.#placeOf(key));
    this.#observe('add', key, 0);
    this.#serve();
  }

  /** Gives waiting workers what they may have now. */
  #serve(): void {
    while (this.#waiters.length > 0) {
      const key = this.#take();
      if (key === undefined) return;
      this.#waiters.pop()?.(key);
    }
  }

  #take(): string | undefined {
    const starved = this.#urgentRun >= URGENT_RUN && this.#normal.size > 0;
    const [one, other] = starved ? [this.#normal, this.#urgent] : [this.#urgent, this.#normal];
    return this.#takeOf(one) ?? this.#takeOf(other);
  }

  #takeOf(lane: FairLine<Ready>): string | undefined {
    const first = lane.first();
    const free = this.#turns - this.#processing.size;
    // No other of this lane has fewer at work.
    if (first === undefined || free <= 0 || first.load >= TIMES_FREE * free) return undefined;
    const { key } = first;
    const entry = lane.get(key);
    this.#urgentRun = lane === this.#urgent ? this.#urgentRun + 1 : 0;
    lane.delete(key, first);
    this.#processing.add(key);
    this.#load(first.namespace, 1);
    this.#observe('start', key, this.#clock.monotonic() - (entry?.since ?? 0));
    return key;
  }

  #placeOf(key: string): { readonly namespace: string; readonly load: number } {
    const namespace = namespaceOf(key);
    return { namespace, load: this.#loads.get(namespace) ?? 0 };
  }

  #load(namespace: string, by: 1 | -1): void {
    const before = this.#loads.get(namespace) ?? 0;
    if (before + by === 0) this.#loads.delete(namespace);
    else this.#loads.set(namespace, before + by);
    for (const lane of [this.#urgent, this.#normal]) lane.moved(namespace, before, before + by);
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

const namespaceOf = (key: string): string => parseObjectId(key).key.namespace;
