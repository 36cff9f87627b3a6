import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { FifoMap } from '../../lib/fifo-map.ts';

/** What one visit does; resolves with the requests that it took. */
export type Visit = () => Promise<number>;
/** `account`: of the account itself. `drift`: what is compared. `status`: what is only shown. */
export type Round = 'account' | 'drift' | 'status';
/** `new`: never visited, whatever its round. */
type Line = Round | 'new';

interface Target {
  readonly round: Round;
  readonly visit: Visit;
  visitedAt: Millis;
}

export interface RoundRobinOptions {
  readonly clock: Clock;
  readonly callsPerHour?: number;
}

/** Calls that may be made at once after a quiet time. */
const burst = 50;
/** Least time between two visits of one place. */
const every: Readonly<Record<Line, Millis>> = { account: 900_000, new: 0, drift: 300_000, status: 300_000 };
const lines: readonly Line[] = ['account', 'new', 'drift', 'status'];
/** Whose turn it is when several have work: none starves. */
const turns: readonly Line[] = ['drift', 'new', 'drift', 'account', 'drift', 'new', 'drift', 'status'];

/**
 * Visits places in turn, the longest unvisited first: sub-collections, items without a listing and parts of items. One
 * cap for all of them per account.
 */
export class RoundRobin {
  readonly #clock: Clock;
  readonly #perCall: Millis;
  readonly #lines: Readonly<Record<Line, FifoMap<string, Target>>> = {
    account: new FifoMap(),
    new: new FifoMap(),
    drift: new FifoMap(),
    status: new FifoMap(),
  };
  /** Places, visited or not. */
  readonly #places: Record<Round, number> = { account: 0, drift: 0, status: 0 };
  #tokens = burst;
  #refilledAt: Millis;
  #visits = 0;
  #running = false;
  #timer: Timer | undefined;
  #closed = false;

  constructor({ clock, callsPerHour = 600 }: RoundRobinOptions) {
    this.#clock = clock;
    this.#perCall = 3_600_000 / callsPerHour;
    this.#refilledAt = clock.monotonic();
  }

  /** At worst so old is what is compared, if a visit is one call: all of it is due at once, and one of the others comes between each two. */
  get bound(): Millis {
    const { account, drift, status } = this.#places;
    const most = every.drift + 2 * drift * this.#perCall;
    const others = account * Math.ceil(1 + most / every.account) + status * Math.ceil(1 + most / every.status);
    return every.drift + (drift + Math.min(drift, others)) * this.#perCall;
  }

  /** A known place keeps its turn. `visitedAt`: when it was last read by other means; absent: never. */
  add(round: Round, name: string, visit: Visit, visitedAt?: Millis): void {
    if (this.#lineOf(name)) return;
    const place: Target = { round, visit, visitedAt: visitedAt ?? -Infinity };
    this.#lines[visitedAt === undefined ? 'new' : round].set(name, place);
    this.#places[round] += 1;
    this.#arm();
  }

  remove(name: string): void {
    const line = this.#lineOf(name);
    const place = line?.get(name);
    if (place !== undefined) this.#places[place.round] -= 1;
    line?.delete(name);
  }

  /** It was read by other means just now: to the end of the line. */
  visited(name: string): void {
    const line = this.#lineOf(name);
    const place = line?.get(name);
    if (line === undefined || place === undefined) return;
    place.visitedAt = this.#clock.monotonic();
    line.delete(name);
    this.#lines[place.round].set(name, place);
  }

  /** What it read last is out of date: to the front of the line. */
  due(name: string): void {
    const line = this.#lineOf(name);
    const place = line?.get(name);
    if (line === undefined || place === undefined) return;
    place.visitedAt = -Infinity;
    line.delete(name);
    this.#lines.new.set(name, place);
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #lineOf(name: string): FifoMap<string, Target> | undefined {
    return lines.map((line) => this.#lines[line]).find((places) => places.has(name));
  }

  #arm(): void {
    if (this.#closed || this.#running) return;
    this.#timer?.cancel();
    const at = this.#nextAt();
    if (at === undefined) return;
    this.#timer = this.#clock.after(at - this.#clock.monotonic(), () => void this.#run());
  }

  /** When the next visit is due and paid for. */
  #nextAt(): Millis | undefined {
    const due = Math.min(...lines.map((line) => this.#dueAt(line)));
    if (due === Infinity) return undefined;
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + (now - this.#refilledAt) / this.#perCall);
    this.#refilledAt = now;
    const paid = this.#tokens >= 1 ? now : now + Math.ceil((1 - this.#tokens) * this.#perCall);
    return Math.max(now, due, paid);
  }

  /** Infinity: the line is empty. */
  #dueAt(line: Line): Millis {
    const oldest = this.#lines[line].oldest();
    const place = oldest === undefined ? undefined : this.#lines[line].get(oldest);
    return place === undefined ? Infinity : place.visitedAt + every[line];
  }

  async #run(): Promise<void> {
    const found = this.#next();
    if (found === undefined) return this.#arm();
    const [name, place] = found;
    this.#running = true;
    this.#visits += 1;
    this.visited(name);
    const calls = await place.visit().catch(() => 1);
    this.#tokens -= calls;
    this.#running = false;
    this.#arm();
  }

  #next(): readonly [string, Target] | undefined {
    const now = this.#clock.monotonic();
    const due = lines.filter((line) => this.#dueAt(line) <= now);
    const turn = turns[this.#visits % turns.length];
    const line = due.find((one) => one === turn) ?? due[0];
    const name = line && this.#lines[line].oldest();
    const place = line && name !== undefined ? this.#lines[line].get(name) : undefined;
    return name === undefined || place === undefined ? undefined : [name, place];
  }
}
