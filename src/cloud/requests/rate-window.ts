import type { Millis } from '../../lib/clock.ts';

/** What an answer says of its window; undefined without rate headers. */
export interface WindowHeader {
  readonly limit: number;
  readonly remaining: number;
  /** Monotonic time at which the window ends. */
  readonly resetAt: Millis;
}

/** Our other classes that seem to count against the same window, added up. */
export interface Sharing {
  readonly used: number;
  readonly pending: number;
}

/** Resets are whole seconds: two that differ by no more mean the same window. */
export const sameWindow: Millis = 1100;
/** A reset that is already past is not yet believed for so long. */
const doubt: Millis = 1000;

/**
 * One rate window as its answers describe it. Fixed and sliding ones are treated alike: nothing is assumed about a window
 * whose end has passed, one request goes out alone and its answer says what is left.
 */
export class RateWindow {
  #header: WindowHeader | undefined;
  /** Answers came, and none of them had rate headers. */
  #unlimited = false;
  #blockedUntil: Millis = -Infinity;
  /** Our own requests that count against the present window and are answered. */
  used = 0;
  /** Another number for each window that an answer has begun. */
  epoch = 0;

  get limit(): number | undefined {
    return this.#header?.limit;
  }

  get resetAt(): Millis | undefined {
    return this.#header?.resetAt;
  }

  blockedUntil(now: Millis): Millis | undefined {
    return this.#blockedUntil > now ? this.#blockedUntil : undefined;
  }

  /** A 429: nothing more before `until`. */
  block(until: Millis): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, until);
  }

  /** An answer has said what the present window holds, or that there is none. */
  isKnown(now: Millis): boolean {
    return this.#header === undefined ? this.#unlimited : this.#header.resetAt > now;
  }

  /** How many more may be sent now; `pending` are under way, `share` is the part of the window that is ours (0..1). */
  left(now: Millis, pending: number, share: number, sharing: Sharing = { used: 0, pending: 0 }): number {
    if (this.#blockedUntil > now) return 0;
    if (this.#header === undefined && this.#unlimited) return Infinity;
    if (this.#header === undefined || !this.isKnown(now)) return pending === 0 ? 1 : 0;
    const { limit, remaining } = this.#header;
    const usable = usableOf(limit, share);
    const used = this.used + sharing.used;
    const inFlight = pending + sharing.pending;
    const byOthers = Math.max(0, limit - remaining - used);
    const reserved = Math.max(0, limit - usable - byOthers);
    return Math.max(0, Math.min(usable - used - inFlight, remaining - inFlight - reserved));
  }

  /** When to look again if nothing is left; undefined: only an answer can change anything. */
  opensAt(now: Millis): Millis | undefined {
    if (this.#blockedUntil > now) return this.#blockedUntil;
    const resetAt = this.#header?.resetAt;
    return resetAt !== undefined && resetAt > now ? resetAt : undefined;
  }

  answered(header: WindowHeader | undefined, now: Millis): void {
    this.used += 1;
    if (header === undefined) {
      this.#unlimited = this.#header === undefined;
      return;
    }
    const resetAt = header.resetAt > now ? header.resetAt : now + doubt;
    const known = this.#header;
    if (known === undefined || known.resetAt <= now || (header.limit === known.limit && resetAt > known.resetAt + sameWindow))
      this.#begin({ ...header, resetAt });
    // Another limit within one window is that of another class: the service counts this route elsewhere.
    else if (header.limit === known.limit && resetAt >= known.resetAt - sameWindow) this.#narrow(known, { ...header, resetAt });
  }

  /** Sent, and no answer came: the service may have counted it. */
  lost(): void {
    this.used += 1;
    if (this.#header) this.#header = { ...this.#header, remaining: Math.max(0, this.#header.remaining - 1) };
  }

  #begin(header: WindowHeader): void {
    this.#header = header;
    this.used = 1;
    this.epoch += 1;
  }

  /** Answers may arrive out of order; within one window less is the truth. */
  #narrow(known: WindowHeader, header: WindowHeader): void {
    const remaining = Math.min(known.remaining, header.remaining);
    this.#header = { limit: header.limit, remaining, resetAt: Math.max(known.resetAt, header.resetAt) };
  }
}

/** Our part of a window: at least one, or nothing would ever be sent. */
export const usableOf = (limit: number, share: number): number => Math.max(1, Math.floor(limit * share));

/** `X-RateLimit-*`; the reset is the service's wall clock in seconds, and `offset` that clock minus ours. */
export function windowHeaderOf(headers: Readonly<Record<string, string>>, offset: Millis): WindowHeader | undefined {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`] ?? Number.NaN));
  if (limit === undefined || remaining === undefined || reset === undefined) return undefined;
  if (!(limit > 0) || !(remaining >= 0) || !(reset > 0)) return undefined;
  return { limit, remaining, resetAt: reset * 1000 - offset };
}
