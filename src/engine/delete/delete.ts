import { type Duration, isInPlace, minutes, seconds } from '../../resource/index.ts';
import { leaveTold, leftText } from '../change/outputs/left.ts';
import { howItGoes } from '../change/removal-refused.ts';
import { removeRemote } from '../change/remove-remote.ts';
import { callOptions, isOfCollection, type Performers, type ReconcileContext } from '../context.ts';
import { notForThisUser } from '../guard/account-limit.ts';
import { mayTakeByMark } from '../identity/by-mark.ts';
import { mayBeRestored } from '../guard/recovery.ts';
import { feedText } from '../identity/birth.ts';
import { candidates, cannotBeTold, isProven, isWitnessed, witnessIn } from '../identity/candidates.ts';
import { type Found, matchingIntent } from '../identity/lookup.ts';
import { ambiguous } from '../identity/open-create.ts';
import { claimedBy } from '../identity/ownership.ts';
import { proofOf } from '../identity/proof.ts';
import { elsewhere, isAbandoned, isHidden } from '../model/abandonment.ts';
import { abandonAnnotation, hasFinalizer, isDeleting } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import { type Intent, intentIsLost, intentOf } from '../model/intent.ts';
import { deletionUnderWay, type Outcome } from '../model/outcome.ts';
import { policyOf } from '../model/policy.ts';
import { type Retention, type RetentionSteps, type StepOf } from '../model/step.ts';
import { isTakenAlong, proveGone } from '../observe/loss-proof.ts';
import { observe } from '../observe/observe.ts';
import { CloudError, type Resource } from '../ports/index.ts';
import { resolve } from '../resolve/resolve.ts';
import { duplicatesLeft } from './duplicates.ts';
import { inDoubt, maybeMade, mayCome } from './in-doubt.ts';
import { askedInVain, handedOver, toTheOther, type Wanted } from './handed-over.ts';
import { mayNotDelete } from './only-read.ts';
import { goesWithParent } from './parent-going.ts';
import { protectedBy } from './protected-by.ts';
import { leave, releaseObject, releaseWithNotice, retain } from './let-go.ts';
import { endRetired, retiredLeft } from './retired.ts';
import { retiringText } from './retiring-to.ts';
import { withoutTrace } from './without-trace.ts';

/** Brings a deleted object one step nearer to letting go. Every way out says why no remote is left behind (README: deletion). */
export async function reconcileDeleted(context: ReconcileContext): Promise<Outcome> {
  if (!hasFinalizer(context.object)) return { is: 'Deleted' };
  const intent = intentOf(context);
  const born = context.engine.objectMemory.made.get(context.object.metadata.uid);
  const proof = proofOf(context, context.object, { restored: mayBeRestored(context) });
  switch (proof.is) {
    case 'none':
      if (born !== undefined) return removeOurs(context, born.identity);
      return intent === undefined
        ? (intentIsLost(context) ?? (await besideNothing(context)) ?? withoutTrace(context))
        : resolveThenDelete(context, intent);
    case 'ours':
      return removeOurs(context, proof.identity);
    case 'unproven':
      return removeUnproven(context, proof.identity);
    case 'conflict':
      return releaseWithNotice(context, proof.why);
  }
}

/** Of an object without a remote: only duplicates can be left of it, and what another one had taken the place of. */
const nowhere = (context: ReconcileContext): Identity => ({
  account: context.account.connection.identity.account,
  path: '',
  how: 'created',
});

const besideNothing = async (context: ReconcileContext): Promise<Outcome | undefined> =>
  (await secondLeft(context, nowhere(context))) ?? retiredLeft(context);

async function removeOurs(context: ReconcileContext, identity: Identity): Promise<Outcome> {
  const { account } = context.account.connection.identity;
  if (identity.account !== account)
    return isAbandoned(context.object, identity.path) ? abandon(context, identity) : elsewhere(context.object, identity, account);
  const claimed = claimedBy(context, identity.path);
  if (claimed !== undefined) return releaseWithNotice(context, `${identity.path} belongs to ${claimed}`);
  takeUpAnew(context, identity);
  return destroy(context, identity).catch((error: unknown) => sentAlready(context, identity, error));
}

