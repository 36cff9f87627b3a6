import { type Call, type Duration, hasEnded, minutes, partsBefore, type Row, seconds } from '../../resource/index.ts';
import { callOptions, type Performers, type ReconcileContext } from '../context.ts';
import { heldRemoval } from '../guard/deletion-brake.ts';
import { protectedBelow, takenBelow } from '../identity/taken-below.ts';
import { bornAnew, type Identity } from '../model/identity.ts';
import { type Change, deletionUnderWay, type Outcome } from '../model/outcome.ts';
import { shownPlan } from '../model/policy.ts';
import type { DeleteSteps, StepOf } from '../model/step.ts';
import { canonical } from '../model/values.ts';
import { lookAgain, type Observation } from '../observe/observe.ts';
import { parentInUse } from '../guard/parent-rest.ts';
import { isDelete, keepsAnother, planDelete } from '../plan/plan-delete.ts';
import type { CloudError, Resource } from '../ports/index.ts';
import { leavingOf } from '../resolve/leaving.ts';
import { withPart } from '../observe/part-before.ts';
import type { Purpose } from './audit.ts';
import { comesFree, howItGoes, meaningOf, noteUnanswered, removing } from './removal-refused.ts';
import { heldChange, noteEnded, removalOf, sendChange, type Sent, stillRefused } from './send.ts';

/** A remote that is to go, and why. */
export interface Removal<Instead> {
  /** `duplicate`: one too many. `retired`: another one has come in its place, and its time is over. Of both the object goes on. */
  readonly why: 'deleted' | 'replaced' | 'duplicate' | 'retired';
  /** What a replacement is for. */
  readonly fields?: string;
  readonly identity: Identity;
  /** What is done instead, after a look at the object as it is now (absent: it is gone); undefined: nothing forbids it. */
  readonly judge: (live: Resource | undefined) => Instead | undefined;
  /** Its CustomResourceDefinition goes: whoever removes the operator wants nothing removed in the account. */
  readonly uninstalled: Instead;
  /** Only once nothing forbids the removal. */
  read(): Promise<Observation>;
  /** What must be written down before the first call, so that the next process knows whose doing the loss is. */
  readonly noteFirst?: () => Promise<void>;
}
export type Removed<Instead> =
  /** The call was answered, or may have been; or nothing is there. */
  | { readonly is: 'sent' | 'absent' }
  /** Nothing that could be called would end it. */
  | { readonly is: 'kept'; readonly why: string }
  /** Something comes first. */
  | { readonly is: 'waits'; readonly outcome: Outcome }
  | { readonly is: 'instead'; readonly step: Instead };

/** THE way in which a remote goes: deleted with its object, replaced, or one too many. */
export async function removeRemote<Instead>(context: ReconcileContext, removal: Removal<Instead>): Promise<Removed<Instead>> {
  const instead = await judged(context, removal);
  if (instead !== undefined) return { is: 'instead', step: instead };
  const hold = heldNow(context, removal);
  if (hold !== undefined) return { is: 'waits', outcome: hold };
  const seen = await removal.read();
  if ('outcome' in seen) return { is: 'waits', outcome: seen.outcome };
  if ('missing' in seen) return { is: 'absent' };
  if (hasEnded(context.kind, seen.remote)) return overAlready(removal);
  const { path } = removal.identity;
  const first = stepNow(context, path, seen.remote);
  // What was sent already, and is not sent again yet, nothing that is read now could forbid.
  if ('call' in first && heldChange(context, removalOf(context, first.call, path, seen.remote)) !== undefined)
    return performed(context, first, removal, seen.remote);
  const remote = await withPart(context, path, seen.remote);
  if (remote === undefined)
    return {
      is: 'waits',
      outcome: deletionUnderWay(
        removal.identity,
        `is deleted once its ${partsBefore(context.kind).join(' and ')} can be read`,
        seconds(10),
      ),
    };
  return performed(context, stepNow(context, path, remote), removal, remote);
}
const heldNow = (context: ReconcileContext, { why, identity }: Removal<unknown>): Outcome | undefined =>
  protectedBelow(context, identity.path) ?? (isBeside(why) ? undefined : heldRemoval(context));
const stepNow = (context: ReconcileContext, path: string, remote: Row) =>
  keepsAnother(bornAnew(context, path, remote)) ??
  planDelete(context.kind, path, remote, { ...leavingOf(context, path), taken: takenBelow(context, path) });

async function overAlready({ noteFirst }: Removal<unknown>): Promise<Removed<never>> {
  await noteFirst?.();
  return { is: 'absent' };
}

