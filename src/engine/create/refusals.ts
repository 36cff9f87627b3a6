import type { Millis } from '../../lib/clock.ts';
import { minutes } from '../../resource/index.ts';
import type { Outcome } from '../outcome.ts';

interface Refusal {
  readonly wish: string;
  readonly outcome: Outcome;
  readonly until: Millis;
}
/** Shorter than the recheck of a stalled object, which is to send again. */
const holdsFor: Millis = minutes(30);
const terminal: readonly string[] = ['Rejected', 'QuotaExceeded', 'Forbidden'];

/**
 * Creates that were refused for good, by uid. Whatever wakes the object, the same wish is not sent again before half an hour
 * has passed (design 3.7). Times are monotonic.
 */
export class Refusals {
  readonly #known = new Map<string, Refusal>();

  known(uid: string, wish: string, now: Millis): Outcome | undefined {
    const refusal = this.#known.get(uid);
    return refusal !== undefined && refusal.wish === wish && now < refusal.until ? refusal.outcome : undefined;
  }
  note(uid: string, wish: string, outcome: Outcome, now: Millis): void {
    if (outcome.is === 'Stalled' && terminal.includes(outcome.reason)) this.#known.set(uid, { wish, outcome, until: now + holdsFor });
    else this.#known.delete(uid);
  }
  forget(uid: string): void {
    this.#known.delete(uid);
  }
}
