import type { Millis } from '../../lib/clock.ts';
import type { RateWindow } from './rate-window.ts';

/** A request that has waited for so long for its account's share is no mere burst. */
const worthSaying: Millis = 5000;
/** Windows end and begin: what was used up lately still is. */
const lately: Millis = 180_000;

/** How much of one class's window each of those has used who share it. */
export class ShareUsage {
  readonly #window: RateWindow;
  readonly #pending = new Map<string, number>();
  #used = new Map<string, number>();
  #epoch = 0;
  /** When a request was last seen to have waited for its account's share, although others had some left. Monotonic. */
  readonly #usedUpAt = new Map<string, Millis>();

  constructor(window: RateWindow) {
    this.#window = window;
  }

  granted(account: string | undefined): void {
    if (account !== undefined) this.#pending.set(account, (this.#pending.get(account) ?? 0) + 1);
  }

  /** `counts`: the service may have counted it. */
  ended(account: string | undefined, counts: boolean): void {
    if (account === undefined) return;
    const pending = (this.#pending.get(account) ?? 0) - 1;
    if (pending > 0) this.#pending.set(account, pending);
    else this.#pending.delete(account);
    if (counts) this.#present().set(account, this.#usedBy(account) + 1);
  }

  /** Of the present window, those under way included. */
  of(account: string): number {
    return this.#usedBy(account) + (this.#pending.get(account) ?? 0);
  }

  /** One of its requests waits since then for its share alone. */
  waits(account: string, since: Millis, now: Millis): void {
    if (now - since >= worthSaying) this.#usedUpAt.set(account, now);
  }

  isUsedUp(account: string, now: Millis): boolean {
    const at = this.#usedUpAt.get(account);
    if (at !== undefined && now - at >= lately) this.#usedUpAt.delete(account);
    return this.#usedUpAt.has(account);
  }

  #usedBy(account: string): number {
    return this.#present().get(account) ?? 0;
  }

  #present(): Map<string, number> {
    if (this.#epoch !== this.#window.epoch) this.#used = new Map();
    this.#epoch = this.#window.epoch;
    return this.#used;
  }
}
