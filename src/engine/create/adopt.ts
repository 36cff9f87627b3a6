import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, type AnyWant, collectionOf, isListed, itemOf, minutes, type Row } from '../../resource/index.ts';
import { bindRemote } from '../change/bind.ts';
import { callOptions, type ReconcileContext } from '../context.ts';
import { maxObjectsReached } from '../guard/object-quota.ts';
import { mayTakeByMark } from '../identity/by-mark.ts';
import { accountName, isRecovering, mayAdopt } from '../guard/recovery.ts';
import { baselineGoodFor, type Found, listing } from '../identity/lookup.ts';
import { claimedBy, hasForeignTag, refusedFor } from '../identity/ownership.ts';
import { hasAll, matchOf } from '../identity/recovery.ts';
import { unownedBeside, unownedNamed } from './unowned.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { type Adopt, wishText } from '../model/step.ts';
import { ownerOf } from '../observe/observe.ts';
import { knowsWhose } from '../resolve/above.ts';
import type { Resolved } from '../resolve/resolve.ts';

/** So old may be the row of a sweep that shows what is to be adopted. */
const sweepGoodFor: Millis = 60_000;

const inOneSpelling = (wish: Adopt, { ids }: AnyKind): Adopt =>
  wish.id === undefined || ids?.plain === undefined ? wish : { ...wish, id: ids.plain(String(wish.id)) };

/**
 * `spec.adopt`: a one-time wish for exactly one existing remote. What matches nothing is never created instead (README: adoption).
 * Who may not adopt gets one answer for whatever the account has, because it must not tell what others have there.
 */
export async function adopt(context: ReconcileContext, resolved: Resolved, wish: Adopt, take: Take = bindRemote): Promise<Outcome> {
  const { namespace } = context.object.metadata;
  const found = await findWished(context, resolved.want, wish);
  if ('outcome' in found) return found.outcome;
  const { mine, how } = await ownOf(context, resolved, found);
  const [only, ...more] = mayAdopt(context) ? found : mine;
  if (only === undefined && !mayAdopt(context))
    return {
      is: 'Stalled',
      reason: 'Forbidden',
      message: `the account does not let namespace ${namespace} adopt anything: the owner of ${accountName(context)} must set spec.access[].adopt: Any for namespace ${namespace}`,
    };
  if (only === undefined)
    return {
      is: 'Stalled',
      reason: 'RemoteMissing',
      message: await nothingOf(context, resolved.want, wish),
    };
  if (more.length > 0)
    return {
      is: 'Stalled',
      reason: 'Ambiguous',
      message: `spec.adopt ${wishText(wish)} matches ${[only, ...more].map(({ path }) => path).join(', ')}. Name exactly one with spec.adopt: {id: ...}`,
    };
  return mine.includes(only) && how === 'created' ? take(context, only, how) : judge(context, { wish, found: only, take });
}
type Take = typeof bindRemote;

/** A disk of a machine that was restored is another by now. */
async function nothingOf(context: ReconcileContext, want: AnyWant, wish: Adopt): Promise<string> {
  const beside = await unownedBeside(context, want);
  const named = beside === undefined ? await unownedNamed(context, want) : undefined;
  const others = beside ?? named;
  const there = others === undefined ? '' : `. ${others.text}: spec.adopt: {id: ${others.named}} takes that over`;
  return `spec.adopt ${wishText(wish)} matches nothing in the account${there}. Correct it${named === undefined ? ', or remove spec.adopt to have a new one made' : ''}`;
}

interface Own {
  readonly mine: readonly Found[];
  readonly how: Identity['how'];
}

/** What needs no right to adopt: what an open create of this object made and, while the account recovers, what bears its mark, or fits it alone. */
async function ownOf(context: ReconcileContext, resolved: Resolved, found: readonly Found[]): Promise<Own> {
  const mine = found.filter((one) => claimedBy(context, one.path) === undefined && mayTakeByMark(context, one));
  if (mine.length > 0 || found.length === 0 || !isRecovering(context)) return { mine, how: 'created' };
  const match = await matchOf(context, resolved);
  return match.is === 'one' ? { mine: found.filter(({ path }) => path === match.found.path), how: match.how } : { mine, how: 'adopted' };
}

