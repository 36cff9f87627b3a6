import { type Duration, minutes, seconds } from '../../resource/index.ts';
import { elsewhere, isAbandoned, isHidden } from './abandon.ts';
import { abandonAnnotation, hasFinalizer, isDeleting } from '../run/annotations.ts';
import { ambiguous, unresolvedFor } from '../create/unknown.ts';
import { proveGone } from './gone.ts';
import { heldDeletion } from '../hold/brake.ts';
import { heldBy } from '../hold/hold.ts';
import { claimedBy, isOwn, proofOf } from '../identity/identify.ts';
import { type Intent, intentIsLost, intentOf } from '../identity/intent.ts';
import { candidates, matching } from '../identity/lookup.ts';
import type { Identity } from '../identity/marks.ts';
import { lookAgain, observe } from '../converge/observe.ts';
import type { Outcome } from '../outcome.ts';
import { planDelete, type Step } from '../converge/plan.ts';
import { type Policy, policyOf } from '../converge/policy.ts';
import { CloudError } from '../ports.ts';
import { resolve } from '../resolve/resolve.ts';
import { how, keyOf, type Turn } from '../run/turn.ts';
import { twinsLeft } from '../identity/twins.ts';
import { releaseFinalizer } from '../create/writes.ts';
import { sendDelete, wasJustSent, working } from './send-delete.ts';

/** Brings a deleted object one step nearer to letting go. Every way out says why no remote is left behind (design 4.6). */
export async function remove(turn: Turn): Promise<Outcome> {
  if (!hasFinalizer(turn.object)) return { is: 'Deleted' };
  const intent = intentOf(turn);
  const born = turn.engine.evidence.born.get(turn.object.metadata.uid);
  const proof = proofOf(turn, turn.object);
  switch (proof.is) {
    case 'none':
      if (born !== undefined) return removeOurs(turn, born.identity);
      return intent === undefined
        ? (intentIsLost(turn) ?? (await secondLeft(turn, nowhere(turn))) ?? letGo(turn, 'nothing was ever created for it'))
        : resolveThenDelete(turn, intent);
    case 'ours':
      return removeOurs(turn, proof.identity);
    case 'unproven':
      return removeUnproven(turn, proof.identity);
    case 'conflict':
      return leave(turn, 'its identity could not be proven');
  }
}

/** Of an object without a remote: only twins can be left of it. */
const nowhere = (turn: Turn): Identity => ({ account: turn.account.connection.identity.account, path: '', how: 'created' });

async function removeOurs(turn: Turn, identity: Identity): Promise<Outcome> {
  const { account } = turn.account.connection.identity;
  if (identity.account !== account)
    return isAbandoned(turn.object, identity.path) ? abandon(turn, identity) : elsewhere(turn.object, identity, account);
  const claimed = claimedBy(turn, identity.path);
  if (claimed !== undefined) return leave(turn, `${identity.path} belongs to ${claimed}`);
  const live = await turn.engine.objects.fetch(turn.kind.kind, keyOf(turn.object), turn.signal);
  if (live === undefined || live.metadata.uid !== turn.object.metadata.uid) return { is: 'Deleted' };
  if (!isDeleting(live)) return { is: 'Again' };
  turn.object = live;
  if (await turn.engine.crds.isLeaving(turn.kind.kind)) return leave(turn, 'its CustomResourceDefinition is being removed');
  const policy = policyOf(turn.kind, live.spec, turn.account, identity.how === 'adopted');
  return (await keep(turn, policy, identity)) ?? destroy(turn, identity).catch((error: unknown) => sentAlready(turn, identity, error));
}

/** Waiting for the budget shows on no object; but what was deleted must not go on to say Ready while nobody may look. */
function sentAlready({ engine, object }: Turn, identity: Identity, error: unknown): Outcome {
  const throttled = error instanceof CloudError && error.fault === 'Throttled';
  if (!throttled || !engine.evidence.wasDeleted(object.metadata.uid, identity.path)) throw error;
  return working(identity, 'is being deleted', (error.retryAfter ?? seconds(5)) as Duration);
}

const abandon = (turn: Turn, { path }: Identity): Promise<Outcome> =>
  leave(turn, `${path} cannot be reached with this token and was let go by annotation ${abandonAnnotation}`);

/** Why the remote stays, now or for good. */
async function keep(turn: Turn, policy: Policy, identity: Identity): Promise<Outcome | undefined> {
  if (turn.kind.mode !== 'collection') return letGo(turn, 'it only described what is always there');
  if (policy.management === 'Observe') return leave(turn, `${identity.path} was only observed`);
  if (policy.protect)
    return {
      is: 'Waiting',
      reason: 'DeletionHeld',
      message: 'spec.lifecycle.protect is true. Set it to false to have the remote deleted',
      on: ['spec.lifecycle.protect'],
      recheckAfter: minutes(30),
    };
  if (policy.onDelete === 'Retain') return (await secondLeft(turn, identity)) ?? retain(turn, identity);
  if (policy.management === 'ReadOnly')
    return {
      is: 'Waiting',
      reason: 'ReadOnly',
      message: `the account's mode is ReadOnly: ${identity.path} is deleted when the mode is Manage again; set spec.lifecycle.onDelete: Retain to let go of it now`,
      on: ['spec.mode of the CloudAccount'],
      recheckAfter: minutes(30),
    };
  const hold = heldDeletion(turn);
  return hold === undefined
    ? undefined
    : {
        is: 'Waiting',
        reason: 'DeletionHeld',
        message: hold.message,
        on: [heldBy(turn.account)],
        recheckAfter: minutes(1),
      };
}

const secondLeft = async (turn: Turn, identity: Identity): Promise<Outcome | undefined> =>
  twinsLeft(turn, { want: (await resolve(turn)).want, identity });

