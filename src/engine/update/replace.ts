import { type AnyWant, minutes, seconds } from '../../resource/index.ts';
import { dropReplacing, writeReplacing } from '../change/metadata.ts';
import { type Removed, removeRemote } from '../change/remove-remote.ts';
import type { ReconcileContext } from '../context.ts';
import { cannotBeMade } from '../guard/cannot-be-made.ts';
import { isRecovering, notReplaced } from '../guard/recovery.ts';
import { conflict } from '../identity/conflict.ts';
import { annotation, isDeleting, replacingAnnotation } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { isReplaceApproved, policyOf, shownPlan } from '../model/policy.ts';
import { isReplacing, replacingOf } from '../model/replacing.ts';
import type { Difference, BoundRemote, UpdateStep } from '../model/step.ts';
import { pendingPlan } from '../plan/approval.ts';
import type { Resource } from '../ports/index.ts';

/** A DELETE whose answer never came may come about so much later. */
const remembered = minutes(15);

/** The spec does not ask for a replacement any more, and nothing of it is under way: a loss that comes later is a question again. */
export async function endReplacement(context: ReconcileContext, step: UpdateStep, identity: Identity): Promise<void> {
  if (annotation(context.object, replacingAnnotation) === undefined) return;
  const noted = isReplacing(context, identity) ? replacingOf(context) : undefined;
  const rest = (noted?.at ?? -Infinity) + remembered + context.engine.settings.commitBound - context.engine.clock.now();
  if (rest <= 0 && step.do !== 'replace') await dropReplacing(context);
  if (rest > 0) context.engine.wake(context.kind.kind, context.object.metadata, { after: rest });
}

async function noteReplacing(context: ReconcileContext, identity: Identity): Promise<void> {
  const noted = isReplacing(context, identity) ? replacingOf(context) : undefined;
  if (noted === undefined || context.engine.clock.now() - noted.at > minutes(5)) await writeReplacing(context, identity);
}

/** What is there is not given up for what is not to be. */
const notToBeMade = async (context: ReconcileContext, want: AnyWant): Promise<Outcome | undefined> =>
  cannotBeMade(context, want) ?? conflict(context, want);

/** An approved replacement: the old remote is deleted like any other; once it is proven gone, the create path makes the new one. */
export async function replace(
  context: ReconcileContext,
  changes: readonly Difference[],
  { identity, remote, want }: BoundRemote,
): Promise<Outcome> {
  const lacking = await notToBeMade(context, want);
  if (lacking !== undefined) return lacking;
  const fields = changes.map(({ field }) => `spec.${field}`).join(', ');
  const asked = shownPlan(context.object);
  if (asked?.effect !== 'Replace') {
    context.status['plan'] = pendingPlan(changes, { now: context.account.connection.apiNow(), ...(asked !== undefined && { asked }) });
    return {
      is: 'Working',
      reason: 'Updating',
      message: `${identity.path} is going to be replaced because of ${fields}`,
      recheckAfter: seconds(0),
    };
  }
  const begun = context.engine.objectMemory.wasDeleted(context.object.metadata.uid, identity.path);
  if (!begun && isRecovering(context)) return notWhileRecovering(context, fields);
  const removed = await removeRemote<Outcome>(context, {
    why: 'replaced',
    fields,
    identity,
    judge: (live) => (isStillWanted(context, live, identity.how === 'adopted') ? undefined : { is: 'Again' }),
    uninstalled: { is: 'Quiet', recheckAfter: seconds(30) },
    read: () => Promise.resolve({ remote, readAt: 0 }),
    noteFirst: () => noteReplacing(context, identity),
  });
  const standing = notRemoved(removed, identity, fields);
  if (standing !== undefined) return standing;
  if (!begun && context.engine.objectMemory.wasDeleted(context.object.metadata.uid, identity.path))
    context.engine.recorder.event(context.object, {
      type: 'Warning',
      reason: 'Updating',
      message: `${identity.path} is replaced because of ${fields}`,
    });
  return {
    is: 'Working',
    reason: 'Updating',
    message: `${identity.path} is being replaced because of ${fields}`,
    recheckAfter: seconds(2),
  };
}

/** Why the old remote is still there. */
function notRemoved(removed: Removed<Outcome>, { path }: Identity, fields: string): Outcome | undefined {
  if (removed.is === 'instead') return removed.step;
  if (removed.is === 'waits') return removed.outcome;
  if (removed.is === 'kept')
    return { is: 'Stalled', reason: 'Rejected', message: `${path} cannot be replaced (${fields}): ${removed.why}` };
  return undefined;
}

const notWhileRecovering = (context: ReconcileContext, fields: string): Outcome => ({
  is: 'Waiting',
  reason: 'AccountNotReady',
  message: `${fields} asks for a replacement. ${notReplaced(context)}`,
  on: [`spec.recover of CloudAccount ${context.account.key.name}`],
  recheckAfter: minutes(10),
});

/** A protection, a deletion or a withdrawn approval may be on its way while the watch has not told yet. */
function isStillWanted({ kind, account, object }: ReconcileContext, live: Resource | undefined, adopted: boolean): boolean {
  if (live === undefined || isDeleting(live) || live.metadata.generation !== object.metadata.generation) return false;
  const policy = policyOf(kind, live.spec, account, adopted);
  return !policy.protect && isReplaceApproved(live, policy);
}
