import { asCollection, asConnection, collectionOf, digest, hasEnded, seconds } from '../../resource/index.ts';
import { writeIdentity } from '../change/metadata.ts';
import { publish } from '../change/outputs/publish.ts';
import type { ReconcileContext } from '../context.ts';
import { endRenewal } from '../create/rotate.ts';
import { wishesAnother } from '../create/wishes-another.ts';
import { watchDuplicates } from '../delete/duplicates.ts';
import { noteRetiring } from '../delete/retired.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { renamesToAnothers } from '../guard/label-of-another.ts';
import { noteBirth } from '../identity/birth.ts';
import { withFormer } from '../identity/by-mark.ts';
import { claimed } from '../identity/claimed.ts';
import { withKept, withTaken } from '../identity/taken-below.ts';
import { annotation, hasFinalizer, recreateAnnotation, remotesBefore } from '../model/annotations.ts';
import { isPending } from '../model/conditions.ts';
import { bornAnew, type Identity, idText, isForgotten } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { renewalOf } from '../model/intent.ts';
import { type Policy, policyOf, shownPolicy } from '../model/policy.ts';
import { isReplacing } from '../model/replacing.ts';
import type { BoundRemote, UpdateStep } from '../model/step.ts';
import { canonical } from '../model/values.ts';
import { goesOnYet, withLastJobs } from '../observe/last-jobs.ts';
import { isGoneWithParent } from '../observe/loss-proof.ts';
import { lookAgain, observe } from '../observe/observe.ts';
import { knowsWhose } from '../resolve/above.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { bring } from '../transfer/bring.ts';
import { endContest } from '../update/contest.ts';
import { notShownYet } from '../update/not-shown-yet.ts';
import { endReplacement } from '../update/replace.ts';
import { healedStatus } from '../plan/operation-notes.ts';
import { planned } from '../update/decide.ts';
import type { Wished } from '../update/plan-input.ts';
import { tooSoon } from '../update/changes-apart.ts';
import { keepSpent } from '../update/approve.ts';
import { withUnsent } from '../update/unsent.ts';
import { perform, takeUpApplied } from '../update/update.ts';
import { completeParent, withPeopled } from './completed.ts';
import { isAnother, reconcileLost } from './lost.ts';
import { parentless, withRest } from './left-over.ts';
import { interrupted, operationRuns } from '../operate/operation-runs.ts';
import { passOn } from './related-events.ts';
import { createNotes, healthOf, isRenewing, newPlace, renew, rotationNow, tookPlace } from './renew.ts';
import type { SeenHealth } from './result.ts';

interface Known {
  readonly identity: Identity;
  readonly heal: boolean;
  readonly seen: SeenHealth;
}

/** The remote is known: heal what names it, look, and put right what differs. */
export async function reconcileBound(context: ReconcileContext, resolved: Resolved, { identity, heal, seen }: Known): Promise<Outcome> {
  await knowsWhose(context, identity.path);
  const foreign = notOurs(context, identity);
  if (foreign !== undefined) return foreign;
  const policy = policyOf(context.kind, context.object.spec, context.account, identity.how === 'adopted');
  if (asConnection(context.kind) === undefined) await noteIdentity(context, identity, { heal, policy });
  const renewed = await endRenewal(context, resolved, { identity, policy });
  if (renewed !== undefined) return renewed;
  const pending = isChangePending(context, resolved);
  const observed = await observe(context, identity, askedToLook(context, identity) || pending);
  if ('outcome' in observed) return observed.outcome;
  if ('missing' in observed || (isReplacing(context, identity) && hasEnded(context.kind, observed.remote)))
    return reconcileLost(context, resolved, { identity, policy });
  const another = bornAnew(context, identity.path, observed.remote);
  if (another !== undefined) return isAnother(context, another);
  noteBirth(context, observed.remote);
  looksLater(context, identity);
  const { remote } = observed;
  const looked = { identity, want: withLastJobs(context, identity, resolved.want, remote), remote };
  const kept = withKept(context, identity.path, { ...looked, want: withPeopled(context, looked) });
  const present = { identity, want: withFormer(context, { ...looked, want: withTaken(context, identity.path, kept) }), remote };
  seen.health = healthOf(context, present);
  return asApplied(context, { resolved, policy, pending }, present);
}

