import type { Owner } from '../../engine/ports/index.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Timers } from '../../lib/timers.ts';
import type { Random } from '../../lib/random.ts';
import { type AnyKind, listFilters } from '../../resource/index.ts';
import type { Log } from '../../telemetry/log.ts';
import { EventFeed } from '../events/event-feed.ts';
import { inBackground } from '../requests/background.ts';
import { Catalogues } from './catalogues.ts';
import { type JobEndOptions, tellOfJobEnd } from './job-end.ts';
import { EventPoller } from './event-poller.ts';
import { AwaitedRemotes } from '../events/awaited.ts';
import { EventLog } from '../events/event-log.ts';
import type { SharedListsOptions } from '../cache/shared-lists.ts';
import { SharedLists } from '../cache/shared-lists.ts';
import { EventReads } from './event-reads.ts';
import { AccountCache } from '../cache/account-cache.ts';
import type { OwnChanges } from '../events/own-changes.ts';
import { eventRules } from '../events/event-rules.ts';
import { OwnedPaths } from '../cache/owned-paths.ts';
import { listPlace, RoundRobin } from '../cache/round-robin.ts';
import { EventRouter } from '../events/event-router.ts';
import { RowStore } from '../cache/row-store.ts';
import type { Sender } from '../requests/sender.ts';
import { Sweeper } from '../cache/sweeper.ts';
import { ResourceCounts } from '../cache/resource-counts.ts';

export interface SyncOptions extends Omit<JobEndOptions, 'rows'> {
  readonly random: Random;
  readonly log: Log;
  readonly kinds: readonly AnyKind[];
  readonly listLag: Millis;
  readonly cursor: number | undefined;
  /** Kinds that one look is for; undefined: it is kept fresh for good. */
  readonly look: readonly AnyKind[] | undefined;
  readonly sender: Sender;
  readonly ownChanges: OwnChanges;
  /** End with the connection. */
  readonly timers: Timers;
  readonly signal: AbortSignal;
  readonly user: () => string;
  readonly scopes: () => readonly string[];
  readonly interval: () => Millis;
  readonly wake: (owners: Iterable<Owner>) => void;
}

/** All that keeps the picture of one account fresh, put together. */
export class AccountSync {
  readonly cache: AccountCache;
  readonly lists: SharedLists;
  readonly catalogues: Catalogues;
  readonly counts: ResourceCounts;
  readonly kindsInUse = new Map<string, AnyKind>();
  readonly #feed: EventFeed;
  readonly #poller: EventPoller;
  readonly #eventReads: EventReads;
  readonly #sweeper: Sweeper;
  readonly #roundRobin: RoundRobin;
  readonly #wake: SyncOptions['wake'];
  /** It corrects nothing. */
  readonly #isLook: boolean;
  /** A sweep or a round found a change. Events are read before its owners wake, so that a correction can say whose change it was. */
  readonly #changed = (owners: Iterable<Owner>): void => {
    const all = [...owners];
    if (this.#isLook) this.#wake(all);
    else if (all.length > 0) void this.#poller.caughtUp().then(() => this.#wake(all));
  };

  readonly #seen: SharedListsOptions['seen'] = (path, listing) => {
    this.#sweeper.listed(path, listing);
    this.#roundRobin.visited(listPlace(path));
  };

  readonly #missed = (): void => {
    this.lists.outdateAll();
    this.#sweeper.requestAll('all');
  };

  constructor(options: SyncOptions) {
    const { clock, timers, sender, signal, listLag } = options;
    const rows = new RowStore(listLag);
    const owned = new OwnedPaths(rows);
    const eventLog = new EventLog(clock);
    const awaited = new AwaitedRemotes(clock, eventLog, () => this.#poller.hurry());
    const lists = new SharedLists({ clock, timers, sender, signal, seen: this.#seen, filterOf: listFilters(options.kinds) });
    this.counts = new ResourceCounts(rows);
    this.#isLook = options.look !== undefined;
    this.catalogues = new Catalogues({ ...options, kinds: options.look ?? options.kinds });
    const changed = this.#changed;
    const sweeper = new Sweeper({ ...options, lists, rows, counts: this.counts, changed });
    const roundRobin = new RoundRobin({ clock });
    const used = (kind: AnyKind): void => void this.kindsInUse.set(kind.kind, kind);
    this.cache = new AccountCache({ ...options, lists, rows, owned, sweeper, roundRobin, eventLog, awaited, changed, used });
    this.#feed = new EventFeed(
      clock,
      (request) => sender.send(request, inBackground('events', signal)),
      options.cursor,
      eventRules(options.kinds),
    );
    const eventReads = new EventReads({ ...options, cache: this.cache, rows, sweeper });
    this.#eventReads = eventReads;
    const router = new EventRouter(options.kinds, owned);
    this.#poller = new EventPoller({
      ...options,
      feed: this.#feed,
      eventLog,
      awaited,
      eventReads,
      router,
      missed: this.#missed,
      outdated: (made) => lists.outdate(made),
      jobEnded: (paths, at) => tellOfJobEnd({ ...options, rows }, paths, at),
    });
    this.lists = lists;
    this.#wake = options.wake;
    this.#sweeper = sweeper;
    this.#roundRobin = roundRobin;
  }

  get cursor(): number | undefined {
    return this.#feed.cursor;
  }

  get eventsRefused(): string | undefined {
    return this.#poller.refused;
  }

  /** The greatest age of what is known of a sub-collection. */
  get bound(): Millis {
    return this.#roundRobin.bound;
  }

  /** Monotonic times of the last answered poll of the events and of the oldest sweep. */
  get readings(): { readonly events: Millis | undefined; readonly sweep: Millis | undefined } {
    return { events: this.#poller.answeredAt, sweep: this.#sweeper.oldest };
  }

  start(): void {
    this.#poller.start();
  }

  /** The interval between polls has changed. */
  retime(): void {
    this.#poller.retime();
  }

  /** The API answers again: sweeps that failed come at once. */
  resume(): void {
    this.#sweeper.resume();
  }

  close(): void {
    for (const part of [this.#poller, this.#eventReads, this.#sweeper, this.#roundRobin, this.catalogues]) part.close();
  }
}
