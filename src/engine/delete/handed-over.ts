import { type Duration, seconds } from '../../resource/index.ts';
import { type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import type { Found } from '../identity/lookup.ts';
import { asksFor, askersBeside, hasAll, mayAdoptIn } from '../identity/recovery.ts';
import { isDeleting } from '../model/annotations.ts';
import { reasonOf } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import { keyOf, objectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Policy } from '../model/policy.ts';
import { adoptOf, namesPath, openWish, type Retention } from '../model/step.ts';
import { observe } from '../observe/observe.ts';
import { leavingOf } from '../resolve/leaving.ts';
import { hadHeirs, keeperOf, keeps, noteHeir } from './last-word.ts';
import { leftTo } from './left-to.ts';
import { goesWithParent, wakeWithParent } from './parent-going.ts';
import { restOfTogether, waitsForThisOnly } from './together.ts';
import type { Resource } from '../ports/index.ts';

export interface Wanted {
  /** Who takes it over, or has what is always there from then on. */
  readonly to?: Resource;
  /** Who names it by its id, and has another one. */
  readonly inVain?: Resource;
  /** Who asked for it last, was deleted before it had it, and would have kept it. */
  readonly keeper?: string;
}
type HandedOver = Wanted | { readonly outcome: Outcome };
/**
 * To the object of the same namespace that asks for this very remote with `spec.adopt`, and may have it. A tool that applies Git makes
 * what was renamed first, and prunes last: of the two wishes the one that takes nothing away counts. To none of another namespace,
 * because who has something deleted leaves it to nobody.
 */
export async function handedOver(context: ReconcileContext, identity: Identity): Promise<HandedOver> {
  const { engine, object } = context;
  if (engine.objectMemory.wasDeleted(object.metadata.uid, identity.path)) return {};
  if (!isOfCollection(context)) return leftTo(context, identity);
  const inVain = askersInVain(context, identity);
  if (inVain === undefined) return wantedBy(context, identity, {});
  noteHeir(context, mayAdoptIn(context, inVain) ? inVain : undefined);
  return wantedBy(context, identity, { inVain });
}
async function wantedBy(context: ReconcileContext, identity: Identity, beside: Wanted): Promise<HandedOver> {
  const askers = askersBeside(context);
  const isOpen = beside.inVain === undefined && hadHeirs(context);
  if (askers.length === 0 && !isOpen) return beside;
  const seen = await observe(context, identity, true);
  if (!('remote' in seen)) return 'outcome' in seen ? { outcome: seen.outcome } : {};
  const found = { row: seen.remote, path: identity.path };
  const all = askers.filter((other) => asksFor(context, other, found));
  const to = all.find(waitsForThisOnly) ?? all[0];
  return to === undefined && isOpen ? keptBy(context, found) : leftFor(context, beside, to);
}
function leftFor(context: ReconcileContext, beside: Wanted, to: Resource | undefined): Wanted {
  if (to !== undefined) noteHeir(context, to);
  return { ...beside, ...(to && { to }) };
}
function keptBy(context: ReconcileContext, found: Found): Wanted {
  const keeper = keeperOf(context, found);
  return keeper === undefined ? {} : { keeper: `${context.kind.kind} ${keeper}` };
}

/** What was renamed in a chain (a to b, b to c) is asked for by an object that has another one still, which is not what it names. */
function askersInVain(context: CollectionContext, { path }: Identity): Resource | undefined {
  const { engine, kind, object } = context;
  const isInVain = (other: Resource): boolean => {
    const named = adoptOf(other.spec)?.id;
    const has = named === undefined ? undefined : engine.claims.of(other.metadata.uid)?.path;
    if (named === undefined || has === undefined || !namesPath(kind, named, path) || namesPath(kind, named, has)) return false;
    return !isDeleting(other) && openWish(other) !== undefined;
  };
  return [...engine.objects.all(kind.kind)].find((other) => other.metadata.namespace === object.metadata.namespace && isInVain(other));
}

/** What was kept for this object is anybody's again once it asks for something else. */
export function endVainPromise({ engine, object, kind, account }: CollectionContext): void {
  const kept = engine.claims.promisedTo(object.metadata.uid);
  if (kept === undefined) return;
  const { id, match } = openWish(object) ?? {};
  const row = account.connection.cache.get(kept.path)?.remote;
  const isAsked = id === undefined ? match !== undefined && (row === undefined || hasAll(row, match)) : namesPath(kind, id, kept.path);
  if (!isAsked) engine.claims.endPromise(object.metadata.uid);
}

/** Until it has something, or is no more, it is nobody else's; and it goes on where this object was. */
export function handOver(context: ReconcileContext, identity: Identity, to: Resource): void {
  const { claims, objectMemory } = context.engine;
  claims.promise(identity, to);
  const { recalled } = leavingOf(context, identity.path);
  if (recalled !== undefined) objectMemory.inherits(to.metadata.uid, identity, recalled);
}

/** What stays anyway is let go of at once. */
export function toTheOther(context: ReconcileContext, policy: Policy, identity: Identity, to: Resource): Retention {
  const early = policy.onDelete === 'Retain' ? undefined : notTakenYet(context, policy, identity, to);
  if (early === undefined) return { do: 'retain', to };
  wakeWithParent(context, identity);
  // What goes with something else is not there to be taken.
  return { do: 'say', outcome: goesWithParent(context, identity) ?? early };
}

/** A person asks to have it there, and it can be deleted only once. */
export function askedInVain({ engine }: ReconcileContext, { path }: Identity, other: Resource): Outcome {
  const name = `${other.kind} ${other.metadata.name}`;
  return {
    is: 'Waiting',
    reason: 'DeletionHeld',
    message: `${name} asks for ${path} with spec.adopt, and has ${engine.claims.of(other.metadata.uid)?.path ?? 'another one'}: it cannot have both. To leave ${path} in the account, set spec.lifecycle.onDelete: Retain here; if spec.adopt is taken out of ${name}, ${path} is deleted at once, for good`,
    on: [`spec.adopt of ${name}`],
    recheckAfter: seconds(30),
  };
}

/**
 * Why it is not handed over yet: who asks for it may be about to be deleted, too, or waits for something else than this object. Let go of
 * before that one takes it, the remote would be nobody's where it never does.
 */
function notTakenYet(context: ReconcileContext, { protect }: Policy, { path }: Identity, to: Resource): Outcome | undefined {
  const { engine, object } = context;
  const name = `${to.kind} ${to.metadata.name}`;
  const early = restOfTogether(context);
  if (early > 0)
    return { is: 'Working', reason: 'Deleting', message: `${path} is about to be handed over to ${name}`, recheckAfter: early as Duration };
  if (waitsForThisOnly(to)) return undefined;
  const reason = reasonOf(to, 'Synced');
  engine.referenceIndex.add(objectId(object.kind, keyOf(object)), objectId(to.kind, keyOf(to)));
  const why = reason === undefined || reason === 'AlreadyClaimed' ? 'nobody has looked at that one yet' : `that one is ${reason}`;
  const fate = keeps(context, to) ? `. Where ${name} is deleted before, ${path} stays in the account` : '';
  return {
    is: 'Waiting',
    reason: 'ReferenceNotReady',
    message: `${name} asks for ${path} with spec.adopt, and cannot take it yet: ${why}. It is handed over as soon as it can${fate}${protect ? '' : otherwise(context, to)}`,
    on: [name],
    recheckAfter: seconds(30),
  };
}

const otherwise = (context: ReconcileContext, to: Resource): string => {
  const name = `${to.kind} ${to.metadata.name}`;
  const yes = keeps(context, to) ? 'set spec.lifecycle.onDelete: Delete there and delete that' : 'delete that, whose policy is Delete';
  return `. To have it deleted after all, take spec.adopt out of ${name}, or ${yes}`;
};
