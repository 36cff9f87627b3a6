import type { Owner } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { AccountCache } from '../cache/account-cache.ts';
import type { RowStore } from '../cache/row-store.ts';
import type { Sweeper } from '../cache/sweeper.ts';

/** What goes on by itself is looked at again so long after its job: most of it is over within a minute. */
const looksAgain: readonly Millis[] = [15_000, 30_000, 60_000, 120_000];

/** What the events of one poll made worth a look. */
export class EventRead {
  /** Path -> its owners are woken whatever the look shows: a job ended. */
  readonly items = new Map<string, { always: boolean; parts: boolean; ended: readonly string[] }>();
  readonly collections = new Set<string>();
  /** Paths that go on by themselves, of which no event will tell. */
  readonly goesOn = new Set<string>();
  /** Paths of something that is over, by its action. */
  readonly over = new Map<string, readonly string[]>();

  ended(path: string, action: string): void {
    this.over.set(path, [...(this.over.get(path) ?? []), action]);
  }

  /** `ended`: the action of what is over. */
  item(path: string, { always, parts, ended }: { always: boolean; parts: boolean; ended: readonly string[] }): void {
    const known = this.items.get(path);
    this.items.set(path, {
      always: always || known?.always === true,
      parts: parts || known?.parts === true,
      ended: [...(known?.ended ?? []), ...ended],
    });
  }
}

export interface EventReadsOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly cache: AccountCache;
  readonly rows: RowStore;
  readonly sweeper: Sweeper;
  readonly listLag: Millis;
  readonly wake: (owners: Iterable<Owner>) => void;
}

/**
 * Reads what events named: by id, at most as many per poll as the collection has pages, beyond that by one sweep. What we changed within the list lag is always read by id: a listing may not show it yet.
 */
export class EventReads {
  readonly #options: EventReadsOptions;
  readonly #looks = new Map<string, readonly Timer[]>();

  constructor(options: EventReadsOptions) {
    this.#options = options;
  }

  take(look: EventRead): void {
    for (const collection of look.collections) this.#options.sweeper.request(collection);
    for (const path of look.goesOn) this.#followOn(path);
    for (const [path, actions] of look.over) this.#outdate(path, actions);
    this.#readItems(look);
  }

  #readItems(look: EventRead): void {
    const { sweeper } = this.#options;
    for (const [collection, paths] of this.#byCollection(look)) {
      const foreign = paths.filter((path) => !this.#freshlyWritten(path));
      const many = foreign.length > sweeper.pages(collection) && sweeper.sweeps(collection);
      if (many) sweeper.request(collection);
      const swept = new Set(many ? foreign.slice(sweeper.pages(collection)) : []);
      for (const path of paths) {
        if (!swept.has(path)) this.#read(path, look);
        else this.#isSwept(path, collection, look);
      }
    }
  }

  /** A list tells nothing of what is below its items: that comes with the rounds, first of all there. */
  #isSwept(path: string, collection: string, look: EventRead): void {
    const { sweeper, cache, rows, wake } = this.#options;
    const { always = false, parts = false } = look.items.get(path) ?? {};
    if (always) sweeper.owe(collection, rows.owners(path));
    if (!parts) return;
    cache.forgetSecretParts(path, wake);
    cache.driftPartsDue(path);
  }

  close(): void {
    for (const path of this.#looks.keys()) this.#endLooks(path);
  }

  /** Whoever went by what was read looks again: at once, and when a listing surely shows what that event tells of. */
  #outdate(path: string, actions: readonly string[]): void {
    const { rows, clock, listLag, wake } = this.#options;
    const forget = (): boolean => {
      const owners = rows.owners(path);
      const old = partsToldBy(owners, actions, 'before').filter((part) => rows.forgetPart(path, part));
      if (old.length > 0) wake(owners);
      return old.length > 0;
    };
    if (!forget()) return;
    const again = `parts of ${path}`;
    this.#endLooks(again);
    const timer = clock.after(listLag, () => {
      this.#looks.delete(again);
      forget();
    });
    this.#looks.set(again, [timer]);
  }

  #followOn(path: string): void {
    this.#endLooks(path);
    const { clock, cache, wake } = this.#options;
    this.#looks.set(
      path,
      looksAgain.map((delay, index) =>
        clock.after(delay, () => {
          if (index === looksAgain.length - 1) this.#looks.delete(path);
          this.#read(path, new EventRead());
          // A password that was asked for may be there only now.
          cache.forgetSecretParts(path, wake);
        }),
      ),
    );
  }

  #endLooks(path: string): void {
    for (const timer of this.#looks.get(path) ?? []) timer.cancel();
    this.#looks.delete(path);
  }

  #byCollection(look: EventRead): Map<string, string[]> {
    const groups = new Map<string, string[]>();
    for (const path of look.items.keys()) {
      const collection = this.#options.rows.owners(path)[0]?.collection ?? '';
      groups.set(collection, [...(groups.get(collection) ?? []), path]);
    }
    return groups;
  }

  #freshlyWritten(path: string): boolean {
    const { rows, clock, listLag } = this.#options;
    return rows.writtenAt(path) + listLag >= clock.monotonic();
  }

  #read(path: string, look: EventRead): void {
    const { cache, log, wake } = this.#options;
    const { always = false, parts = false, ended = [] } = look.items.get(path) ?? {};
    const failed = (error: unknown): void => {
      log.debug('a look that an event asked for failed', { path, error: String(error) });
      // The engine looks itself and reports what it meets.
      wake(this.#options.rows.owners(path));
    };
    const shown = async (): Promise<void> => {
      await cache.refresh(path, wake, always);
      // Where the item was changed by us, its parts count again only once it was read.
      for (const part of partsToldBy(this.#options.rows.owners(path), ended, 'status')) await cache.refreshPart(path, part, wake);
    };
    shown().catch(failed);
    if (parts) cache.forgetSecretParts(path, wake);
    if (parts) for (const part of cache.driftParts(path)) cache.refreshPart(path, part, wake).catch(failed);
  }
}

/** The parts that are others once one of these actions is over. */
function partsToldBy(owners: readonly Owner[], actions: readonly string[], use: 'status' | 'before'): readonly string[] {
  const isTold = (begins: string): boolean => actions.some((action) => action.startsWith(begins));
  const parts = owners.flatMap(({ kind }) => Object.entries(kind.parts ?? {}));
  return [...new Set(parts.flatMap(([name, part]) => (part.for === use && part.toldBy?.some(isTold) === true ? [name] : [])))];
}