/** Annotation `reconcile-at`: what was refused is sent once more, and what is known of the remote no longer counts. */
function takeUpAnew({ engine, object, account }: ReconcileContext, { path }: Identity): void {
  if (!engine.objectMemory.lookAsked.delete(object.metadata.uid)) return;
  engine.ledger.beginAnew(object.metadata.uid);
  account.connection.cache.invalidate(path);
}

/** Waiting for the budget shows on no object; but what was deleted must not go on to say Ready while nobody may look. */
function sentAlready({ engine, object }: ReconcileContext, identity: Identity, error: unknown): Outcome {
  const throttled = error instanceof CloudError && error.fault === 'Throttled';
  if (!throttled || !engine.objectMemory.wasDeleted(object.metadata.uid, identity.path)) throw error;
  return deletionUnderWay(identity, 'is being deleted', (error.retryAfter ?? seconds(5)) as Duration);
}

/** It was its own, and stays. */
const releaseKept = async (context: ReconcileContext, identity: Identity, why: string): Promise<Outcome> =>
  releaseWithNotice(
    context,
    `${why}${leftText(await leaveTold(context, identity))}`,
    `Look there whether something of this object is left${retiringText(context)}`,
  );
const abandon = (context: ReconcileContext, identity: Identity): Promise<Outcome> =>
  releaseKept(context, identity, `${identity.path} cannot be reached with this token and was let go by annotation ${abandonAnnotation}`);

const isGone: Retention = { do: 'say', outcome: { is: 'Deleted' } };

interface Leaves extends Wanted {
  readonly identity: Identity;
}
/** Why the remote stays; undefined: its object and policy let it go. */
function retention(context: ReconcileContext, live: Resource | undefined, leaves: Leaves): Retention | undefined {
  if (live === undefined) return isGone;
  if (!isDeleting(live)) return { do: 'say', outcome: { is: 'Again' } };
  if (!isOfCollection(context) && context.kind.deletion === undefined) return { do: 'leave' };
  return byPolicy(context, live, leaves);
}
function byPolicy(context: ReconcileContext, live: Resource, { identity, to, inVain, keeper }: Leaves): Retention | undefined {
  const policy = policyOf(context.kind, live.spec, context.account, identity.how === 'adopted');
  if (policy.management === 'Observe') return { do: 'releaseWithNotice', why: `${identity.path} was only observed` };
  if (to !== undefined) return isOfCollection(context) ? toTheOther(context, policy, identity, to) : { do: 'leave', to };
  if (keeper !== undefined) return { do: 'retain', keeper };
  if (policy.protect) return { do: 'say', outcome: protectedBy(policy) };
  if (policy.onDelete === 'Retain') return { do: 'retain' };
  if (inVain !== undefined) return { do: 'say', outcome: askedInVain(context, identity, inVain) };
  const waits = mayNotDelete(context, policy, identity) ?? goesWithParent(context, identity);
  return waits === undefined ? undefined : { do: 'say', outcome: waits };
}
const retentions: Performers<RetentionSteps, [identity: Identity]> = {
  say: (_, { outcome }) => outcome,
  releaseWithNotice: (context, { why }, identity) => releaseKept(context, identity, why),
  leave: (context, { to }, identity) => leave(context, identity, to),
  retain: async (context, step, identity) => (await secondLeft(context, identity)) ?? retain(context, identity, step),
};
async function keep<Do extends keyof RetentionSteps>(
  context: ReconcileContext,
  step: StepOf<RetentionSteps, Do>,
  identity: Identity,
): Promise<Outcome> {
  return retentions[step.do](context, step, identity);
}

const secondLeft = async (context: ReconcileContext, identity: Identity): Promise<Outcome | undefined> =>
  duplicatesLeft(context, { want: (await resolve(context)).want, identity });

const othersLeft = async (context: ReconcileContext, identity: Identity): Promise<Outcome | undefined> =>
  (await secondLeft(context, identity)) ?? endRetired(context);
