import { asCollection, type Call, readRemote, type Row, minutes, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';
import type { DeleteSteps, StepOf } from '../model/step.ts';
import { isDelete } from '../plan/plan-delete.ts';
import type { CloudError } from '../ports/index.ts';
import { outcomeOf } from '../status/fault-table.ts';
import { explain } from '../status/refusal-text.ts';

type Sendable = Pick<StepOf<DeleteSteps, 'release' | 'delete'>, 'do' | 'call'>;
type Why = 'deleted' | 'replaced' | 'duplicate' | 'retired';

interface Asked {
  readonly step: Sendable;
  readonly remote: Row;
  readonly why: Why;
}

export const removing = (why: Why) =>
  why === 'replaced' ? ({ what: 'the replacement', reason: 'Updating' } as const) : ({ what: 'the deletion', reason: 'Deleting' } as const);

/** What it must be released from is often being deleted too, and then the release comes about by itself: a refusal is what lasts. */
export function meaningOf(context: ReconcileContext, { step, remote, why }: Asked, error: CloudError): Outcome {
  const { kind, engine, object } = context;
  if (!passes(context, step, error)) return outcomeOf(kind, error);
  const { reason } = removing(why);
  const free = error.fault === 'Rejected' ? comesFree(context, step, remote) : undefined;
  if (free !== undefined) return { is: 'Working', reason, message: free, recheckAfter: seconds(5) };
  const message = `${explain(kind, error)}. The remote is read again, and the call is made again where it is still needed`;
  const lasts = engine.objectMemory.waitsFor(object.metadata.uid, message, engine.clock.monotonic()) > seconds(30);
  if (lasts) return { is: 'Retrying', reason: 'Rejected', message };
  return { is: 'Working', reason, message, recheckAfter: seconds(4) };
}
function passes({ kind }: ReconcileContext, { do: what, call }: Sendable, { status, fault }: CloudError): boolean {
  const isOtherwise = status === 405 && isDelete(call) && kind.deletion?.otherwise !== undefined;
  return isOtherwise || fault === 'NotFound' || (what === 'release' && fault === 'Rejected');
}

/** So long the service may take to let go of it; after that it is asked all the same. */
const letsGoWithin = minutes(5);

/** In words: a release would be refused, because what has it is being deleted, and lets go of it by that. */
export function comesFree({ engine, kind, account, object }: ReconcileContext, step: Sendable, row: Row): string | undefined {
  if (step.do !== 'release') return undefined;
  const read = readRemote(kind, row);
  const used = 'remote' in read ? (asCollection(kind)?.usedBy?.(read.remote) ?? []) : [];
  const { cache, identity } = account.connection;
  const going = used.find((path) => {
    const holder = engine.claims.holder(identity.account, path);
    if (holder !== undefined) return engine.objectMemory.wasDeleted(holder.uid, path);
    return engine.claims.isGone({ account: identity.account, path }) || cache.deletedByEvent(path);
  });
  if (going === undefined) return undefined;
  const message = `it is in use by ${going}, which is being deleted: it comes free with that, and is deleted then`;
  return engine.objectMemory.waitsFor(object.metadata.uid, message, engine.clock.monotonic()) < letsGoWithin ? message : undefined;
}

/** Nobody said whether it was done. */
export function noteUnanswered(context: ReconcileContext, path: string, call: Call, { fault, message }: CloudError): void {
  if (fault !== 'Unknown' || !isDelete(call)) return;
  const { unanswered } = context.engine.objectMemory;
  unanswered.set(context.object.metadata.uid, { path, times: (unansweredOf(context, path)?.times ?? 0) + 1, said: message });
}
/** An object may have others on their way out beside what it has. */
function unansweredOf({ engine, object }: ReconcileContext, path: string) {
  const noted = engine.objectMemory.unanswered.get(object.metadata.uid);
  return noted?.path === path ? noted : undefined;
}

/** What is known of a DELETE that was sent, while its remote is there. */
export function howItGoes(context: ReconcileContext, path: string): string {
  const { times = 0, said = '' } = unansweredOf(context, path) ?? {};
  if (times === 0) return 'is being deleted';
  const often = times === 1 ? 'once' : `${times} times`;
  return `is still there, and whether it goes is not known: its deletion was sent ${often}, and the answer was: ${said}. It is sent again until it is gone`;
}
