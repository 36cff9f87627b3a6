import type { Millis } from '../../lib/clock.ts';
import { readTime } from '../../lib/utc-time.ts';
import { type Duration, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { sentWithin } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Update, UpdateStep } from '../model/step.ts';

/** The service wants time between two changes of one remote. Until when none is sent stands in status, so that a restart knows of it too. */
export function tooSoon(context: ReconcileContext, step: UpdateStep): Outcome | undefined {
  const { kind, account } = context;
  if (step.do !== 'update' || kind.changesApart === undefined || ownNote(context) !== undefined) return undefined;
  const rest = (noted(context) ?? 0) - account.connection.apiNow();
  // What lies further ahead was written by a clock that was wrong.
  if (rest <= 0 || rest > kind.changesApart + sentWithin) return undefined;
  return {
    is: 'Working',
    reason: 'Updating',
    message: `${fieldsOf(step)}: waits to be sent, as the service takes one change in ${kind.changesApart / 1000} s and had one just now`,
    recheckAfter: rest as Duration,
  };
}

/** Written before a change is sent: whoever finds it, and did not write it, does not know whether it was. Undefined: now. */
export function noteChange(context: ReconcileContext, step: Update): Outcome | undefined {
  const { kind, object, engine, account, status } = context;
  if (kind.changesApart === undefined) return undefined;
  const now = account.connection.apiNow();
  const own = engine.objectMemory.nextChange.get(object.metadata.uid);
  const isGood = own !== undefined && (readTime(own) ?? 0) - kind.changesApart > now;
  if (isGood && ownNote(context) !== undefined) return undefined;
  const text = isGood ? own : timeOf(now + sentWithin + kind.changesApart);
  engine.objectMemory.nextChange.set(object.metadata.uid, text);
  status['nextChangeAt'] = text;
  return {
    is: 'Working',
    reason: 'Updating',
    message: `${fieldsOf(step)} is sent next; the service takes one change in ${kind.changesApart / 1000} s, so the next change waits that long`,
    recheckAfter: seconds(0),
  };
}

/** What was refused, or surely never sent, may be tried again at any time. */
export function changeSent({ kind, object, engine, account, status }: ReconcileContext, refused: Outcome | undefined): void {
  const mayBeMade = refused === undefined || ('reason' in refused && refused.reason === 'UnknownOutcome');
  if (kind.changesApart === undefined || !mayBeMade) return;
  engine.objectMemory.nextChange.delete(object.metadata.uid);
  status['nextChangeAt'] = timeOf(account.connection.apiNow() + kind.changesApart);
}

const fieldsOf = ({ changes }: Update): string => changes.map(({ field }) => `spec.${field}`).join(', ');

/** Of this process, which knows that nothing was sent under it. */
function ownNote({ object, engine }: ReconcileContext): string | undefined {
  const own = engine.objectMemory.nextChange.get(object.metadata.uid);
  return own !== undefined && own === object.status?.['nextChangeAt'] ? own : undefined;
}
const noted = ({ object }: ReconcileContext): Millis | undefined => readTime(String(object.status?.['nextChangeAt']));
const timeOf = (at: Millis): string => new Date(at).toISOString();
