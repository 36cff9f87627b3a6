import type { Clock, Millis, Timer } from '../lib/clock.ts';
import { FifoMap } from '../lib/fifo-map.ts';

/** What one visit does; resolves with the requests that it took. */
export type Visit = () => Promise<number>;
export type Round = 'account' | 'drift' | 'status';

interface Place {
  readonly visit: Visit;
  visitedAt: Millis;
}

export interface RoundsOptions {
  readonly clock: Clock;
  /** Least time between two visits of one place; default 15 min for the account itself, 5 min for the rest. */
  readonly every?: Readonly<Record<Round, Millis>>;
  readonly callsPerHour?: number;
}

/** Calls that may be made at once after a quiet time. */
const burst = 50;
/** Most urgent first. */
const order: readonly Round[] = ['account', 'drift', 'status'];
/** Every so many visits go to the least urgent round even while others have work. */
const turnOfStatus = 8;

/**
 * Visits places in turn, the longest unvisited first: sub-collections, items without a listing and parts of items. One
 * cap for all of them per account (design 5.6).
 */
export class Rounds {
  readonly #clock: Clock;
  readonly #every: Readonly<Record<Round, Millis>>;
  readonly #perCall: Millis;
  readonly #rounds: Readonly<Record<Round, FifoMap<string, Place>>> = {
    account: new FifoMap(),
    drift: new FifoMap(),
    status: new FifoMap(),
  };
  #tokens = burst;
  #refilledAt: Millis;
  #visits = 0;
  #running = false;
  #timer: Timer | undefined;
  #closed = false;

  constructor({ clock, every = { account: 900_000, drift: 300_000, status: 300_000 }, callsPerHour = 600 }: RoundsOptions) {
    this.#clock = clock;
    this.#every = every;
    this.#perCall = 3_600_000 / callsPerHour;
    this.#refilledAt = clock.monotonic();
  }

  get size(): number {
    return order.reduce((sum, round) => sum + this.#rounds[round].size, 0);
  }

  /** At worst so old is what a visit would find. */
  get bound(): Millis {
    return Math.max(this.#every.drift, this.#rounds.drift.size * this.#perCall);
  }

  /** A known place keeps its turn. `visitedAt`: when it was last read by other means; absent: never. */
  add(round: Round, name: string, visit: Visit, visitedAt: Millis = -Infinity): void {
    if (this.#rounds[round].has(name)) return;
    this.#rounds[round].set(name, { visit, visitedAt });
    this.#arm();
  }

  remove(name: string): void {
    for (const round of order) this.#rounds[round].delete(name);
  }

  /** It was read by other means just now: to the end of the line. */
  visited(name: string): void {
    for (const places of Object.values(this.#rounds)) {
      const place = places.get(name);
      if (place) this.#toEnd(places, name, place);
    }
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #toEnd(places: FifoMap<string, Place>, name: string, place: Place): void {
    place.visitedAt = this.#clock.monotonic();
    places.delete(name);
    places.set(name, place);
  }

  #arm(): void {
    if (this.#closed || this.#running) return;
    this.#timer?.cancel();
    const at = this.#nextAt();
    if (at === undefined) return;
    this.#timer = this.#clock.after(Math.max(0, at - this.#clock.monotonic()), () => void this.#run());
  }

  /** When the next visit is due and paid for. */
  #nextAt(): Millis | undefined {
    const due = Math.min(...order.map((round) => this.#dueAt(round)));
    if (due === Infinity) return undefined;
    const now = this.#clock.monotonic();
    this.#refill(now);
    const paid = this.#tokens >= 1 ? now : now + (1 - this.#tokens) * this.#perCall;
    return Math.max(now, due, paid);
  }

  #dueAt(round: Round): Millis {
    const places = this.#rounds[round];
    const oldest = places.oldest();
    const place = oldest === undefined ? undefined : places.get(oldest);
    return place === undefined ? Infinity : Math.max(place.visitedAt + this.#every[round], 0);
  }

  async #run(): Promise<void> {
    const now = this.#clock.monotonic();
    const round = this.#pick(now);
    const places = round && this.#rounds[round];
    const name = places?.oldest();
    const place = name === undefined ? undefined : places?.get(name);
    if (places === undefined || name === undefined || place === undefined) return this.#arm();
    this.#running = true;
    this.#visits += 1;
    this.#toEnd(places, name, place);
    this.#tokens -= 1;
    const calls = await place.visit().catch(() => 1);
    this.#tokens -= Math.max(0, calls - 1);
    this.#running = false;
    this.#arm();
  }

  #pick(now: Millis): Round | undefined {
    const due = order.filter((round) => this.#dueAt(round) <= now);
    return this.#visits % turnOfStatus === turnOfStatus - 1 ? due.at(-1) : due[0];
  }

  #refill(now: Millis): void {
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#refilledAt) / this.#perCall);
    this.#refilledAt = now;
  }
}
