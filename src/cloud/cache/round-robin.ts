import type { Clock, Millis, Timer } from '../../lib/clock.ts';
import { SharedLine } from './shared-line.ts';

/** What one visit does; resolves with the requests that it took. */
export type Visit = () => Promise<number>;
/** `account`: of the account itself. `drift`: what is compared. `status`: what is only shown. */
export type Round = 'account' | 'drift' | 'status';
/** `new`: never visited, whatever its round. */
type Line = Round | 'new';

export interface Place {
  readonly name: string;
  /** Namespace that it is visited for. */
  readonly share: string;
}

export const itemPlace = (path: string): string => `item ${path}`;
export const listPlace = (collection: string): string => `list ${collection}`;
export const placeFor = (name: string, { namespace }: { readonly namespace: string }): Place => ({ name, share: namespace });

interface Target {
  readonly round: Round;
  readonly share: string;
  readonly visit: Visit;
  line: Line;
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
 * Visits places in turn: sub-collections, items without a listing and parts of items. Of two turns one goes to the longest
 * unvisited, and one to the namespace whose turn is longest ago. One cap for all of them per account.
 */
export class RoundRobin {
  readonly #clock: Clock;
  readonly #perCall: Millis;
  readonly #lines: Readonly<Record<Line, SharedLine<Target>>> = {
    account: new SharedLine(),
    new: new SharedLine(),
    drift: new SharedLine(),
    status: new SharedLine(),
  };
  readonly #targets = new Map<string, Target>();
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
    // A namespace with few places has its second turn while one with many still waits for its first.
    const isLong = 2 * drift * this.#perCall >= every.drift;
    const turnsTaken = isLong && this.#lines.drift.shares > 1 ? 2 * drift : drift;
    const most = every.drift + 2 * turnsTaken * this.#perCall;
    const others = account * Math.ceil(1 + most / every.account) + status * Math.ceil(1 + most / every.status);
    return every.drift + (turnsTaken + Math.min(turnsTaken, others)) * this.#perCall;
  }

  /** A known place keeps its turn. `visitedAt`: when it was last read by other means; absent: never. */
  add(round: Round, { name, share }: Place, visit: Visit, visitedAt?: Millis): void {
    if (this.#targets.has(name)) return;
    const line = visitedAt === undefined ? 'new' : round;
    const target: Target = { round, share, visit, line, visitedAt: visitedAt ?? -Infinity };
    this.#targets.set(name, target);
    this.#lines[line].set(name, target);
    this.#places[round] += 1;
    this.#arm();
  }

  remove(name: string): void {
    const target = this.#targets.get(name);
    if (target === undefined) return;
    this.#targets.delete(name);
    this.#lines[target.line].delete(name, target);
    this.#places[target.round] -= 1;
  }

  /** It was read by other means just now: to the end of the line. */
  visited(name: string): void {
    const target = this.#targets.get(name);
    if (target !== undefined) this.#move(name, target, target.round, this.#clock.monotonic());
  }

  /** What it read last is out of date: to the front of the line. */
  due(name: string): void {
    const target = this.#targets.get(name);
    if (target === undefined) return;
    this.#move(name, target, 'new', -Infinity);
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #move(name: string, target: Target, line: Line, visitedAt: Millis): void {
    this.#lines[target.line].delete(name, target);
    target.line = line;
    target.visitedAt = visitedAt;
    this.#lines[line].set(name, target);
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
    return (this.#lines[line].oldestAt() ?? Infinity) + every[line];
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
    return line && this.#lines[line].next(now - every[line]);
  }
}
