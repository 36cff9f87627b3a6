import type { Clock } from '../clock.ts';
import type { Knobs } from '../contract/knobs.ts';
import type { RateClass } from '../contract/operation.ts';
import type { RateLimit } from './rate-profiles.ts';
import { limitOf } from './rate-profiles.ts';

export interface Admission {
  readonly refused: boolean;
  /** `X-RateLimit-*` and `Retry-After`, on every answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be called when the answer is ready. */
  release(): void;
}

/** Requests of one user in one class. */
interface Window {
  /** Fixed: when it began, monotonic. */
  begin: number;
  used: number;
  /** Sliding: when each request of the last window came, monotonic. */
  recent: number[];
  inFlight: number;
}

const free: Admission = { refused: false, headers: {}, release: () => undefined };

/** Windows per user and rate class, fixed or sliding. */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #knobs: Readonly<Knobs>;
  readonly #windows = new Map<string, Window>();

  constructor(clock: Clock, knobs: Readonly<Knobs>) {
    this.#clock = clock;
    this.#knobs = knobs;
  }

  admit(user: string, rate: RateClass): Admission {
    const found = limitOf(this.#knobs.rateProfile, rate);
    if (found === undefined) return free;
    const { limit, shared } = found;
    const window = this.#window(`${user} ${shared}`);
    const now = this.#clock.monotonic();
    const state = this.#knobs.rateWindow === 'fixed' ? fixed(window, limit, now) : sliding(window, limit, now);
    const pause = burstPause(window, limit, now);
    const crowded = limit.concurrency !== undefined && window.inFlight >= limit.concurrency;
    const refused = state.used >= limit.requests || crowded || pause > 0;
    if (!refused) take(window, now);
    const left = refused ? Math.max(0, limit.requests - state.used) : limit.requests - state.used - 1;
    return {
      refused,
      headers: this.#headers(limit, left, pause > 0 ? pause : state.end - now),
      release: () => void (refused || (window.inFlight -= 1)),
    };
  }

  #window(key: string): Window {
    const known = this.#windows.get(key) ?? { begin: -Infinity, used: 0, recent: [], inFlight: 0 };
    this.#windows.set(key, known);
    return known;
  }

  #headers(limit: RateLimit, left: number, wait: number): Readonly<Record<string, string>> {
    return {
      'x-ratelimit-limit': String(limit.requests),
      'x-ratelimit-remaining': String(left),
      'x-ratelimit-reset': String(Math.ceil((this.#clock.now() + wait) / 1000)),
      'retry-after': String(Math.max(1, Math.ceil(wait / 1000))),
    };
  }
}

function take(window: Window, now: number): void {
  window.used += 1;
  window.recent.push(now);
  window.inFlight += 1;
}

/** Milliseconds until the burst window lets another one in. */
function burstPause(window: Window, { burst }: RateLimit, now: number): number {
  if (burst === undefined) return 0;
  const earliest = window.recent.at(-burst.requests);
  return earliest === undefined ? 0 : Math.max(0, earliest + burst.seconds * 1000 - now);
}

interface WindowState {
  readonly used: number;
  /** When budget comes back, monotonic. */
  readonly end: number;
}

function fixed(window: Window, limit: RateLimit, now: number): WindowState {
  if (now >= window.begin + limit.seconds * 1000) {
    window.begin = now;
    window.used = 0;
    window.recent = window.recent.slice(-10);
  }
  return { used: window.used, end: window.begin + limit.seconds * 1000 };
}

function sliding(window: Window, limit: RateLimit, now: number): WindowState {
  const since = now - limit.seconds * 1000;
  const expired = window.recent.findIndex((at) => at > since);
  window.recent.splice(0, expired === -1 ? window.recent.length : expired);
  return { used: window.recent.length, end: (window.recent[0] ?? now) + limit.seconds * 1000 };
}
