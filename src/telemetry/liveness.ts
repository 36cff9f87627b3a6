import type { Clock, Millis } from '../lib/clock.ts';

/** The work as liveness sees it. */
export interface Workload {
  /** False on a standby, which lets its queue fill. */
  readonly working: boolean;
  /** For how long the next object has been due. */
  readonly oldestWait: Millis;
  /** Reconciles under way. */
  readonly reconciles: number;
}

/** Taking a due object takes microseconds unless all places are taken. */
const patience: Millis = 120_000;
/** With so many reconciles under way the others wait rightly: for the rate window, or for an API that does not answer. */
const busy = 900;

/**
 * Whether restarting would help. True to its purpose it knows nothing of the account's API: an outage there must never
 * restart the operator. What it can find is a queue that nobody takes from.
 */
export class Liveness {
  readonly #clock: Clock;
  #idleSince: Millis | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** What is wrong, or undefined. Judged over the time between probes, so that one unlucky look proves nothing. */
  problem({ working, oldestWait, reconciles }: Workload): string | undefined {
    const stuck = working && reconciles < busy && oldestWait > patience;
    const now = this.#clock.monotonic();
    this.#idleSince = stuck ? (this.#idleSince ?? now) : undefined;
    if (this.#idleSince === undefined || now - this.#idleSince < patience) return undefined;
    return `objects have been due for ${Math.round(oldestWait / 1000)} s and no worker takes them`;
  }
}
