import type { Head } from '../../../src/cloud/http/client.ts';
import type { VirtualClock } from '../../support/virtual/virtual-clock.ts';

export interface ServerRules {
  readonly limit: number;
  readonly seconds: number;
  readonly kind: 'fixed' | 'sliding';
  readonly rounding: 'ceil' | 'floor';
}

/** A service that counts requests in a window and says so as the real one does; independent of the code under test. */
export class RateServer {
  readonly #clock: VirtualClock;
  readonly #rules: ServerRules;
  #begin = -Infinity;
  #times: number[] = [];
  refused = 0;
  /** Most that ever counted at once. */
  most = 0;
  admitted: number[] = [];

  constructor(clock: VirtualClock, rules: ServerRules) {
    this.#clock = clock;
    this.#rules = rules;
  }

  answer(): Omit<Head, 'answeredAt' | 'requestedAt'> {
    const { limit, seconds, rounding } = this.#rules;
    const now = this.#clock.monotonic();
    const end = this.#expire(now);
    const refused = this.#times.length >= limit;
    if (refused) this.refused += 1;
    else {
      this.#times.push(now);
      this.admitted.push(now);
      this.most = Math.max(this.most, this.#times.length);
    }
    const reset = (this.#clock.now() + end - now) / 1000;
    return {
      status: refused ? 429 : 200,
      json: true,
      dated: true,
      apiTime: Math.floor(this.#clock.now() / 1000) * 1000,
      headers: {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(limit - this.#times.length),
        'x-ratelimit-reset': String(Math[rounding](reset)),
        'retry-after': String(Math.ceil((end - now) / 1000) || seconds),
      },
    };
  }

  #expire(now: number): number {
    const span = this.#rules.seconds * 1000;
    if (this.#rules.kind === 'sliding') {
      this.#times = this.#times.filter((at) => at > now - span);
      return (this.#times[0] ?? now) + span;
    }
    if (now >= this.#begin + span) {
      this.#begin = now;
      this.#times = [];
    }
    return this.#begin + span;
  }
}
