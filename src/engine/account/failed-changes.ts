import type { Clock, Millis } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import { backoff } from '../run/backoff.ts';
import type { Outcome, Reason } from '../outcome.ts';
import type { Reconciled } from '../run/reconcile.ts';

interface Failed {
  readonly wish: string;
  readonly outcome: Outcome;
  readonly failures: number;
  /** Monotonic. */
  readonly until: Millis;
}
/** Reasons that the answer to one call gave, or its lack of one. */
const reasons: ReadonlySet<Reason> = new Set([
  'Unauthorized',
  'Forbidden',
  'Rejected',
  'QuotaExceeded',
  'AlreadyExists',
  'Unreachable',
  'UnknownOutcome',
]);
const isFailure = (outcome: Outcome): boolean =>
  outcome.is === 'Waiting'
    ? outcome.reason === 'Busy'
    : (outcome.is === 'Stalled' || outcome.is === 'Retrying') && reasons.has(outcome.reason);

/**
 * Changes of an account that failed although reads work: refused, busy, answered with 5xx or not at all. The account is
 * looked at every minute for its token, and whenever a poll works again; a failed change is sent again by back-off only,
 * until the spec or the token is another.
 */
export class FailedChanges {
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #known = new Map<string, Failed>();
  constructor({ clock, random }: { readonly clock: Clock; readonly random: Random }) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Does the work, or answers as it was answered before its time has come. `wish`: token and generation. */
  async pace(id: string, wish: string, work: () => Promise<Reconciled>): Promise<Reconciled> {
    const known = this.#known.get(id);
    const again = known?.wish === wish ? known : undefined;
    if (again !== undefined && this.#clock.monotonic() < again.until) return { outcome: again.outcome, health: undefined };
    const done = await work();
    if (isFailure(done.outcome)) this.#note(id, { wish, outcome: done.outcome, failures: again === undefined ? 0 : again.failures + 1 });
    else this.#known.delete(id);
    return done;
  }
  forget(id: string): void {
    this.#known.delete(id);
  }

  #note(id: string, failed: Omit<Failed, 'until'>): void {
    this.#known.set(id, { ...failed, until: this.#clock.monotonic() + backoff(failed.failures, this.#random) });
  }
}
