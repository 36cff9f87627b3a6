import type { Millis } from '../../lib/clock.ts';
import { quoted } from '../../lib/quoted.ts';
import type { ConnectingContext } from '../context.ts';
import { pauseOf } from '../guard/pause.ts';
import { keyOf, nameOf } from '../model/object-id.ts';
import type { Paused } from '../model/pause.ts';
import type { Reconciled } from '../reconcile/result.ts';

export interface AccountPause {
  /** For its objects. */
  readonly paused: string;
  /** For the account: what ends it. */
  readonly message: string;
  readonly recheckAfter: Millis | undefined;
}

/** Of an account a pause stops changes; reads go on, so that its objects show what happens meanwhile. */
export async function accountPause({ engine, object, status, signal }: ConnectingContext): Promise<AccountPause | undefined> {
  const outcome = await pauseOf(engine, object, status, signal);
  if (outcome?.is !== 'Paused') return undefined;
  const { until, reason } = (status['paused'] ?? {}) as Partial<Paused>;
  const end = until === undefined ? '' : ` until ${until}`;
  const why = reason === undefined ? '' : ` (${quoted(reason)})`;
  const paused = `${object.kind} ${nameOf(keyOf(object))} is paused${end}${why}`;
  return {
    paused,
    message: outcome.message.replace('nothing is read or changed', 'nothing of this account is changed'),
    recheckAfter: outcome.recheckAfter,
  };
}

/** A paused account that is as wanted, or may not be made so, says that it is paused. */
export function shownPaused(done: Reconciled, pause: AccountPause | undefined): Reconciled {
  const { outcome } = done;
  if (pause === undefined || (outcome.is !== 'Synced' && outcome.is !== 'Reported')) return done;
  const differs = outcome.is === 'Reported' && outcome.differs;
  return { ...done, outcome: { is: 'Reported', reason: 'Paused', differs, message: pause.message } };
}
