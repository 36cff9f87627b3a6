import type { Owner } from '../engine/ports.ts';
import type { Clock, Millis } from '../lib/clock.ts';
import type { Random } from '../lib/random.ts';
import type { AnyKind } from '../resource/index.ts';
import type { Log } from '../telemetry/log.ts';
import { EventFeed } from './event-feed.ts';
import { eventHow, EventPoller } from './events.ts';
import { Expectations } from './expectations.ts';
import { Journal } from './journal.ts';
import type { ListsOptions } from './list.ts';
import { Lists } from './list.ts';
import { Looks } from './looks.ts';
import { AccountMirror, listPlace } from './mirror.ts';
import type { OwnCalls } from './own-calls.ts';
import { OwnedPaths } from './owned-paths.ts';
import { Rounds } from './rounds.ts';
import { Router } from './routing.ts';
import { RowStore } from './row-store.ts';
import type { Sender } from './sender.ts';
import { Sweeper } from './sweep.ts';
import { Tally } from './tally.ts';

export interface SnapshotOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kinds: readonly AnyKind[];
  readonly listLag: Millis;
  readonly cursor: number | undefined;
  readonly sender: Sender;
  readonly ownCalls: OwnCalls;
  readonly signal: AbortSignal;
  readonly user: () => string;
  readonly interval: () => Millis;
  readonly wake: (owners: Iterable<Owner>) => void;
}

/** All that keeps the picture of one account fresh, put together. */
export class Snapshots {
  readonly mirror: AccountMirror;
  readonly lists: Lists;
  readonly tally: Tally;
  readonly kindsInUse = new Map<string, AnyKind>();
  readonly #feed: EventFeed;
  readonly #poller: EventPoller;
  readonly #sweeper: Sweeper;
  readonly #rounds: Rounds;
  readonly #wake: SnapshotOptions['wake'];
  /** Whoever puts right what a sweep or a round found shall be able to say who did it: events first, as far as they come. */
  readonly #changed = (owners: Iterable<Owner>): void => {
    const all = [...owners];
    if (all.length > 0) void this.#poller.caughtUp().then(() => this.#wake(all));
  };

  constructor(options: SnapshotOptions) {
    const { clock, sender, signal, listLag } = options;
    const rows = new RowStore(listLag);
    const owned = new OwnedPaths(rows);
    const journal = new Journal(clock);
    const expectations = new Expectations(clock, journal, () => this.#poller.hurry());
    const seen: ListsOptions['seen'] = (path, listing) => {
      this.#sweeper.listed(path, listing);
      this.#rounds.visited(listPlace(path));
    };
    const lists = new Lists({ clock, sender, signal, seen });
    this.tally = new Tally(rows);
    const changed = this.#changed;
    const sweeper = new Sweeper({ ...options, lists, rows, tally: this.tally, changed });
    const rounds = new Rounds({ clock });
    const used = (kind: AnyKind): void => void this.kindsInUse.set(kind.kind, kind);
    this.mirror = new AccountMirror({ ...options, lists, rows, owned, sweeper, rounds, journal, expectations, changed, used });
    this.#feed = new EventFeed(clock, (request) => sender.send(request, eventHow(signal)), options.cursor);
    const looks = new Looks({ ...options, mirror: this.mirror, rows, sweeper });
    const router = new Router(options.kinds, owned);
    this.#poller = new EventPoller({
      ...options,
      feed: this.#feed,
      journal,
      expectations,
      looks,
      router,
      missed: () => sweeper.requestAll(),
    });
    this.lists = lists;
    this.#wake = options.wake;
    this.#sweeper = sweeper;
    this.#rounds = rounds;
  }

  get cursor(): number | undefined {
    return this.#feed.cursor;
  }

  get eventsRefused(): string | undefined {
    return this.#poller.refused;
  }

  /** At worst so old is what is known of a sub-collection. */
  get bound(): Millis {
    return this.#rounds.bound;
  }

  /** Monotonic times of the last answered poll of the events and of the oldest sweep. */
  get readings(): { readonly events: Millis | undefined; readonly sweep: Millis | undefined } {
    return { events: this.#poller.answeredAt, sweep: this.#sweeper.oldest };
  }

  start(): void {
    this.#poller.start();
  }

  /** Another interval between polls is wanted. */
  retime(): void {
    this.#poller.retime();
  }

  /** The API answers again. */
  resume(): void {
    this.#sweeper.resume();
  }

  close(): void {
    for (const part of [this.#poller, this.#sweeper, this.#rounds]) part.close();
  }
}
