import type { Millis } from '../../lib/clock.ts';
import {
  type AnyKind,
  collectionOfItem,
  type Duration,
  hasEnded,
  holdsScope,
  isListed,
  isReadFromList,
  itemOf,
  parentOfItem,
  type Row,
} from '../../resource/index.ts';
import { callOptions, type AccountContext } from '../context.ts';
import { howToAbandon } from '../model/abandonment.ts';
import { reasonOf } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { isReplacing } from '../model/replacing.ts';
import { CloudError, type Connection } from '../ports/index.ts';

const apart: Millis = 10_000;

export type Presence =
  | { readonly is: 'present' }
  /** `ended`: it can still be read, and is over. */
  | { readonly is: 'gone'; readonly ended?: true }
  | { readonly is: 'unsure'; readonly outcome: Outcome };

/**
 * Proves that a remote is gone (README: loss). A snapshot that lacks it starts the proof and never ends it: two reads by id,
 * ten seconds apart, and a listing requested after the first must all lack it, unless we or an event deleted it. Who the
 * token is, and what it may see, is asked after the first too: a user who was restricted meanwhile proves nothing.
 */
export async function proveGone(context: AccountContext, identity: Identity, lane: 'wait' | 'delete'): Promise<Presence> {
  const { engine, account, object } = context;
  const { cache } = account.connection;
  if (isTakenAlong(context, identity)) return { is: 'gone' };
  const seen = await cache.read(identity.path, context.kind, callOptions(context, lane));
  if (seen !== undefined) {
    if (isOver(context, identity, lane, seen.remote)) return { is: 'gone', ended: true };
    engine.objectMemory.present(object.metadata.uid);
    return { is: 'present' };
  }
  return isKnownToBeGone(context, identity) ? { is: 'gone' } : proveAbsent(context, identity);
}

/** A read by id found nothing, and neither we nor an event say why. */
async function proveAbsent(context: AccountContext, identity: Identity): Promise<Presence> {
  const { engine, account, object } = context;
  const { uid } = object.metadata;
  const blind = blinded(context, identity, account.connection.identity);
  if (blind !== undefined) return blind;
  const now = engine.clock.monotonic();
  const made = engine.objectMemory.createdAt.get(uid);
  const early = made === undefined ? 0 : made + engine.settings.listLag - now;
  if (early > 0) return unsure(identity, early);
  const first = engine.objectMemory.missing(uid, now);
  const wait = first + apartOf(context) - now;
  if (wait > 0) return unsure(identity, wait);
  if (await maybeListedSince(context, identity, first)) return unsure(identity, apart);
  return blinded(context, identity, await account.connection.confirm(first)) ?? { is: 'gone' };
}

/** A list may hide what is new for its lag, and after a restart nobody knows when that was made; a read by id hides nothing. */
const apartOf = ({ kind, engine }: AccountContext): Millis => (isReadFromList(kind) ? Math.max(apart, engine.settings.listLag) : apart);

/** What ended by itself is no loss: only where it is to go does it count for gone. */
const isOver = (context: AccountContext, identity: Identity, lane: 'wait' | 'delete', row: Row): boolean =>
  (lane === 'delete' || isReplacing(context, identity)) && hasEnded(context.kind, row);

const isKnownToBeGone = (context: AccountContext, identity: Identity): boolean =>
  context.engine.objectMemory.wasDeleted(context.object.metadata.uid, identity.path) ||
  context.account.connection.cache.deletedByEvent(identity.path) ||
  wentWithParent(context, identity);

/** What is below a parent goes with it, and no event tells (README: references). */
function wentWithParent({ kind, engine, account }: AccountContext, identity: Identity): boolean {
  if (kind.parent === undefined) return false;
  const parent = parentOf(kind, identity);
  return engine.claims.isGone(parent) || account.connection.cache.deletedByEvent(parent.path);
}

/** What it is in is gone, or so that one's own object says, and no list need tell; only what is shown follows from it. */
export function isGoneWithParent(context: AccountContext, identity: Identity): boolean {
  if (context.kind.goesWithParent !== true) return false;
  const { claims, objects } = context.engine;
  const holder = claims.holder(identity.account, parentOf(context.kind, identity).path);
  const object = holder === undefined ? undefined : objects.get(holder.kind, holder.key);
  const isMissing = object !== undefined && object.metadata.uid === holder?.uid && reasonOf(object, 'Synced') === 'RemoteMissing';
  return isMissing || wentWithParent(context, identity);
}

/** The remote below which this one is. */
export const parentOf = (kind: AnyKind, identity: Identity): Identity => ({ ...identity, path: parentOfItem(kind, identity.path) });

/** The remote above it is proven gone, and such a one takes along what is below it: nothing need be read to know. */
export function isTakenAlong({ kind, engine }: AccountContext, identity: Identity): boolean {
  const parent = parentOf(kind, identity);
  const again = engine.claims.holder(parent.account, parent.path) !== undefined;
  return kind.goesWithParent === true && engine.claims.isGone(parent) && !again;
}

const unsure = (identity: Identity, after: Millis): Presence => ({
  is: 'unsure',
  outcome: {
    is: 'Retrying',
    reason: 'Unreachable',
    message: `${identity.path} cannot be found in the account at the moment; this is checked twice before it counts as gone`,
    retryAfter: Math.max(after, 1000) as Duration,
    missing: true,
  },
});

/** Why a 404 says nothing with this token: then what is missing may only be hidden. */
function blinded(context: AccountContext, { path }: Identity, { restricted, scopes }: Who): Presence | undefined {
  const lacking = context.kind.scopes.read.filter((scope) => !holdsScope(scopes, scope));
  if (restricted)
    return hidden(context, path, 'Its user is restricted, so a grant may be gone rather than the thing: give the user access to it again');
  return lacking.length === 0
    ? undefined
    : hidden(context, path, `It lacks the scope ${lacking.join(', ')}: put a token that has it into the Secret`);
}
type Who = Awaited<ReturnType<Connection['confirm']>>;

const hidden = ({ object }: AccountContext, path: string, why: string): Presence => ({
  is: 'unsure',
  outcome: {
    is: 'Stalled',
    reason: 'RemoteNotVisible',
    message: `${path} cannot be seen with this token. ${why}, ${howToAbandon(object, path)}`,
  },
});

/** Also true where rows may have been missed. */
async function maybeListedSince(context: AccountContext, identity: Identity, since: Millis): Promise<boolean> {
  const collection = collectionOfItem(context.kind, identity.path);
  if (!isListed(context.kind)) return false;
  try {
    const { rows, complete } = await context.account.connection.list(collection, {
      ...callOptions(context, 'wait'),
      notBefore: since,
    });
    return !complete || rows.some((row: Row) => itemOf(context.kind, row, collection) === identity.path);
  } catch (error) {
    // The parent is gone, and everything below it with it.
    if (error instanceof CloudError && error.fault === 'NotFound') return false;
    throw error;
  }
}