interface Judged {
  readonly wish: Adopt;
  readonly found: Found;
  readonly take: Take;
}
async function judge(context: ReconcileContext, { wish, found, take }: Judged): Promise<Outcome> {
  await knowsWhose(context, found.path);
  const claimed = claimedBy(context, found.path);
  if (claimed !== undefined)
    return refusedFor(context, found.path, {
      is: 'Stalled',
      reason: 'AlreadyClaimed',
      message: `${found.path} belongs to ${claimed} already; one remote has one object. Delete this one, which leaves the remote as it is; or ${otherGoes(context, { wish, found })}`,
    });
  if (hasForeignTag(context, found.row) && wish.force !== true)
    return {
      is: 'Stalled',
      reason: 'AlreadyClaimed',
      message: `${found.path} carries the tag of another installation of this operator, which may manage it. If that one is gone, set spec.adopt.force: true`,
    };
  return maxObjectsReached(context) ?? takeOver(context, found, take);
}

/** What hands it over is decided in delete/handed-over.ts. */
function otherGoes(context: ReconcileContext, { wish, found: { path, row } }: Omit<Judged, 'take'>): string {
  const { engine, account, object } = context;
  const holder = engine.claims.holder(account.connection.identity.account, path);
  const isNear = holder?.key.namespace === object.metadata.namespace;
  if (isNear && hasForeignTag(context, row) && wish.force !== true)
    return 'if this one is to have it, set spec.adopt.force: true here, as it carries the tag of another installation of this operator; only then is it handed over when the other one is deleted';
  return isNear
    ? 'delete the other one, which hands it over to this one'
    : 'have the other one let it go: spec.lifecycle.onDelete: Retain on that, and then delete that. Else the remote may go with it';
}

const takeOver = (context: ReconcileContext, found: Found, take: Take): Promise<Outcome> =>
  take(context, found, 'adopted').finally(() => context.engine.objectMemory.placeHeld.delete(context.object.metadata.uid));

/** All in the account that fits the wish. */
export async function findWished(context: ReconcileContext, want: AnyWant, wish: Adopt): Promise<readonly Found[] | LaterLook> {
  const { kind } = context;
  const { id, match } = inOneSpelling(wish, kind);
  const collection = collectionOf(kind, want);
  if (id !== undefined && !isNamedByUs(context, want)) return findItem(context, collection, { ...kind.key?.of(want), id });
  const isMeant = (row: Row): boolean => (id === undefined ? hasAll(row, match) : String(kind.id?.(row)) === String(id));
  for (const age of [baselineGoodFor, Math.max(0, Math.min(baselineGoodFor, ageOf(context)))]) {
    const rows = await listing(context, collection, context.engine.clock.monotonic() - age);
    const found = rows.filter(isMeant).map((row) => ({ row, path: itemOf(kind, row, collection) }));
    if (found.length > 0) return found;
  }
  return [];
}
/** What is not in a list may have been made between that and its object. */
const ageOf = ({ engine, object }: ReconcileContext): Millis => engine.clock.now() - Date.parse(object.metadata.creationTimestamp);

async function findItem(context: ReconcileContext, collection: string, named: Row): Promise<readonly Found[] | LaterLook> {
  const { kind } = context;
  const path = itemOf(kind, named, collection);
  const found = await lookAt(context, path);
  if (found === undefined || 'outcome' in found) return found ?? [];
  const other = kind.id !== undefined && ![kind.id(found.row), path].map(String).includes(String(named['id']));
  return other ? [] : [found];
}

/** The id holds the name, and the spec says none: what an id leads to is not where this object would make its own. */
const isNamedByUs = ({ kind }: ReconcileContext, want: AnyWant): boolean =>
  kind.item !== undefined && kind.id !== undefined && kind.label !== undefined && kind.key?.of(want)[kind.label.field] === want.name;

/** Woken by the sweep that shows it. */
interface LaterLook {
  readonly outcome: Outcome;
}

/**
 * What a sweep has shown lately needs no read of its own, and one sweep is for all who wait for it: thousands are adopted at
 * once. What is gone since is found missing like anything that goes a moment after it was adopted.
 */
async function lookAt(context: ReconcileContext, path: string): Promise<Found | LaterLook | undefined> {
  const { cache } = context.account.connection;
  const owner = ownerOf(context, path);
  const isFresh = (at: Millis | undefined): boolean => at !== undefined && context.engine.clock.monotonic() - at < sweepGoodFor;
  const shown = cache.shown(path, owner.collection);
  if (shown !== undefined && isFresh(shown.readAt) && !cache.deletedByEvent(path))
    return { row: shown.remote, path, ...(shown.source === 'sweep' && { swept: true }) };
  if (isListed(context.kind) && !isFresh(cache.sweptAt(owner.collection))) {
    cache.requestSweep(owner);
    return { outcome: { is: 'Quiet', recheckAfter: minutes(1) } };
  }
  const live = await cache.read(path, context.kind, callOptions(context, 'create'));
  return live && { row: live.remote, path };
}
