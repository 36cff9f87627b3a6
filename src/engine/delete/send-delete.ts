import { type Duration, minutes, seconds } from '../../resource/index.ts';
import type { Step } from '../converge/plan.ts';
import type { Identity } from '../identity/marks.ts';
import type { Outcome } from '../outcome.ts';
import { CloudError } from '../ports.ts';
import { send } from '../run/send.ts';
import type { Turn } from '../run/turn.ts';
import { explain, outcomeOf } from '../status/faults.ts';

type Sent = Extract<Step, { do: 'delete' | 'release' }>;

/** The same call went out a moment ago: what it did may only not be seen yet. */
export const wasJustSent = ({ engine, object }: Turn, step: Sent): boolean =>
  engine.evidence.patience(object.metadata.uid, changeName(step), engine.clock.monotonic()) > 0;

const changeName = ({ call }: Sent): string => `${call.method} ${call.path}`;
function noteSent(turn: Turn, step: Sent): void {
  turn.engine.evidence.sent(turn.object.metadata.uid, changeName(step), turn.engine.clock.monotonic());
}

/** Sends DELETE, or the call that must come before it. Undefined: it was answered, or may have been; look whether the remote is gone. */
export async function sendDelete(turn: Turn, step: Sent, identity: Identity): Promise<Outcome | undefined> {
  const { connection } = turn.account;
  try {
    connection.mirror.changed(identity.path, await send(turn, step.call, 'delete'));
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    if (step.do === 'release' && error.fault === 'Rejected') return releaseRefused(turn, identity, error);
    if (error.fault !== 'NotFound' && error.fault !== 'Unknown') return outcomeOf(turn.kind, error);
    noteSent(turn, step);
    connection.mirror.drop(identity.path);
    return undefined;
  }
  noteSent(turn, step);
  connection.mirror.expect(identity.path, minutes(30));
  if (step.do === 'release') return working(identity, 'is being released before it is deleted');
  turn.engine.evidence.deleted(turn.object.metadata.uid, identity.path);
  return undefined;
}

/** What it must be released from is often being deleted too, and then the release comes about by itself. */
function releaseRefused(turn: Turn, identity: Identity, error: CloudError): Outcome {
  turn.account.connection.mirror.drop(identity.path);
  const text = explain(turn.kind, error);
  return {
    is: 'Retrying',
    reason: 'Rejected',
    message: `${text}. The remote is read again, and the call is made again where it is still needed`,
  };
}

/** The object is on its way out; `what` is said of its remote. */
export const working = (identity: Identity, what: string, recheckAfter: Duration = seconds(5)): Outcome => ({
  is: 'Working',
  reason: 'Deleting',
  message: `${identity.path} ${what}`,
  recheckAfter,
});
