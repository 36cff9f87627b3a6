import { minutes, seconds } from '../../resource/index.ts';
import type { Present } from './act.ts';
import { annotation, approveAnnotation, isDeleting } from '../run/annotations.ts';
import type { Difference } from './drift.ts';
import { outcomeOf } from '../status/faults.ts';
import type { Outcome, PendingPlan } from '../outcome.ts';
import type { Identity } from '../identity/marks.ts';
import { lookAgain } from './observe.ts';
import { pendingPlan, planDelete, type Step } from './plan.ts';
import { type Policy, policyOf } from './policy.ts';
import { CloudError } from '../ports.ts';
import { send } from '../run/send.ts';
import { keyOf, type Turn } from '../run/turn.ts';

const shownPlan = ({ object }: Turn): PendingPlan | undefined => object.status?.['plan'] as PendingPlan | undefined;

/** A replacement was shown in status and approved before its old remote went, so the new one needs no further question. */
export function isReplaced(turn: Turn, policy: Policy): boolean {
  const plan = shownPlan(turn);
  const approved = policy.approve.includes('Replace') || annotation(turn.object, approveAnnotation) === plan?.hash;
  return plan?.effect === 'Replace' && policy.replace && approved;
}

/** An approved replacement: the old remote is deleted like any other; once it is proven gone, the create path makes the new one. */
export async function replace(turn: Turn, changes: readonly Difference[], { identity, remote }: Present): Promise<Outcome> {
  const fields = changes.map(({ field }) => `spec.${field}`).join(', ');
  if (shownPlan(turn)?.effect !== 'Replace') {
    const asked = shownPlan(turn);
    turn.notes['plan'] = pendingPlan(changes, { now: turn.account.connection.apiNow(), ...(asked !== undefined && { asked }) });
    return {
      is: 'Working',
      reason: 'Updating',
      message: `${identity.path} is going to be replaced because of ${fields}`,
      recheckAfter: seconds(0),
    };
  }
  const step = planDelete(turn.kind, identity.path, remote);
  if (step.do !== 'delete' && step.do !== 'release') return notYet(turn, step, { identity, fields });
  const { evidence, clock } = turn.engine;
  const { uid, generation } = turn.object.metadata;
  const change = `${generation} ${step.call.method} ${step.call.path}`;
  if (evidence.patience(uid, change, clock.monotonic()) > 0) return underWay(identity, fields);
  if (!(await isStillWanted(turn, identity))) return { is: 'Again' };
  const refused = await remove(turn, step, identity);
  if (refused !== undefined) return refused;
  evidence.sent(uid, change, clock.monotonic());
  turn.engine.recorder.event(turn.object, {
    type: 'Warning',
    reason: 'Updating',
    message: `${identity.path} is replaced because of ${fields}`,
  });
  turn.account.connection.mirror.expect(identity.path, minutes(30));
  return underWay(identity, fields);
}

const underWay = (identity: Identity, fields: string): Outcome => ({
  is: 'Working',
  reason: 'Updating',
  message: `${identity.path} is being replaced because of ${fields}`,
  recheckAfter: seconds(2),
});

/** As before any deletion, the object is read anew: a protection or a withdrawn approval may be on its way (design 4.6). */
async function isStillWanted(turn: Turn, identity: Identity): Promise<boolean> {
  const { object } = turn;
  const live = await turn.engine.objects.fetch(turn.kind.kind, keyOf(object), turn.signal);
  if (live === undefined || live.metadata.uid !== object.metadata.uid || isDeleting(live)) return false;
  turn.object = live;
  const policy = policyOf(turn.kind, live.spec, turn.account, identity.how === 'adopted');
  return live.metadata.generation === object.metadata.generation && !policy.protect && isReplaced(turn, policy);
}

async function notYet(turn: Turn, step: Step, { identity, fields }: { identity: Identity; fields: string }): Promise<Outcome> {
  const wait = seconds(10);
  if (await lookAgain(turn, identity, wait)) return { is: 'Again' };
  const why = 'message' in step ? `: ${step.message}` : '';
  const message = `${identity.path} cannot be replaced yet (${fields})${why}`;
  return step.do === 'refuse'
    ? { is: 'Stalled', reason: step.reason, message }
    : { is: 'Working', reason: 'Updating', message, recheckAfter: wait };
}

/** Undefined: it was answered, or the remote is gone already. */
async function remove(turn: Turn, step: Extract<Step, { do: 'delete' | 'release' }>, identity: Identity): Promise<Outcome | undefined> {
  const { connection } = turn.account;
  try {
    connection.mirror.changed(identity.path, await send(turn, step.call, 'edit'));
    if (step.do === 'delete') turn.engine.evidence.deleted(turn.object.metadata.uid, identity.path);
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    connection.mirror.drop(identity.path);
    if (error.fault !== 'NotFound') return outcomeOf(turn.kind, error);
  }
  return undefined;
}
