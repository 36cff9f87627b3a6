import { howToAbandon } from './abandon.ts';
import { actorOf } from '../converge/actor.ts';
import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, type Duration, holdsScope, type Row } from '../../resource/index.ts';
import { annotation, recreateAnnotation } from '../run/annotations.ts';
import { create } from '../create/create.ts';
import type { Identity } from '../identity/marks.ts';
import type { Outcome } from '../outcome.ts';
import { itemOf } from '../converge/plan.ts';
import { CloudError, type Connection, type Resource } from '../ports.ts';
import type { Condition } from '../status/conditions.ts';
import { statusOps } from '../status/status-patch.ts';
import { how, keyOf, type Turn } from '../run/turn.ts';
import { noteRemade, vanishStop } from '../hold/vanish-stop.ts';

const apart: Millis = 10_000;

export type Presence = { readonly is: 'present' } | { readonly is: 'gone' } | { readonly is: 'unsure'; readonly outcome: Outcome };

/**
 * Proves that a remote is gone (design 4.5). A snapshot that lacks it starts the proof and never ends it: two reads by id,
 * ten seconds apart, and a listing requested after the first must all lack it, unless we or an event deleted it. Who the
 * token is, and what it may see, is asked after the first too: a user who was restricted meanwhile proves nothing.
 */
export async function proveGone(turn: Turn, identity: Identity, lane: 'wait' | 'delete'): Promise<Presence> {
  const { engine, account, object } = turn;
  const { mirror } = account.connection;
  const { uid } = object.metadata;
  if ((await mirror.read(identity.path, how(turn, lane))) !== undefined) {
    engine.evidence.present(uid);
    return { is: 'present' };
  }
  if (isKnownToBeGone(turn, identity)) return { is: 'gone' };
  const blind = blinded(turn, identity, account.connection.identity);
  if (blind !== undefined) return blind;
  const now = engine.clock.monotonic();
  const made = engine.evidence.createdAt(uid);
  const early = made === undefined ? 0 : made + engine.settings.listLag - now;
  if (early > 0) return unsure(identity, early);
  const first = engine.evidence.missing(uid, now);
  if (now - first < apart) return unsure(identity, apart - (now - first));
  if (await maybeListedSince(turn, identity, first)) return unsure(identity, apart);
  return blinded(turn, identity, await account.connection.confirm(first)) ?? { is: 'gone' };
}

const isKnownToBeGone = (turn: Turn, identity: Identity): boolean =>
  turn.engine.evidence.wasDeleted(turn.object.metadata.uid, identity.path) ||
  turn.account.connection.mirror.deletedByEvent(identity.path) ||
  wentWithParent(turn, identity);

/** What is below a parent goes with it, and no event tells (design 3.5). */
function wentWithParent({ kind, engine, account }: Turn, identity: Identity): boolean {
  if (typeof kind.path === 'string') return false;
  const collection = identity.path.slice(0, identity.path.lastIndexOf('/'));
  const parent = { ...identity, path: collection.slice(0, collection.lastIndexOf('/')) };
  return engine.evidence.isGone(parent) || account.connection.mirror.deletedByEvent(parent.path);
}

const unsure = (identity: Identity, after: Millis): Presence => ({
  is: 'unsure',
  outcome: {
    is: 'Retrying',
    reason: 'Unreachable',
    message: `${identity.path} cannot be found in the account at the moment; this is checked twice before it counts as gone`,
    retryAfter: Math.max(after, 1000) as Duration,
  },
});

/** Why a 404 says nothing with this token: then what is missing may only be hidden. */
function blinded(turn: Turn, { path }: Identity, { restricted, scopes }: Who): Presence | undefined {
  const lacking = turn.kind.scopes.read.filter((scope) => !holdsScope(scopes, scope));
  if (restricted)
    return hidden(turn, path, 'Its user is restricted, so a grant may be gone rather than the thing: give the user access to it again');
  return lacking.length === 0
    ? undefined
    : hidden(turn, path, `It lacks the scope ${lacking.join(', ')}: put a token that has it into the Secret`);
}
type Who = Awaited<ReturnType<Connection['confirm']>>;