async function destroy(context: ReconcileContext, identity: Identity): Promise<Outcome> {
  const over = await handedOver(context, identity);
  if ('outcome' in over) return over.outcome;
  const removed = await removeRemote<Retention>(context, {
    why: 'deleted',
    identity,
    judge: (live) => retention(context, live, { identity, ...over }),
    uninstalled: { do: 'releaseWithNotice', why: 'its CustomResourceDefinition is being removed' },
    read: () => (isTakenAlong(context, identity) ? Promise.resolve({ missing: true }) : observe(context, identity, true)),
  });
  if (removed.is === 'instead') return keep(context, removed.step, identity);
  if (removed.is === 'kept') return releaseKept(context, identity, `${identity.path} stays: ${removed.why}`);
  return removed.is === 'waits' ? removed.outcome : finish(context, identity);
}

/** The finalizer goes when the remote is proven gone, and not before. */
async function finish(context: ReconcileContext, identity: Identity): Promise<Outcome> {
  const presence = await proveGone(context, identity, 'delete');
  if (presence.is === 'present') {
    context.account.connection.cache.expect(identity.path, minutes(30));
    return deletionUnderWay(identity, howItGoes(context, identity.path));
  }
  if (presence.is === 'unsure')
    return isHidden(presence.outcome) && isAbandoned(context.object, identity.path) ? abandon(context, identity) : presence.outcome;
  const left = await othersLeft(context, identity);
  if (left !== undefined) return left;
  context.engine.claims.gone(identity);
  context.account.connection.cache.untrack(identity.path);
  context.account.connection.cache.invalidate(identity.path);
  const counted =
    isOfCollection(context) && context.kind.brakeExempt !== true && !context.engine.objectMemory.released.has(context.object.metadata.uid);
  context.engine.recorder.event(context.object, {
    type: 'Normal',
    reason: 'Deleted',
    message:
      presence.ended === true ? `${identity.path} is over; the account keeps it to read` : `${identity.path} is gone from the account`,
  });
  const outcome = await releaseObject(context, `${identity.path} is gone`);
  // Not before: until then the brake counts the object itself, and nothing may count twice.
  if (counted)
    context.engine.deletionCounter.note(context.account, context.object.metadata.namespace, {
      at: context.engine.clock.now(),
      replaced: false,
      object: `${context.kind.kind} ${context.object.metadata.name}`,
    });
  return outcome;
}

/** An annotation that this operator did not make proves nothing, unless the mark of the remote does. */
async function removeUnproven(context: ReconcileContext, identity: Identity): Promise<Outcome> {
  const { connection } = context.account;
  if (
    identity.account === connection.identity.account &&
    isInPlace(context.kind, identity.path) &&
    claimedBy(context, identity.path) === undefined
  ) {
    const known = await connection.cache.read(identity.path, context.kind, callOptions(context, 'delete'));
    if (known !== undefined && mayTakeByMark(context, { row: known.remote, path: identity.path })) return removeOurs(context, identity);
  }
  return releaseWithNotice(context, `nothing proves that ${identity.path} is its own`);
}

/** A create whose outcome is open: find what it made, or wait until it surely made nothing; never send again. */
async function resolveThenDelete(context: ReconcileContext, intent: Intent): Promise<Outcome> {
  const forbidden = notForThisUser(context);
  if (forbidden !== undefined) return forbidden;
  const { want } = await resolve(context);
  const rows = await matchingIntent(context, intent, want, context.engine.clock.monotonic());
  const found = candidates(context, intent, rows).filter(
    ({ path }) => !context.engine.objectMemory.wasDeleted(context.object.metadata.uid, path),
  );
  if (cannotBeTold(context, intent, found)) return ambiguous(context, found);
  const [first] = found;
  if (first !== undefined) return removeMade(context, first, intent);
  const left = await duplicatesLeft(context, { want, identity: nowhere(context) });
  if (left !== undefined) return left;
  return (await mayCome(context, intent)) ?? releaseObject(context, 'its create is known to have made nothing more');
}

/** What the create has made, where something tells that it did. */
async function removeMade(context: ReconcileContext, found: Found, intent: Intent): Promise<Outcome> {
  if (!isProven(context, found))
    return inDoubt(context, found, intent) ?? releaseWithNotice(context, `${found.path} may be what its create made`);
  if (!isWitnessed(context, found)) return maybeMade(witnessIn(context, found), feedText(context));
  return removeOurs(context, { ...nowhere(context), path: found.path });
}
