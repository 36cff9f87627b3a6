import type { Millis } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { ByEnding, Ending, Outcome } from '../model/outcome.ts';

/** When an object is looked at again, beyond what wakes it by itself. */
export type Requeue =
  | { readonly is: 'none' }
  | { readonly is: 'after'; readonly delay: Millis }
  | { readonly is: 'backoff'; readonly atLeast: Millis; readonly atMost?: Millis };

const stalledRecheck = { from: 30 * 60_000, to: 60 * 60_000 };

const none = (): Requeue => ({ is: 'none' });
const inTime = ({ recheckAfter }: { readonly recheckAfter: Millis }): Requeue => ({ is: 'after', delay: recheckAfter });

/** THE table of next looks (README: status). */
const rows: ByEnding<Requeue, [Random]> = {
  Synced: none,
  Unsettled: inTime,
  Working: inTime,
  // The job that is in the way may take long; its event tells when it ends, so asking again may get rarer.
  Waiting: (outcome) => (outcome.reason === 'Busy' ? { is: 'backoff', atLeast: outcome.recheckAfter } : inTime(outcome)),
  Reported: none,
  Approval: ({ recheckAfter }) => (recheckAfter === undefined ? none() : { is: 'after', delay: recheckAfter }),
  Paused: inTime,
  Retrying: ({ retryAfter = 0, retryWithin }) => ({
    is: 'backoff',
    atLeast: retryAfter,
    ...(retryWithin !== undefined && { atMost: retryWithin }),
  }),
  Stalled: (_, random) => ({ is: 'after', delay: stalledRecheck.from + random() * (stalledRecheck.to - stalledRecheck.from) }),
  Quiet: inTime,
  Again: () => ({ is: 'after', delay: 0 }),
  Deleted: none,
};

export const requeueOf = <Is extends Ending>(outcome: Outcome<Is>, { random }: { readonly random: Random }): Requeue =>
  rows[outcome.is](outcome, random);