const hidden = ({ object }: Turn, path: string, why: string): Presence => ({
  is: 'unsure',
  outcome: {
    is: 'Stalled',
    reason: 'RemoteNotVisible',
    message: `${path} cannot be seen with this token. ${why}, ${howToAbandon(object, path)}`,
  },
});

/** Also true where rows may have been missed. */
async function maybeListedSince(turn: Turn, identity: Identity, since: Millis): Promise<boolean> {
  const collection = identity.path.slice(0, identity.path.lastIndexOf('/'));
  if (turn.kind.sweep.by === 'item') return false;
  try {
    const { rows, complete } = await turn.account.connection.list(listOf(turn, collection), { ...how(turn, 'wait'), notBefore: since });
    return !complete || rows.some((row: Row) => itemOf(turn.kind, row, collection) === identity.path);
  } catch (error) {
    // The parent is gone, and everything below it with it.
    if (error instanceof CloudError && error.fault === 'NotFound') return false;
    throw error;
  }
}
const listOf = (turn: Turn, collection: string): string => (typeof turn.kind.path === 'string' ? turn.kind.path : collection);

/** What a proven loss means: a person must act, or it is made anew. */
export async function whenGone(turn: Turn, want: AnyWant, identity: Identity, onMissing: 'Recreate' | 'Stall'): Promise<Outcome> {
  const { engine, object } = turn;
  const actor = actorOf(turn, identity.path);
  const wish = annotation(object, recreateAnnotation);
  const asked = wish !== undefined && wish !== object.status?.['recreated'];
  const by = actor === undefined ? knownActor(object, identity) : ` (${actor.action} by ${actor.user} at ${actor.at})`;
  if (onMissing === 'Stall' && !asked) {
    return {
      is: 'Stalled',
      reason: 'RemoteMissing',
      message: `${identity.path} is gone from the account${by}. To have it made anew, empty, annotate ${recreateAnnotation}=<time>; else delete this object`,
    };
  }
  const stopped = asked ? undefined : vanishStop(turn);
  if (stopped !== undefined) return stopped;
  if (!asked) noteRemade(turn);
  await clearIdentity(turn, identity);
  engine.log.info('a remote is gone and is made anew', { kind: object.kind, path: identity.path, by });
  return create(turn, want);
}

/** Events are forgotten within the hour; who took the remote away stays in the message. */
function knownActor({ status }: Resource, { path }: Identity): string {
  const shown = ((status?.['conditions'] ?? []) as readonly Condition[]).find(({ reason }) => reason === 'RemoteMissing');
  const begin = `${path} is gone from the account`;
  return shown?.message.startsWith(`${begin} (`) === true ? shown.message.slice(begin.length, shown.message.indexOf(')') + 1) : '';
}

/** Status first, then W1 drops the annotation: at any moment what is left proves at most the remote that is gone. */
async function clearIdentity(turn: Turn, { path }: Identity): Promise<void> {
  const present = ['id', 'path', 'account', 'origin'].filter((field) => turn.object.status?.[field] !== undefined);
  const patch = Object.fromEntries(present.map((field) => [field, null]));
  const ops = statusOps(turn.object, patch);
  turn.object = await turn.engine.objects.patch(
    turn.kind.kind,
    keyOf(turn.object),
    { type: 'json', ops, subresource: 'status' },
    turn.signal,
  );
  for (const field of ['id', 'path', 'account', 'origin']) turn.notes[field] = undefined;
  turn.engine.claims.release(turn.object.metadata.uid);
  // What is not there any more is neither counted nor looked for.
  turn.account.connection.mirror.disown(path);
  turn.engine.evidence.born.delete(turn.object.metadata.uid);
}
