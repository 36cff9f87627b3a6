import type { CallOptions, Lane, Listing } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { Timers } from '../../lib/timers.ts';
import type { Body } from '../../resource/index.ts';
import type { Whole } from '../http/pages.ts';
import { readWholeAnySize } from '../http/pages.ts';
import { decodedPath } from '../http/entity-url.ts';
import type { Sender } from '../requests/sender.ts';

/** A whole collection; `calls` is for sweeps. */
export type WholeListing = Listing & Pick<Whole, 'calls'>;

export interface ListOptions extends CallOptions {
  /** It must have been asked for at this time or later. */
  readonly notBefore: Millis;
  /** It is only shown, and not kept: whoever proves by a list that something is not there must not be answered with it later. */
  readonly isShown?: true;
}

interface Flight {
  /** Undefined while it waits for the budget: then it is later than anybody who joins. */
  requestedAt: Millis | undefined;
  lane: Lane;
  /** Something is there by now that it may lack: it is for those who wait for it already. */
  outdated?: true;
  readonly done: Promise<WholeListing>;
}

export interface SharedListsOptions {
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'after'>;
  readonly sender: Pick<Sender, 'permit'>;
  /** What a collection is asked for, where not for all of it. */
  readonly filterOf: (path: string) => Body | undefined;
  /** Ends all listings of a connection. */
  readonly signal: AbortSignal;
  /** Every listing, whoever asked for it. */
  readonly seen: (path: string, listing: WholeListing) => void;
}

/** How long a listing is kept for those who accept an older one: thousands may ask one after the other. */
const kept: Millis = 30_000;
const urgency: readonly Lane[] = ['edit', 'delete', 'create', 'wait', 'sweep'];

/** Listings of whole collections, one at a time per path, shared by all who may. */
export class SharedLists {
  readonly #options: SharedListsOptions;
  readonly #flying = new Map<string, Flight>();
  readonly #next = new Map<string, Flight>();
  readonly #last = new Map<string, WholeListing>();

  constructor(options: SharedListsOptions) {
    this.#options = options;
  }

  async list(path: string, how: ListOptions): Promise<WholeListing> {
    const last = this.#last.get(path);
    if (last && last.requestedAt >= how.notBefore) return last;
    return await unlessAborted(this.#join(path, how).done, how.intake ?? how.signal);
  }

  /** Somebody else has made this, or something below it: what was listed before is no proof that it is not there. */
  outdate(made: string): void {
    const parent = made.slice(0, made.lastIndexOf('/'));
    this.#outdateWhere((path) => decodedPath(path) === parent || decodedPath(path).startsWith(`${made}/`));
  }

  /** Events were missed: somebody else may have made anything. */
  outdateAll(): void {
    this.#outdateWhere(() => true);
  }

  #outdateWhere(lacks: (path: string) => boolean): void {
    for (const path of [...this.#last.keys()].filter(lacks)) this.#last.delete(path);
    for (const [path, flight] of this.#flying) if (lacks(path)) flight.outdated = true;
  }

  #join(path: string, how: ListOptions): Flight {
    const flying = this.#flying.get(path);
    if (flying === undefined) return this.#start(path, how);
    const good = (flying.requestedAt ?? Infinity) >= how.notBefore;
    const flight = good ? flying : (this.#next.get(path) ?? this.#queue(path, flying, how));
    if (urgency.indexOf(how.lane) < urgency.indexOf(flight.lane)) flight.lane = how.lane;
    return flight;
  }

  #queue(path: string, after: Flight, how: ListOptions): Flight {
    const flight: Flight = {
      requestedAt: undefined,
      lane: how.lane,
      done: after.done
        .catch(() => undefined)
        .then(() => {
          this.#next.delete(path);
          return this.#start(path, { ...how, lane: flight.lane }).done;
        }),
    };
    flight.done.catch(() => undefined);
    this.#next.set(path, flight);
    return flight;
  }

  #start(path: string, how: ListOptions): Flight {
    const { promise, resolve, reject } = Promise.withResolvers<WholeListing>();
    const flight: Flight = { requestedAt: undefined, lane: how.lane, done: promise };
    promise.catch(() => undefined);
    this.#flying.set(path, flight);
    void this.#land(path, how, flight).then(resolve, reject);
    return flight;
  }

  async #land(path: string, how: ListOptions, flight: Flight): Promise<WholeListing> {
    try {
      const listing = await this.#read(path, how, flight);
      this.#options.seen(path, listing);
      if (listing.complete && flight.outdated !== true && how.isShown !== true) this.#keep(path, listing);
      return listing;
    } finally {
      this.#flying.delete(path);
    }
  }

  async #read(path: string, { tenant, caller }: CallOptions, flight: Flight): Promise<WholeListing> {
    const { sender, signal, clock, filterOf } = this.#options;
    const filter = filterOf(path);
    const whole = await readWholeAnySize(async (request) => {
      const permit = await sender.permit(
        { ...request, ...(filter && { filter }) },
        { lane: flight.lane, tenant, signal, ...(caller !== undefined && { caller }) },
      );
      flight.requestedAt ??= clock.monotonic();
      return permit.send(() => undefined);
    }, path);
    // The first attempt's time: those who joined by it must not be answered with a promise of more.
    return { rows: whole.rows, complete: whole.complete, calls: whole.calls, requestedAt: flight.requestedAt ?? whole.requestedAt };
  }

  #keep(path: string, listing: WholeListing): void {
    this.#last.set(path, listing);
    this.#options.timers.after(kept, () => {
      if (this.#last.get(path) === listing) this.#last.delete(path);
    });
  }
}

/** The shared work goes on when one who waits for it goes away. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  if (signal.aborted) return Promise.reject(new CloudError('Abandoned', 'the call was cancelled'));
  return new Promise((resolve, reject) => {
    const gone = (): void => reject(new CloudError('Abandoned', 'the call was cancelled'));
    signal.addEventListener('abort', gone, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', gone));
  });
}
