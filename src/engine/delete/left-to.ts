import { collectionOf, type Duration, parentOfItem, type Row, seconds } from '../../resource/index.ts';
import type { ClusterContext, ReconcileContext } from '../context.ts';
import { accountKey, admission, naming, objectName } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import { reasonOf } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import { objectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { isPaused } from '../model/pause.ts';
import { policyOf } from '../model/policy.ts';
import { namesPath, openWish } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';
import { keyFrom, kindReferred } from '../resolve/named.ts';
import { resolve } from '../resolve/resolve.ts';
import { isBeside, isSeen, restOfTogether, waitsForThisOnly } from './together.ts';

type Place = Pick<Identity, 'account' | 'path'>;

/** So long whoever may come to have it next is waited for: what was renamed with it is handed over by then. */
const comesWithin = seconds(15);

/**
 * What is always there goes on with the object of the same namespace that names the same place, and waits for nothing but this one: put
 * back first, a failover pair would answer for no address until that one has it. One that only looks is none, nor is one that names what
 * is not there: nobody would ever set it.
 */
export async function leftTo(context: ReconcileContext, place: Place): Promise<{ readonly to?: Resource } | { readonly outcome: Outcome }> {
  const { engine, kind, object } = context;
  if (kind.deletion === undefined) return {};
  const beside = [...engine.objects.all(kind.kind)].filter((other) => isBeside(object, other) && isKept(context, other));
  if (beside.length === 0) return {};
  // Who has it next, and no other: one that only looks would keep it from who is to set it.
  const next = await nextAt(context, place);
  const to = beside.find(({ metadata }) => metadata.uid === next);
  const is = to === undefined ? 'never' : await standing(context, to);
  const early = restOfTogether(context);
  if (is === 'takes') return early > 0 ? soon(place, early) : { ...(to && { to }) };
  const comes = is === 'comes' || (await mayCome(context, beside, place));
  return comes && isPatient(context) ? soon(place, seconds(1)) : {};
}

const soon = ({ path }: Place, within: number): { readonly outcome: Outcome } => ({
  outcome: {
    is: 'Working',
    reason: 'Deleting',
    message: `${path} is about to be left to another object that names it, if there is one`,
    recheckAfter: within as Duration,
  },
});

/** Since this process looked at it first: the other objects may be those that it has not looked at yet. */
function isPatient({ engine: { clock, objectMemory }, object: { metadata } }: ReconcileContext): boolean {
  const now = clock.monotonic();
  const since = objectMemory.nextAwaitedAt.get(metadata.uid) ?? now;
  objectMemory.nextAwaitedAt.set(metadata.uid, since);
  return now - since < comesWithin;
}

/** By the same CloudAccount, and not only looked at. */
const isKept = ({ engine, kind, account, object }: ReconcileContext, other: Resource): boolean =>
  objectId('', accountKey(other)) === objectId('', accountKey(object)) &&
  policyOf(kind, other.spec, account, false).management === 'Manage' &&
  !isPaused(other, engine.clock.now());

/** The oldest that names it, by its uid. */
async function nextAt(context: ReconcileContext, place: Place): Promise<string | undefined> {
  const { engine, kind, object } = context;
  const silent = [];
  for (const other of engine.objects.all(kind.kind))
    if (await names(context, other, place))
      silent.push({ uid: other.metadata.uid, created: other.metadata.creationTimestamp, disputed: false });
  const all = [...engine.claims.all(place.account, place.path), ...silent].filter(({ uid }) => uid !== object.metadata.uid);
  return engine.claims.firstOf(all)?.uid;
}

/** Of one that has asked for nothing since this process began: it was not looked at yet, or what it refers to has only come. */
async function names(context: ReconcileContext, other: Resource, { account, path }: Place): Promise<boolean> {
  const { engine, kind } = context;
  if (isDeleting(other) || engine.claims.of(other.metadata.uid) !== undefined) return false;
  const as = seenAs(context, other);
  if (as?.account.connection.identity.account !== account) return false;
  const { want, unresolved } = await resolve(as);
  return !unresolved.includes(kind.parent?.ref ?? '') && collectionOf(kind, want) === path;
}

/** Undefined: nothing is done for it now. */
function seenAs(context: ReconcileContext, object: Resource): ClusterContext | undefined {
  const { engine, kind } = context;
  const account = engine.accounts.get(accountKey(object));
  if (account === undefined || admission(account, kind, object.metadata.namespace) === undefined) return undefined;
  if (isPaused(object, engine.clock.now())) return undefined;
  return { ...context, object, name: objectName(naming(engine), object), account, status: {} };
}

/** Whether it sets all that its spec names once this one is gone, comes to, or never does. */
async function standing(context: ReconcileContext, to: Resource): Promise<'takes' | 'comes' | 'never'> {
  const as = waitsForThisOnly(to) ? seenAs(context, to) : undefined;
  if (as === undefined) return 'never';
  const { waitingFor, unresolved, absent } = await resolve(as);
  if (waitingFor.length === 0) return 'takes';
  return absent === true || unresolved.length > 0 ? 'never' : 'comes';
}

/** One of them was not looked at as it is now, or waits for what it is in alone. */
async function mayCome(context: ReconcileContext, beside: readonly Resource[], place: Place): Promise<boolean> {
  if (beside.some((other) => !isSeen(other))) return true;
  for (const other of beside.filter((one) => isRenamedWith(context, one, place))) {
    const as = seenAs(context, other);
    if (as !== undefined && (await resolve(as)).absent !== true) return true;
  }
  return false;
}

/** What it names asks for what this place is in. */
function isRenamedWith({ engine, kind }: ReconcileContext, other: Resource, { path }: Place): boolean {
  const ref = kind.parent?.ref ?? '';
  const [named, above] = [other.spec[ref] as Row | undefined, kindReferred(engine, kind, ref)];
  if (named === undefined || above === undefined || reasonOf(other, 'Synced') !== 'ReferenceNotReady') return false;
  const target = engine.objects.get(above.kind, keyFrom(other, named));
  const id = target && openWish(target)?.id;
  // Settings have a list of their own, and the id of what they are for.
  return id !== undefined && [path, parentOfItem(kind, path)].some((one) => namesPath(above, id, one));
}
