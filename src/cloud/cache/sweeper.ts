import type { Owner } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import type { Timers } from '../../lib/timers.ts';
import { type AnyKind, isListed, isListedBelow, pathsOf } from '../../resource/index.ts';
import type { Log } from '../../telemetry/log.ts';
import { backoff } from '../../lib/backoff.ts';
import type { Random } from '../../lib/random.ts';
import type { SharedLists, WholeListing } from './shared-lists.ts';
import { ownersWithout } from './owners.ts';
import { inBackground } from '../requests/background.ts';
import type { RowStore } from './row-store.ts';
import type { ResourceCounts } from './resource-counts.ts';

/** One listed collection that somebody has an interest in. */
interface Swept {
  readonly kinds: Set<AnyKind>;
  /** Swept by time, and not by the round of sub-collections. */
  readonly timed: boolean;
  /** Those who wait for the next complete sweep. */
  waiting: Owner[];
  sweptAt: Millis | undefined;
  begunAt: Millis;
  pages: number;
  running: boolean;
  failures: number;
  timer: Timer | undefined;
  due: Millis;
  /** When a sweep was last asked for; an older listing does not answer that. */
  askedAt: Millis;
}

export interface SweeperOptions {
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'after'>;
  readonly random: Random;
  readonly log: Log;
  readonly lists: Pick<SharedLists, 'list'>;
  readonly rows: RowStore;
  readonly counts: ResourceCounts;
  readonly signal: AbortSignal;
  readonly wake: (owners: Iterable<Owner>) => void;
  /** A listing showed that rows of theirs changed or vanished. */
  readonly changed: (owners: ReadonlySet<Owner>) => void;
}

/** A collection is swept this often. */
export const sweepEvery: Millis = 300_000;
/** Wishes that come within so long become one sweep. */
const gather: Millis = 50;
/** After a change was seen a collection is swept again at the earliest after so long per page, and not later than the maximum. */
const spacePerPage: Millis = 3000;
const spaceMost: Millis = 30_000;
/** Rows of a sweep that nobody owns are kept for owners that are about to come: those of a minute are good enough, and then their identities are written. */
const looseFor: Millis = 90_000;