async function retain(turn: Turn, identity: Identity): Promise<Outcome> {
  turn.engine.recorder.event(turn.object, {
    type: 'Normal',
    reason: 'Retained',
    message: `${identity.path} stays in the account, because the policy is Retain. It costs what it cost before; delete it there, or adopt it with another object`,
  });
  return letGo(turn, `${identity.path} is retained`);
}

async function destroy(turn: Turn, identity: Identity): Promise<Outcome> {
  const seen = await observe(turn, identity, true);
  if ('outcome' in seen) return seen.outcome;
  if ('missing' in seen) return finish(turn, identity);
  const step = planDelete(turn.kind, identity.path, seen.remote);
  if (step.do === 'refuse' || step.do === 'wait') return notYet(turn, step, identity);
  if (step.do !== 'delete' && step.do !== 'release') return { is: 'Again' };
  if (wasJustSent(turn, step))
    return (await lookAgain(turn, identity, seconds(5))) ? { is: 'Again' } : working(identity, 'is being deleted');
  return (await sendDelete(turn, step, identity)) ?? finish(turn, identity);
}

/** Whoever touches an object that waits for a person says that it was seen to, so the account is asked again. */
async function notYet(turn: Turn, step: Extract<Step, { do: 'refuse' | 'wait' }>, identity: Identity): Promise<Outcome> {
  if (await lookAgain(turn, identity, step.do === 'wait' ? step.recheckAfter : seconds(10))) return { is: 'Again' };
  if (step.do === 'wait') return { is: 'Working', reason: 'Deleting', message: step.message, recheckAfter: step.recheckAfter };
  return { is: 'Stalled', reason: step.reason, message: `${identity.path} cannot be deleted: ${step.message}` };
}

/** The finalizer goes when the remote is proven gone, and not before. */
async function finish(turn: Turn, identity: Identity): Promise<Outcome> {
  const presence = await proveGone(turn, identity, 'delete');
  if (presence.is === 'present') {
    turn.account.connection.mirror.expect(identity.path, minutes(30));
    return working(identity, 'is being deleted');
  }
  if (presence.is === 'unsure')
    return isHidden(presence.outcome) && isAbandoned(turn.object, identity.path) ? abandon(turn, identity) : presence.outcome;
  const left = await secondLeft(turn, identity);
  if (left !== undefined) return left;
  turn.engine.evidence.gone(identity);
  turn.account.connection.mirror.disown(identity.path);
  turn.account.connection.mirror.drop(identity.path);
  const counted = turn.kind.brakeExempt !== true && !turn.engine.releases.has(turn.object.metadata.uid);
  turn.engine.recorder.event(turn.object, { type: 'Normal', reason: 'Deleted', message: `${identity.path} is gone from the account` });
  const outcome = await letGo(turn, `${identity.path} is gone`);
  // Not before: until then the brake counts the object itself, and nothing may count twice.
  if (counted) turn.engine.departures.note(turn.account, turn.object.metadata.namespace, turn.engine.clock.now());
  return outcome;
}

/** An annotation that this operator did not make proves nothing, unless the remote itself carries this object's mark. */
async function removeUnproven(turn: Turn, identity: Identity): Promise<Outcome> {
  const { connection } = turn.account;
  if (
    identity.account === connection.identity.account &&
    identity.path.startsWith(staticPath(turn)) &&
    claimedBy(turn, identity.path) === undefined
  ) {
    const known = await connection.mirror.read(identity.path, how(turn, 'delete'));
    if (known !== undefined && isOwn(turn, known.remote)) return removeOurs(turn, identity);
  }
  return leave(turn, `nothing proves that ${identity.path} is its own`);
}
const staticPath = (turn: Turn): string => (typeof turn.kind.path === 'string' ? `${turn.kind.path}/` : '/');

/** A create whose outcome is open: find what it made, or wait until it surely made nothing; never send again. */
async function resolveThenDelete(turn: Turn, intent: Intent): Promise<Outcome> {
  const { want } = await resolve(turn);
  const rows = await matching(turn, intent.key, want, turn.engine.clock.monotonic());
  const found = candidates(turn, intent, rows).filter(({ path }) => !turn.engine.evidence.wasDeleted(turn.object.metadata.uid, path));
  if (found.length > intent.attempts.length) return ambiguous(found);
  const [first] = found;
  if (first !== undefined) return removeOurs(turn, { ...nowhere(turn), path: first.path });
  const left = await twinsLeft(turn, { want, identity: nowhere(turn) });
  if (left !== undefined) return left;
  const wait = unresolvedFor(turn, intent);
  if (wait <= 0) return letGo(turn, 'its create is known to have made nothing more');
  return {
    is: 'Working',
    reason: 'UnknownOutcome',
    message: 'a create was sent and its answer never came; the account is watched for what it made before this object may go',
    recheckAfter: seconds(Math.min(15, Math.ceil(wait / 1000))),
  };
}

/** Lets go without a call, and says so where a person looks: what the object stood for may still be there and cost. */
function leave(turn: Turn, why: string): Promise<Outcome> {
  const message = `${why}, so nothing in the account was touched. Look there whether something of this object is left`;
  turn.engine.recorder.event(turn.object, { type: 'Warning', reason: 'Retained', message });
  return letGo(turn, why);
}

async function letGo(turn: Turn, why: string): Promise<Outcome> {
  turn.engine.log.info('an object lets go of its remote', {
    kind: turn.kind.kind,
    namespace: turn.object.metadata.namespace,
    name: turn.object.metadata.name,
    why,
  });
  await releaseFinalizer(turn);
  return { is: 'Deleted' };
}