/** What was applied to it before this object had it is noted first, so that no restart forgets it before it is compared. */
const asApplied = async (context: ReconcileContext, wished: Wished, present: BoundRemote): Promise<Outcome> =>
  takeUpApplied(context, present) ? { is: 'Again' } : converge(context, wished, present);

/** What differs is a change of the spec, of what it refers to, or the operator's own, and no drift. */
function isChangePending(context: ReconcileContext, { want }: Resolved): boolean {
  const { engine, object } = context;
  const moved = engine.objectMemory.referencesMoved(object.metadata.uid, digest(canonical({ ...want, recalled: undefined })));
  return moved || isPending(object) || isRenewing(context);
}

/** Nothing else would wake an object at rest when the first events tell of its last jobs, or when nothing came of what went on by itself. */
function looksLater(context: ReconcileContext, { path }: Identity): void {
  const { kind, engine, account, object } = context;
  const unread = kind.lastJobs !== undefined && account.connection.cache.eventsReadAt() === undefined;
  const after = unread ? seconds(15) : goesOnYet(context, path);
  if (after > 0) engine.wake(kind.kind, object.metadata, { after: after + 1 });
}

/** Annotation `reconcile-at`: what is known of the remote no longer counts. */
function askedToLook(context: ReconcileContext, identity: Identity): boolean {
  const { engine, object, account } = context;
  if (!engine.objectMemory.lookAsked.delete(object.metadata.uid)) return false;
  engine.ledger.beginAnew(object.metadata.uid);
  endContest(context);
  account.connection.cache.invalidate(identity.path);
  return true;
}

/** Why a proven identity may not be acted on after all. */
function notOurs(context: ReconcileContext, identity: Identity): Outcome | undefined {
  const { account } = context.account.connection.identity;
  if (identity.account !== account) {
    const message = `this object's remote ${identity.path} is in account ${identity.account}, and the token leads to ${account}. Put the right token into the CloudAccount's Secret`;
    return { is: 'Stalled', reason: 'AccountMismatch', message };
  }
  return asConnection(context.kind) === undefined ? claimed(context, identity.path) : undefined;
}

/** The derived label of the remote, where nothing of the object tells it any more. */
function forgottenLabel(context: ReconcileContext, { path }: Identity): string | undefined {
  const { kind, account, object } = context;
  const row = kind.label === undefined ? undefined : account.connection.cache.get(path)?.remote;
  const label = kind.label === undefined || object.spec[kind.label.field] !== undefined ? undefined : row?.[kind.label.field];
  return typeof label === 'string' && isForgotten(kind.label, context, label) ? label : undefined;
}

/** Annotation and status each restore the other; both say the same from here on. */
async function noteIdentity(
  context: ReconcileContext,
  identity: Identity,
  { heal, policy }: { heal: boolean; policy: Policy },
): Promise<void> {
  context.engine.claims.claim(identity.account, identity.path, context.object);
  const label = identity.how === 'created' ? forgottenLabel(context, identity) : undefined;
  if (heal || label !== undefined || !hasFinalizer(context.object)) await writeIdentity(context, identity, { keepIntent: true, label });
  if (context.object.status?.['path'] === identity.path && renewalOf(context, identity) === undefined)
    context.engine.objectMemory.made.delete(context.object.metadata.uid);
  await noteRetiring(context, identity);
  Object.assign(context.status, {
    path: identity.path,
    account: identity.account,
    origin: identity.how === 'created' ? 'Created' : 'Adopted',
    objectUid: context.object.metadata.uid,
    remotesBefore: remotesBefore(context.object) || undefined,
    policy: shownPolicy(policy),
    ...createNotes(context, identity),
    ...healedStatus(context.object),
    ...rotationNow(context, identity).status,
  });
}

/** Compares a remote that is there with what is wanted, and takes the one step that the plan names. */
export async function converge(context: ReconcileContext, wished: Wished, present: BoundRemote): Promise<Outcome> {
  isThere(context, present.identity);
  noteRemote(context, present);
  completeParent(context, present.identity);
  passOn(context, present.remote);
  const unpublished = await publish(context, present);
  // Before anything else is done: what the account shows of it from here on tells no more which attempt made it.
  if (tookPlace(context, present.identity)) return { is: 'Working', reason: 'Updating', message: newPlace, recheckAfter: seconds(0) };
  const blocked = mayWrite(context, wished) ? await watchDuplicates(context, present) : undefined;
  if (blocked !== undefined) return blocked;
  const elsewhere = await notAsNamed(context, wished, present);
  if (elsewhere !== undefined) return elsewhere;
  await keepSpent(context);
  const step = await planned(context, wished, present);
  await endReplacement(context, step, present.identity);
  const under = { ...present, pending: wished.pending };
  const outcome = withUnsent(context, wished, present, await taken(context, wished, step, under));
  if (outcome.is !== 'Synced') return nameRest(context, wished, outcome);
  return (
    (await renewal(context, wished, present, unpublished)) ??
    unpublished ??
    (await withRest(context, wished.resolved, present)) ??
    interrupted(context) ??
    outcome
  );
}

