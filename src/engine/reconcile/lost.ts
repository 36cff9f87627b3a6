import { type Millis, sleep } from '../../lib/clock.ts';
import { inBrackets } from '../../lib/quoted.ts';
import { type AnyWant, asSingleton, type Duration, isReadByName, minutes } from '../../resource/index.ts';
import { clearIdentity } from '../change/bind.ts';
import { writeReplacing } from '../change/metadata.ts';
import { type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import { create } from '../create/create.ts';
import { type Fate, fateOfWish, namesAnother, successorOf } from '../create/fate-of-wish.ts';
import { madeSince } from '../create/found-again.ts';
import { cannotBeMade } from '../guard/cannot-be-made.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { erasedBy, massLossStop, noteLoss, noteRecreated } from '../guard/mass-loss-stop.ts';
import { mayMake, notMade } from '../guard/recovery.ts';
import { freshWish } from '../guard/spent-gestures.ts';
import { unownedBeside } from '../create/unowned.ts';
import { recreateAnnotation } from '../model/annotations.ts';
import { type Condition, isGoneFrom, madeThen } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { isReplacing } from '../model/replacing.ts';
import { type Policy, isReplaced } from '../model/policy.ts';
import { spentAdoption } from '../model/step.ts';
import { actorOf } from '../observe/attribution.ts';
import { parentOf, proveGone } from '../observe/loss-proof.ts';
import type { Job, Resource } from '../ports/index.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { takeNamed } from './named-instead.ts';

interface Known {
  readonly identity: Identity;
  readonly policy: Policy;
}

/** A read found nothing. */
export async function reconcileLost(context: ReconcileContext, resolved: Resolved, known: Known): Promise<Outcome> {
  const later = asSingleton(context.kind)?.comesLater;
  return later === undefined ? lost(context, resolved, known) : notThereYet(context, later.what(resolved.want), later.bring);
}

async function lost(context: ReconcileContext, resolved: Resolved, { identity, policy }: Known): Promise<Outcome> {
  if (policy.management === 'Manage') await acceptWish(context, identity);
  if (!context.engine.objectMemory.wasDeleted(context.object.metadata.uid, identity.path) && !isReplacing(context, identity))
    noteLoss(context, identity);
  const presence = await proveGone(context, identity, 'wait');
  if (presence.is === 'present') return { is: 'Again' };
  if (presence.is === 'unsure') return unsure(context, identity, presence.outcome);
  return proven(context, resolved, { identity, policy });
}

/** Proof takes a minute. What cannot be found after an operation that takes away what is there is not what was seen to be Ready. */
function unsure(context: ReconcileContext, identity: Identity, outcome: Outcome): Outcome {
  const isErased = outcome.is === 'Retrying' && outcome.missing === true && erasedAbove(context, identity) !== undefined;
  return isErased ? { ...outcome, unready: true } : outcome;
}

async function proven(context: ReconcileContext, resolved: Resolved, { identity, policy }: Known): Promise<Outcome> {
  forgetSeen(context);
  if (policy.management !== 'Manage') return onlySeen(context, identity, policy);
  if (resolved.unresolved.length > 0)
    return {
      is: 'Waiting',
      reason: 'ReferenceNotReady',
      message: [...resolved.waitingFor, goneText(context, identity)].join('; '),
      on: resolved.waitingFor,
      recheckAfter: untilNamed(context),
      unready: true,
    };
  const replaced = isReplaced(context.object, policy);
  return (
    accountLimit(context) ??
    (replaced ? undefined : await takeNamed(context, resolved, identity)) ??
    recreateOrStall(context, resolved.want, identity, replaced ? 'Recreate' : policy.onMissing)
  );
}

const goneText = (context: ReconcileContext, identity: Identity): string => `${identity.path} ${isGoneFrom}${whyGone(context, identity)}`;

/** Nothing is made: its spec, or its account, does not let it. */
function onlySeen(context: ReconcileContext, identity: Identity, policy: Policy): Outcome {
  const gone = goneText(context, identity);
  const { paused } = context.account;
  const until =
    paused === undefined ? 'The account is ReadOnly: nothing is made before it is Manage' : `${paused}: nothing is made before it goes on`;
  return {
    is: 'Stalled',
    reason: 'RemoteMissing',
    message:
      policy.management === 'Observe'
        ? `${gone}, and this object only observes it`
        : `${gone}. ${until}${isMadeThen(context, policy) ? madeThen : ''}`,
  };
}

/** Nobody need ask for it. */
const isMadeThen = (context: ReconcileContext, policy: Policy): boolean =>
  isOfCollection(context) && (policy.onMissing === 'Recreate' || isReplaced(context.object, policy));

/** Nothing was lost; a round that finds it wakes this object. */
function notThereYet(context: ReconcileContext, what: string, bring: string): Outcome {
  forgetSeen(context);
  const message = `${what} is not in the account yet, or cannot be seen with this token. Where it is not there, ${bring}. It is looked for every few minutes, and set as soon as it is there`;
  return { is: 'Waiting', reason: 'ReferenceNotReady', message, on: [what], recheckAfter: minutes(30), unready: true };
}

/** What was seen of it is true no more, and by its id others would take from its status what somebody else may have by now. */
function forgetSeen({ kind, status }: ReconcileContext): void {
  const seen = Object.keys(kind.status.shape).filter((field) => kind.recalls?.includes(field) !== true);
  for (const field of ['id', ...seen]) status[field] = undefined;
}

/** What is there is somebody else's, by their own hand: its name, and what refers to this object by it, leads there. */
export function isAnother(context: ReconcileContext, why: string): Outcome {
  forgetSeen(context);
  const message = `${why}. Nothing is changed there. Delete this object, which leaves it as it is; to have that one write an object with spec.adopt, as the owner of the account allows (spec.access[].adopt: Any)`;
  return { is: 'Stalled', reason: 'RemoteMissing', message };
}

/** The object that a reference names wakes its dependants when it comes; a Secret is looked for (README: secrets). Each look costs three reads. */
const untilNamed = ({ engine, kind }: ReconcileContext): Duration =>
  engine.registry.sites(kind.kind).some(isReadByName) ? minutes(5) : minutes(30);

/** What went at the same moment is counted before the first of it is made anew, whichever of them is looked at first. */
const together: Millis = 1000;

/** What a proven loss means: a person must act, or it is made anew. */
async function recreateOrStall(
  context: ReconcileContext,
  want: AnyWant,
  identity: Identity,
  onMissing: 'Recreate' | 'Stall',
): Promise<Outcome> {
  const { engine, object } = context;
  const asked = isReplacing(context, identity);
  const by = whyGone(context, identity);
  if (!isOfCollection(context))
    return { is: 'Stalled', reason: 'RemoteMissing', message: `${identity.path} is not there${by}, and it is nothing that could be made` };
  const gone = `${identity.path} is gone from the account${by}`;
  const fate = await fateIn(context, { want, identity, asked }, onMissing);
  const held = (await notBefore(context, want, gone, fate)) ?? (await notMadeNow(context, want, gone));
  if (held !== undefined) return held;
  const stopped = asked ? undefined : await stoppedWithOthers(context);
  if (stopped !== undefined) return stopped;
  if (fate.is === 'first') {
    await clearIdentity(context, identity);
    return { is: 'Again' };
  }
  noteGone(context, identity);
  const adoptionSpent = fate.is === 'over' ? spentAdoption(object) : undefined;
  await clearIdentity(context, identity, { adoptionSpent, successorOf: successorOf(context, identity) });
  engine.log.info('a remote is gone and is made anew', { kind: object.kind, path: identity.path, by });
  // Of what a person asked for he knows; else nothing tells of it, once it is as wanted again.
  if (!asked && onMissing === 'Recreate')
    engine.recorder.event(object, { type: 'Warning', reason: 'Recreated', message: `${gone}, and another one is made for this object` });
  return makeAnew(context, want, identity);
}

/** What was in what our own DELETE took is told by no event, and no name need be free again before that is known. */
function noteGone({ engine, object }: ReconcileContext, identity: Identity): void {
  if (engine.objectMemory.wasDeleted(object.metadata.uid, identity.path)) engine.claims.gone(identity);
}

async function stoppedWithOthers(context: CollectionContext): Promise<Outcome | undefined> {
  await sleep(context.engine.clock, together);
  const stopped = massLossStop(context);
  if (stopped === undefined) noteRecreated(context);
  return stopped;
}

const fateIn = async (context: CollectionContext, lost: Parameters<typeof fateOfWish>[1], onMissing: 'Recreate' | 'Stall'): Promise<Fate> =>
  onMissing === 'Stall' && !lost.asked ? { is: 'asks' } : fateOfWish(context, lost);
/** Nothing is let go of yet. */
async function notBefore(context: CollectionContext, want: AnyWant, gone: string, fate: Fate): Promise<Outcome | undefined> {
  if (fate.is === 'waits') {
    const { why, on, recheckAfter } = fate;
    return { is: 'Waiting', reason: 'Busy', message: `${gone}. ${why}`, on: [on], recheckAfter, unready: true };
  }
  if (fate.is !== 'asks') return undefined;
  const told = fate.why === undefined ? gone : `${gone}. ${fate.why}`;
  return asksWhetherToMake(await besides(context, want, told), await madeSince(context, want));
}

/** What stands in its way may be what the spec names, which is seen at the next look. */
async function makeAnew(context: CollectionContext, want: AnyWant, identity: Identity): Promise<Outcome> {
  const made = await create(context, want);
  return made.is === 'Stalled' && made.reason === 'AlreadyExists' && namesAnother(context, identity) ? { is: 'Again' } : made;
}

async function besides(context: CollectionContext, want: AnyWant, gone: string): Promise<string> {
  const others = await unownedBeside(context, want);
  return others === undefined
    ? gone
    : `${gone}. ${others.text}: what spec.adopt: {id: ${others.named}} names is taken in place of a new one`;
}

const asksWhetherToMake = (gone: string, since = 'To have it made anew, empty,'): Outcome => ({
  is: 'Stalled',
  reason: 'RemoteMissing',
  message: `${gone}. ${since} annotate ${recreateAnnotation}=<time>; else delete this object`,
});

async function notMadeNow(context: CollectionContext, want: AnyWant, gone: string): Promise<Outcome | undefined> {
  const lacking = cannotBeMade(context, want);
  if (lacking !== undefined || mayMake(context)) return lacking;
  const since = await madeSince(context, want);
  return since === undefined
    ? { is: 'Stalled', reason: 'RemoteMissing', message: `${gone}. ${notMade(context)}` }
    : asksWhetherToMake(gone, since);
}

/** Annotation `recreate` is noted before anything is done: it may go, and to prove the loss, or to make a new one, takes more than one reconcile. */
async function acceptWish(context: ReconcileContext, identity: Identity): Promise<void> {
  const wish = freshWish(context);
  if (wish === undefined) return;
  await writeReplacing(context, identity);
  context.status['recreated'] = wish;
}

/** A job that fails may take what it was to make with it. */
function whyGone(context: ReconcileContext, identity: Identity): string {
  const failed = context.account.connection.cache.jobs(identity.path).find(({ status }) => status === 'failed');
  if (failed !== undefined) return ` (its job ${failed.action} failed)`;
  const actor = actorOf(context, identity.path);
  if (actor !== undefined) return ` (${actor.action} by ${actor.called} at ${actor.at})`;
  return wentWith(context, identity) ?? knownCause(context.object, identity);
}

/** What is above it was made anew, or had all that is in it erased by something that an object asked for. */
function wentWith(context: ReconcileContext, identity: Identity): string | undefined {
  const { kind, engine } = context;
  if (kind.parent === undefined || kind.goesWithParent !== true) return undefined;
  const { path } = parentOf(kind, identity);
  if (engine.claims.isGone(identity) || engine.claims.isGone(parentOf(kind, identity))) return ` (with ${path}, which is gone)`;
  const done = erasedAbove(context, identity);
  return done && ` (since ${done.action} of ${path} at ${done.created})`;
}
const erasedAbove = (context: ReconcileContext, identity: Identity): Job | undefined =>
  context.kind.goesWithParent === true ? erasedBy(context, parentOf(context.kind, identity).path) : undefined;

/** Events are forgotten within the hour; what took the remote away stays in the message. */
function knownCause({ status }: Resource, { path }: Identity): string {
  const shown = ((status?.['conditions'] ?? []) as readonly Condition[]).find(({ reason }) => reason === 'RemoteMissing');
  const begin = `${path} is gone from the account`;
  return shown?.message.startsWith(begin) === true ? (inBrackets.exec(shown.message.slice(begin.length))?.[0] ?? '') : '';
}