/** Keeps the rows of whole collections fresh and wakes the owners of rows that changed or vanished. */
export class Sweeper {
  readonly #options: SweeperOptions;
  readonly #swept = new Map<string, Swept>();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  sweptAt(collection: string): Millis | undefined {
    return this.#swept.get(collection)?.sweptAt;
  }

  /** When the collection that was not swept for longest was; undefined when none was yet. */
  get oldest(): Millis | undefined {
    const swept = [...this.#swept.values()].flatMap(({ timed, sweptAt }) => (timed && sweptAt !== undefined ? [sweptAt] : []));
    return swept.length === 0 ? undefined : Math.min(...swept);
  }

  /** It is among those that are swept, though perhaps not yet for the first time. */
  sweeps(collection: string): boolean {
    return this.#swept.has(collection);
  }

  /** Requests that one sweep takes. */
  pages(collection: string): number {
    return this.#swept.get(collection)?.pages ?? 1;
  }

  /** Starts to sweep what this owner's kind is listed in. */
  add({ kind, collection }: Owner): void {
    const known = this.#swept.get(collection);
    if (known) return void known.kinds.add(kind);
    const timed = !isListedBelow(kind);
    const made: Swept = {
      kinds: new Set([kind]),
      timed,
      waiting: [],
      sweptAt: undefined,
      begunAt: -Infinity,
      pages: 1,
      running: false,
      failures: 0,
      timer: undefined,
      due: Infinity,
      askedAt: -Infinity,
    };
    this.#swept.set(collection, made);
    if (timed) this.#schedule(collection, made, sweepEvery * this.#options.random());
  }

  /** Nobody has anything in it any more. */
  remove(collection: string): void {
    this.#swept.get(collection)?.timer?.cancel();
    this.#swept.delete(collection);
    this.#options.counts.remove(collection);
  }

  /** An owner waits for a sweep; it is woken when one is complete. */
  requestFor(owner: Owner): void {
    if (!isListed(owner.kind)) return;
    this.add(owner);
    const one = this.#swept.get(owner.collection);
    if (one === undefined) return;
    one.waiting.push(owner);
    this.#soon(owner.collection, one, one.sweptAt === undefined ? gather : this.#space(one));
  }

  /** Something in it changed: sweep it soon. */
  request(collection: string): void {
    const one = this.#swept.get(collection);
    if (one) this.#soon(collection, one, this.#space(one));
  }

  /** These are woken by the next sweep, whatever it shows. */
  owe(collection: string, owners: readonly Owner[]): void {
    this.#swept.get(collection)?.waiting.push(...owners);
  }

  /** So much was missed that everything must be looked at. `timed`: somebody asks, and what lies below others stays in the rounds. */
  requestAll(which: 'all' | 'timed'): void {
    for (const [collection, { timed }] of this.#swept) if (timed || which === 'all') this.request(collection);
  }

  /** After an outage: whatever is overdue goes at once. */
  resume(): void {
    for (const [collection, one] of this.#swept) if (one.failures > 0) this.#soon(collection, one, gather);
  }

  close(): void {
    for (const one of this.#swept.values()) one.timer?.cancel();
  }

  /** Reads the collection now; resolves with the number of requests, whatever came of them. */
  async sweep(collection: string): Promise<number> {
    const one = this.#swept.get(collection);
    if (one === undefined || one.running) return 0;
    const { clock, lists, signal } = this.#options;
    one.running = true;
    one.begunAt = clock.monotonic();
    try {
      const how = { ...inBackground('sweep', signal, one.kinds.values().next().value?.kind), notBefore: one.begunAt };
      const { calls } = await lists.list(collection, how);
      return calls;
    } catch (error) {
      this.#failed(collection, one, error);
      return 1;
    } finally {
      one.running = false;
      this.#goOn(collection, one);
    }
  }

  /** It was asked for meanwhile, and what was due then found it running: without another one nothing would be due any more. */
  #goOn(collection: string, one: Swept): void {
    const isAsked = one.askedAt > one.begunAt && one.due === Infinity;
    if (isAsked && this.#swept.get(collection) === one) this.#schedule(collection, one, this.#space(one));
  }

  /** Takes in any listing of a swept collection, whoever asked for it. */
  listed(collection: string, listing: WholeListing): void {
    const one = this.#swept.get(collection);
    if (one === undefined) return;
    const texts = new Map(
      listing.rows.flatMap((row) => pathsOf(one.kinds, collection, row).map((path) => [path, JSON.stringify(row)] as const)),
    );
    const { rows, counts, wake, changed, timers } = this.#options;
    const first = one.sweptAt === undefined;
    const affected = new Set<Owner>();
    const waiting = one.waiting.splice(0);
    one.sweptAt = Math.max(one.sweptAt ?? -Infinity, listing.requestedAt);
    one.pages = Math.max(1, Math.ceil(listing.rows.length / 500));
    for (const path of rows.paths(collection)) {
      // A row that an answer or a read told of before is news also in the first listing.
      const news = !first || rows.get(path) !== undefined;
      if (this.#takeIn(path, texts.get(path), listing) && news) for (const owner of rows.owners(path)) affected.add(owner);
      texts.delete(path);
    }
    counts.listed(collection, one.kinds, texts.keys());
    rows.keepLoose(collection, texts, listing.requestedAt);
    timers.after(looseFor, () => rows.dropLoose(collection, listing.requestedAt));
    one.failures = 0;
    if (listing.requestedAt >= one.askedAt) this.#schedule(collection, one, sweepEvery);
    changed(affected);
    wake(ownersWithout(waiting, affected));
  }

  /** True when the row changed, or a complete listing lacks it. */
  #takeIn(path: string, text: string | undefined, { complete, requestedAt }: WholeListing): boolean {
    const { rows } = this.#options;
    if (text !== undefined) return rows.swept(path, text, requestedAt);
    return complete && rows.vanished(path, requestedAt, 'sweep');
  }

  #space(one: Swept): Millis {
    const earliest = one.begunAt + Math.min(spaceMost, spacePerPage * one.pages);
    return Math.max(gather, earliest - this.#options.clock.monotonic());
  }

  #soon(collection: string, one: Swept, delay: Millis): void {
    one.askedAt = this.#options.clock.monotonic();
    if (one.due > one.askedAt + delay) this.#schedule(collection, one, delay);
  }

  #schedule(collection: string, one: Swept, delay: Millis): void {
    one.timer?.cancel();
    one.due = Infinity;
    if (this.#options.signal.aborted || (!one.timed && delay === sweepEvery)) return;
    one.due = this.#options.clock.monotonic() + delay;
    one.timer = this.#options.clock.after(delay, () => {
      one.due = Infinity;
      void this.sweep(collection);
    });
  }

  /** Where asking again cannot help soon, its owners are sent to read their items themselves and to report what they meet. */
  #failed(collection: string, one: Swept, error: unknown): void {
    const fault = error instanceof CloudError ? error.fault : 'Malformed';
    if (fault === 'Abandoned') return;
    one.failures += 1;
    // The parent is gone, and everything below it with it.
    if (fault === 'NotFound') return this.listed(collection, { rows: [], requestedAt: one.begunAt, complete: true, calls: 1 });
    const lasting = fault === 'Forbidden' || fault === 'Rejected' || fault === 'Malformed';
    this.#options.log.warn('a collection cannot be listed', { collection, fault, error: String(error) });
    if (lasting) {
      one.sweptAt = one.begunAt;
      this.#options.wake(one.waiting);
      one.waiting = [];
    }
    this.#schedule(collection, one, lasting ? sweepEvery : backoff(Math.min(one.failures, 4), this.#options.random));
  }
}