/** What it waits for is brought beside; else the step is taken. */
async function taken(context: ReconcileContext, wished: Wished, step: UpdateStep, under: Under): Promise<Outcome> {
  const { unresolved } = wished.resolved;
  const next = await bring(context, { step, mayWrite: mayWrite(context, wished), unresolved }, under);
  if ('is' in next) return next;
  return (await firstOf(context, next, under)) ?? (await perform(context, next, under));
}

const renewal = (context: ReconcileContext, wished: Wished, present: BoundRemote, unpublished: Outcome | undefined) =>
  renew(context, wished.resolved.waitingFor.length === 0 && mayWrite(context, wished) ? wished : undefined, present, unpublished);

/** What takes half an hour must not hide until then that a name is wrong. */
function nameRest({ status }: ReconcileContext, { resolved: { waitingFor } }: Wished, outcome: Outcome): Outcome {
  if ((outcome.is === 'Working' || outcome.is === 'Unsettled') && waitingFor.length > 0) status['waitingFor'] = waitingFor;
  return outcome;
}

type Under = BoundRemote & { readonly pending: boolean };

/** What forbids this step now. */
async function firstOf(context: ReconcileContext, step: UpdateStep, under: Under): Promise<Outcome | undefined> {
  const unshown = await notShownYet(context, step, under);
  const held = (): Outcome | undefined =>
    accountLimit(context) ?? renamesToAnothers(context, step) ?? operationRuns(context) ?? tooSoon(context, step);
  return unshown ?? (step.do === 'nothing' ? undefined : held());
}

/** The spec names another place than that in which its remote is, or another remote. */
const notAsNamed = async (context: ReconcileContext, wished: Wished, present: BoundRemote): Promise<Outcome | undefined> =>
  (await movedAway(context, wished, present)) ?? wishesAnother(context, wished.resolved, present.identity);

/** What the spec refers to as its parent is another one now, for example a domain that was made anew, or not known: nothing moves a remote there, and no path leads to it. */
async function movedAway(context: ReconcileContext, { resolved }: Wished, { identity, want }: BoundRemote): Promise<Outcome | undefined> {
  const { kind } = context;
  if (kind.parent === undefined || asCollection(kind) === undefined) return undefined;
  if (resolved.unresolved.length > 0) return parentless(context, resolved, identity);
  const collection = collectionOf(kind, want);
  if (identity.path.startsWith(`${collection}/`)) return undefined;
  // Mostly it went with what it was in, which lists show only minutes later.
  if (await lookAgain(context, identity, seconds(10))) return { is: 'Again' };
  const message = `its remote is ${identity.path}, and the spec now leads to ${collection}. Delete this object and make it again, or put back what it referred to`;
  return { is: 'Stalled', reason: 'ImmutableField', message };
}

/** Also a duplicate is deleted only where this object may change anything now. */
const mayWrite = ({ kind, account }: ReconcileContext, { policy }: Wished): boolean =>
  asCollection(kind) !== undefined && policy.management === 'Manage' && account.limited === undefined;

/** A wish for a new remote, and a loss, are over once there is one; not for what no look has missed yet, and went with what it was in. */
function isThere(context: ReconcileContext, identity: Identity): void {
  const { engine, object, status } = context;
  const { uid } = object.metadata;
  const wish = annotation(object, recreateAnnotation);
  if (wish !== undefined && !isGoneWithParent(context, identity)) status['recreated'] = wish;
  engine.objectMemory.present(uid);
  engine.lossCounter.end(uid);
  engine.objectMemory.released.delete(uid);
}

function noteRemote({ kind, status }: ReconcileContext, { remote, want }: BoundRemote): void {
  Object.assign(status, kind.observe(remote, want));
  if (asCollection(kind) !== undefined) status['id'] = idText(kind.id?.(remote) ?? (remote['id'] as string | number));
}