/** The object is read anew: a protection or a withdrawn approval may be on its way while the watch has not told yet. */
async function judged<Instead>(context: ReconcileContext, { judge, uninstalled }: Removal<Instead>): Promise<Instead | undefined> {
  const { engine, kind, object } = context;
  const live = await context.effects.fetch();
  if (live?.metadata.uid !== object.metadata.uid) return judge(undefined);
  if (await engine.crds.isLeaving(kind.kind)) return uninstalled;
  const instead = judge(live);
  if (instead === undefined) context.object = live;
  return instead;
}

const removals: Performers<DeleteSteps, [removal: Removal<unknown>, remote: Row], Removed<never>> = {
  release: sendRemoval,
  delete: sendRemoval,
  wait: async (context, { message, recheckAfter: first }, removal) => {
    const recheckAfter = rarer(context, message, first);
    if (await lookAgain(context, removal.identity, recheckAfter)) return waits({ is: 'Again' });
    if (removal.why !== 'replaced') return waits({ is: 'Working', reason: 'Deleting', message, recheckAfter });
    return waits({ is: 'Working', reason: 'Updating', message: notReplacedYet(removal, message), recheckAfter });
  },
  // Whoever touches an object that waits for a person says that it was seen to, so the account is asked again.
  refuse: async (context, { reason, message }, removal) => {
    if (await lookAgain(context, removal.identity, seconds(10))) return waits({ is: 'Again' });
    const text = removal.why === 'replaced' ? notReplacedYet(removal, message) : `${removal.identity.path} cannot be deleted: ${message}`;
    return waits({ is: 'Stalled', reason, message: text });
  },
  keep: (_, { why }) => ({ is: 'kept', why }),
};
async function performed<Do extends keyof DeleteSteps>(
  context: ReconcileContext,
  step: StepOf<DeleteSteps, Do>,
  removal: Removal<unknown>,
  remote: Row,
): Promise<Removed<never>> {
  return removals[step.do](context, step, removal, remote);
}
/** What does not come about in minutes may take hours: a quarter of the wait so far passes until the next look, ten minutes at most. */
function rarer({ engine, object }: ReconcileContext, what: string, first: Duration): Duration {
  const waited = engine.objectMemory.waitsFor(object.metadata.uid, what, engine.clock.monotonic());
  return Math.max(first, Math.min(minutes(10), waited / 4)) as Duration;
}
const notReplacedYet = ({ identity, fields }: Removal<unknown>, message: string): string =>
  `${identity.path} cannot be replaced yet (${fields}): ${message}`;

/** `insteadOf`: what was planned, where the service has another call in its place. */
type Sendable = StepOf<DeleteSteps, 'release' | 'delete'> & { readonly insteadOf?: Sendable };
type Why = Removal<unknown>['why'];
/** Of an object that has another one. */
const isBeside = (why: Why): boolean => why === 'duplicate' || why === 'retired';

async function sendRemoval(context: ReconcileContext, step: Sendable, removal: Removal<unknown>, remote: Row): Promise<Removed<never>> {
  const { why, identity, noteFirst } = removal;
  const { path } = identity;
  const { cache } = context.account.connection;
  const change = removalOf(context, step.call, path, remote);
  const first = await notYet(context, step, removal, { change, remote });
  if (first !== undefined) return first;
  await noteFirst?.();
  const isDone = (error: CloudError): boolean => saysThatItWent(context, step.call, error);
  const meaning = (error: CloudError): Outcome => meaningOf(context, { step, remote, why }, error);
  const lane = why === 'replaced' ? 'edit' : 'delete';
  // Something below may be another object's, or protected, by then, and would go along.
  const isAsPlanned = () => canonical(stepNow(context, path, remote)) === canonical(step.insteadOf ?? step);
  const objection = () => (isAsPlanned() && protectedBelow(context, path) === undefined ? undefined : 'it is held by now');
  const sent = await sendChange(context, { call: step.call, lane, change, purpose: purposeOf(context, why), meaning, isDone, objection });
  noteEnded(context, path, sent);
  if ('error' in sent)
    return (await sendOtherwise(context, step, sent.error, removal)) ?? failed(context, { why, identity, call: step.call }, sent);
  cache.written(path, sent.reply);
  cache.expect(path, minutes(30));
  if (step.do === 'release') return freed(context, step.call, removal);
  noteDeleted(context, why, path);
  return { is: 'sent' };
}

function freed({ engine, object }: ReconcileContext, { method, path }: Call, { why, identity }: Removal<unknown>): Removed<never> {
  engine.objectMemory.freed.set(object.metadata.uid, `${method} ${path}`);
  return why === 'replaced' ? { is: 'sent' } : waits(deletionUnderWay(identity, 'is being released before it is deleted'));
}

