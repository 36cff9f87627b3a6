import type { CallOptions, Lane } from '../../engine/ports/index.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import { onAbort } from '../../lib/on-abort.ts';
import type { RateClass } from '../../resource/index.ts';
import { ApiClock } from '../http/api-clock.ts';
import { retryAfterOf } from '../http/answer.ts';
import type { Head } from '../http/client.ts';
import { laneNames, leaves } from './lanes.ts';
import { concurrencyOf, paceOf } from './rate-class.ts';
import { usableOf, windowHeaderOf } from './rate-window.ts';
import { sharingOf, usedOf, type Waiting, windowClass, type WindowClass as Class, windowOf } from './window-class.ts';

/** What is left of one class's window for us; `limit` is undefined before its first answer. */
export interface BudgetLeft {
  readonly rate: RateClass;
  readonly limit: number | undefined;
  readonly left: number;
  readonly waiting: number;
}

/** Leave for one request of a class. Ends with exactly one of the three. */
export interface Slot {
  answered(head: Head): void;
  /** Sent, no answer. */
  lost(): void;
  /** Not sent. */
  release(): void;
}

export interface BudgetOptions {
  readonly clock: Clock;
  readonly apiClock: ApiClock;
  /** Part of each window that this account may use, or without a name all together, 0..1. */
  readonly share: (account?: string) => number;
  /** Whether there may be more tenants than one; absent: there are not. */
  readonly isOfMany?: () => boolean;
  readonly onBudget?: ((left: BudgetLeft) => void) | undefined;
}

/** Classes that calls of all lanes share. */
const mixed: ReadonlySet<RateClass> = new Set(['general', 'list']);
/** Below this a window is too small to set parts of it aside. */
const smallWindow = 50;
/** Part of our share of a window that is kept for tenants who have not used as much of it yet. */
const keptForOthers = 1 / 8;
/** Waiting for so long is not for one of the requests in flight. */
const answersTake: Millis = 1000;
/** A request without an answer for so long will not soon say what a new window holds: another one asks. */
const asksAgain: Millis = 1000;
/** A balancer's 429 without a word on how long. */
const unsaid: Millis = 10_000;