/** It was sent already, or what is above has to come to rest before. */
async function notYet(
  context: ReconcileContext,
  step: Sendable,
  removal: Removal<unknown>,
  { change, remote }: { readonly change: Change; readonly remote: Row },
): Promise<Removed<never> | undefined> {
  const { why, identity } = removal;
  const held = heldChange(context, change);
  if (held?.because.is === 'refused') return waits(stillRefused(context, held.because.outcome, held.until));
  if (held !== undefined)
    return (await lookAgain(context, identity, seconds(5))) ? waits({ is: 'Again' }) : underWay(context, why, identity);
  const message = comesFree(context, step, remote);
  if (message !== undefined) return removals.wait(context, { do: 'wait', message, recheckAfter: seconds(5) }, removal, remote);
  const used = step.do === 'delete' ? await usedAbove(context, removal) : undefined;
  return used && waits(used);
}

/** What a list still shows after that is not deleted again before the list is known to be newer. */
const saysThatItWent = ({ kind }: ReconcileContext, call: Call, { fault }: CloudError): boolean =>
  fault === 'NotFound' && isDelete(call) && kind.deletion?.otherwise === undefined;

/** What the service has in place of DELETE, where the item is there all the same. */
async function sendOtherwise(
  context: ReconcileContext,
  planned: Sendable,
  { status }: CloudError,
  removal: Removal<unknown>,
): Promise<Removed<never> | undefined> {
  const { otherwise } = context.kind.deletion ?? {};
  if (otherwise === undefined || !isDelete(planned.call) || (status !== 404 && status !== 405)) return undefined;
  const { path } = removal.identity;
  const live = await context.account.connection.cache.read(path, context.kind, callOptions(context, 'delete'));
  if (live === undefined) return undefined;
  const instead = otherwise(path);
  return 'keeps' in instead
    ? { is: 'kept', why: instead.keeps }
    : sendRemoval(context, { do: 'delete', call: instead, insteadOf: planned }, removal, live.remote);
}

const usedAbove = async (context: ReconcileContext, { why, identity }: Removal<unknown>): Promise<Outcome | undefined> =>
  context.kind.deletion?.needs === undefined ? undefined : parentInUse(context, identity, removing(why));

const causeOf = { deleted: 'edit', duplicate: 'duplicate', retired: 'rotation' } as const;
function purposeOf({ object }: ReconcileContext, why: Why): Purpose {
  if (why !== 'replaced') return { effect: 'Delete', cause: causeOf[why] };
  const approved = shownPlan(object)?.approved;
  return { effect: 'Replace', cause: 'edit', ...(approved && { approved }) };
}

const waits = (outcome: Outcome): Removed<never> => ({ is: 'waits', outcome });
const underWay = (context: ReconcileContext, why: Why, identity: Identity): Removed<never> =>
  why === 'replaced' ? { is: 'sent' } : waits(deletionUnderWay(identity, howItGoes(context, identity.path)));

/** Whether it is gone after all is for its proof to say; of one too many there is none but the answer. */
function failed(
  context: ReconcileContext,
  { why, identity, call }: Pick<Removal<unknown>, 'why' | 'identity'> & Pick<Sendable, 'call'>,
  { error, outcome }: Extract<Sent, { error: CloudError }>,
): Removed<never> {
  const { engine, object, account } = context;
  const { fault } = error;
  // What passes may have passed already.
  if (outcome.is === 'Retrying' || outcome.is === 'Working') account.connection.cache.invalidate(identity.path);
  if (!isDelete(call) && fault === 'Rejected') lookWhetherItWent(context, identity);
  noteUnanswered(context, identity.path, call, error);
  if (fault === 'NotFound' && isBeside(why)) engine.objectMemory.deleted(object.metadata.uid, identity.path);
  return fault === 'NotFound' || (fault === 'Unknown' && !isBeside(why)) ? { is: 'sent' } : waits(outcome);
}

/** A call in place of DELETE is refused, too, when its parent has just taken it along; only a DELETE answers 404 to that. */
function lookWhetherItWent({ engine, object, account }: ReconcileContext, { path }: Identity): void {
  account.connection.cache.invalidate(path);
  engine.wake(object.kind, object.metadata, { after: seconds(5) });
}

/** One 404 now proves that it is gone. A replacement counts for the brake from here on; a deletion when its object goes. */
function noteDeleted({ engine, kind, object, account }: ReconcileContext, why: Why, path: string): void {
  const { uid, namespace, name } = object.metadata;
  engine.objectMemory.deleted(uid, path);
  engine.objectMemory.unanswered.delete(uid);
  if (why === 'replaced' && kind.brakeExempt !== true && !engine.objectMemory.released.has(uid))
    engine.deletionCounter.note(account, namespace, { at: engine.clock.now(), replaced: true, object: `${kind.kind} ${name}` });
}