/** Keeps every rate window and shares it out between lanes and tenants. */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #classes = new Map<RateClass, Class>();

  constructor(options: BudgetOptions) {
    this.#options = options;
  }

  /** Waits for leave. Rejects with `Abandoned` when the signal is aborted, with `Throttled` while a 429 holds. */
  acquire(rate: RateClass, { lane, tenant: namespace, account, signal }: CallOptions): Promise<Slot> {
    const one = this.#class(rate);
    const tenant = account === undefined ? namespace : `${account} ${namespace}`;
    const throttled = this.throttled(rate);
    if (throttled) return Promise.reject(throttled);
    return new Promise((resolve, reject) => {
      const gone = (): void => {
        if (one.lanes.remove(lane, tenant, waiting)) reject(new CloudError('Abandoned', 'cancelled while it waited for the rate window'));
      };
      const waiting: Waiting = {
        since: this.#options.clock.monotonic(),
        account,
        ...(lane !== 'events' && { tenant }),
        grant: () => {
          stay();
          one.inFlight += 1;
          one.usage.granted(account);
          one.tenants.granted(tenant);
          resolve(this.#slot(one, { account, tenant }));
        },
      };
      const stay = onAbort(signal, gone);
      one.lanes.push(lane, tenant, waiting);
      if (signal.aborted) return gone();
      this.#pump(one);
    });
  }

  /** The error of a class that a 429 has closed; undefined when it is open. */
  throttled(rate: RateClass): CloudError | undefined {
    const now = this.#options.clock.monotonic();
    const until = this.#classes.get(rate)?.window.blockedUntil(now);
    if (until === undefined) return undefined;
    const retryAfter = until - now;
    return new CloudError(
      'Throttled',
      `the API throttles ${rate} calls of this token for another ${Math.ceil(retryAfter / 1000)} s; somebody else uses its rate window too`,
      { retryAfter },
    );
  }

  /** The classes that a 429 has closed. */
  throttledClasses(): readonly RateClass[] {
    return [...this.#classes.keys()].filter((rate) => this.throttled(rate) !== undefined);
  }

  left(): readonly BudgetLeft[] {
    return [...this.#classes.values()].map((one) => this.#leftOf(one));
  }

  /** Somebody has waited for this class for longer than answers take: its window is used up. */
  isCrowded(rate: RateClass): boolean {
    const one = this.#class(rate);
    return this.throttled(rate) !== undefined || laneNames.some((lane) => this.#waited(one, lane) > answersTake);
  }

  /** How long the oldest request of a lane has waited, over all classes; 0 when none waits. */
  age(lane: Lane): Millis {
    return Math.max(0, ...[...this.#classes.values()].map((one) => this.#waited(one, lane)));
  }

  /** Classes of which this account's share, and no other limit, lately held up its calls. */
  usedUp(account: string): readonly RateClass[] {
    const now = this.#options.clock.monotonic();
    for (const one of this.#classes.values()) {
      const [longest] = [...one.lanes.firsts()].filter((waiting) => waiting.account === account).toSorted((a, b) => a.since - b.since);
      if (longest && !this.#fits(one, account) && this.#left(one, 1) >= 1) one.usage.waits(account, longest.since, now);
    }
    return [...this.#classes.values()].filter(({ usage }) => usage.isUsedUp(account, now)).map(({ rate }) => rate);
  }

  /** Shares have changed. */
  retune(): void {
    for (const one of this.#classes.values()) this.#pump(one);
  }

  /** Stops the timers; what waits is ended by its signal. */
  close(): void {
    for (const one of this.#classes.values()) one.timer?.cancel();
  }

  #waited(one: Class, lane: Lane): Millis {
    const now = this.#options.clock.monotonic();
    return Math.max(0, ...[...one.lanes.longest(lane)].map(({ since }) => now - since));
  }

  #leftOf(one: Class): BudgetLeft {
    return { rate: one.rate, limit: one.window.limit, left: this.#left(one), waiting: one.lanes.size };
  }

  #left(one: Class, share = this.#options.share()): number {
    const now = this.#options.clock.monotonic();
    const overdue = !one.window.isKnown(now) && now >= one.grantedAt + asksAgain;
    return one.window.left(now, overdue ? 0 : one.inFlight, share, sharingOf(one, this.#classes.values()));
  }

  /** Whether this account's own share has some left. */
  #fits(one: Class, account: string | undefined): boolean {
    const { limit } = one.window;
    if (account === undefined || limit === undefined || !one.window.isKnown(this.#options.clock.monotonic())) return true;
    return usedOf(windowOf(one, this.#classes.values()), ({ usage }) => usage.of(account)) < usableOf(limit, this.#options.share(account));
  }

  #slot(one: Class, { account, tenant }: Pick<Waiting, 'account' | 'tenant'>): Slot {
    let open = true;
    const end = (counts: boolean, how: () => void) => (): void => {
      if (!open) return;
      open = false;
      one.inFlight -= 1;
      how();
      one.usage.ended(account, counts);
      one.tenants.ended(tenant, counts);
      this.#pump(one);
    };
    return {
      answered: (head) => end(true, () => this.#answered(one, head))(),
      lost: end(true, () => one.window.lost()),
      release: end(false, () => undefined),
    };
  }

  #answered(one: Class, head: Head): void {
    const now = this.#options.clock.monotonic();
    const offset = this.#options.apiClock.offset ?? head.apiTime - head.answeredAt;
    one.window.answered(windowHeaderOf(head.headers, offset), now);
    if (head.status === 429) one.window.block(now + (retryAfterOf(429, head.headers) ?? unsaid));
    this.#options.onBudget?.(this.#leftOf(one));
  }

  #pump(one: Class): void {
    one.timer?.cancel();
    while (one.lanes.size > 0 && one.inFlight < concurrencyOf[one.rate]) {
      if (this.#paced(one)) return;
      const left = this.#left(one);
      const may = (lane: Lane): boolean => (lane === 'events' ? this.#left(one, 1) : left - this.#leaves(one, lane)) >= 1;
      const next = one.lanes.next(may, this.#fitting(one));
      if (next === undefined) return this.#wake(one);
      one.grantedAt = this.#options.clock.monotonic();
      next.grant();
    }
  }

  /** Thousands of tenants may wait with one account. */
  #fitting(one: Class): (waiting: Waiting) => boolean {
    const known = new Map<string | undefined, boolean>();
    const [left, kept, window] = [this.#left(one), this.#kept(one), windowOf(one, this.#classes.values())];
    return ({ account, tenant }) => {
      const fits = known.get(account) ?? this.#fits(one, account);
      known.set(account, fits);
      return fits && (tenant === undefined || left > kept || usedOf(window, ({ tenants }) => tenants.of(tenant)) < kept);
    };
  }

  /** Whoever makes and edits a thousand things in a loop leaves this much of a window to those who come later. */
  #kept({ window }: Class): number {
    const isKept = this.#options.isOfMany?.() === true && window.isKnown(this.#options.clock.monotonic());
    return isKept ? Math.floor((window.limit ?? 0) * this.#options.share() * keptForOthers) : 0;
  }

  /** True when the next one must wait for its time; it will. */
  #paced(one: Class): boolean {
    const wait = one.grantedAt + (paceOf[one.rate] ?? 0) - this.#options.clock.monotonic();
    if (wait > 0) one.timer = this.#options.clock.after(wait, () => this.#pump(one));
    return wait > 0;
  }

  /** Requests that a lane must leave in the present window. */
  #leaves(one: Class, lane: Lane): number {
    const { limit = 0, resetAt = 0 } = one.window;
    if (!mixed.has(one.rate) || limit < smallWindow || resetAt <= this.#options.clock.monotonic()) return 0;
    return Math.floor(limit * this.#options.share() * leaves[lane]);
  }

  #wake(one: Class): void {
    const now = this.#options.clock.monotonic();
    const at = one.window.opensAt(now) ?? one.grantedAt + asksAgain;
    one.timer = this.#options.clock.after(at - now, () => this.#pump(one));
  }

  #class(rate: RateClass): Class {
    const known = this.#classes.get(rate);
    if (known) return known;
    const made = windowClass(rate);
    this.#classes.set(rate, made);
    return made;
  }
}
