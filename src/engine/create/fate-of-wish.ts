import { lastSegment } from '../../lib/last-segment.ts';
import type { Millis } from '../../lib/clock.ts';
import { type AnyWant, collectionOf, collectionOfItem, type Duration, madeAt, seconds } from '../../resource/index.ts';
import type { CollectionContext } from '../context.ts';
import { erasedBy } from '../guard/mass-loss-stop.ts';
import { isOneBeingMade } from '../guard/one-create.ts';
import { mayAdopt } from '../guard/recovery.ts';
import { baselineGoodFor } from '../identity/lookup.ts';
import { isBelow } from '../identity/taken-below.ts';
import type { Identity } from '../model/identity.ts';
import { namesPath, openWish } from '../model/step.ts';
import { isMadeInPlaceOf, predecessorNote, predecessorsOf } from '../model/replacing.ts';
import { parentOf } from '../observe/loss-proof.ts';
import type { Resource } from '../ports/index.ts';
import { freeIn } from './unowned.ts';

/**
 * What becomes of `spec.adopt` as an object lets go of what is gone. `over`: what it named is that, and another one is made in its place.
 * `stays`: nothing is known that ends it. `first`: before anything is made, what it names is looked for, because something that no object
 * has may have come in the place of what is gone. `asks`, `waits`: nothing is let go of before a person, or time, tells.
 */
export type Fate =
  | { readonly is: 'over' | 'stays' | 'first' }
  | { readonly is: 'asks'; readonly why?: string }
  | { readonly is: 'waits'; readonly why: string; readonly on: string; readonly recheckAfter: Duration };

interface Lost {
  readonly want: AnyWant;
  readonly identity: Identity;
  /** A person asked for another one, of this very object. */
  readonly asked: boolean;
}
export async function fateOfWish(context: CollectionContext, { want, identity, asked }: Lost): Promise<Fate> {
  const wish = openWish(context.object);
  const since = asked ? undefined : await cameSince(context, want, identity);
  if (since !== undefined) return since;
  if (wish === undefined) return asked ? { is: 'stays' } : fateWithoutWish(context, want, identity);
  const another = namesAnother(context, identity);
  if (asked) return { is: another ? 'stays' : 'over' };
  if (context.kind.goesWithParent === true) return fateOfPart(context, want, identity, another);
  // No restore puts another one in its place.
  return { is: another || wish.id === undefined ? 'stays' : 'over' };
}

/** Of what was never adopted nobody says what came instead; what it was in may have been restored, under another id, with all that was in it. */
function fateWithoutWish(context: CollectionContext, want: AnyWant, identity: Identity): Fate {
  const { kind } = context;
  if (kind.completesParent !== true) return { is: 'stays' };
  const before = parentOf(kind, identity);
  const above = parentOf(kind, { ...identity, path: `${collectionOf(kind, want)}/0` });
  return above.path === before.path || isSuccessor(context, above, before) ? { is: 'stays' } : { is: 'asks', why: untold(before, above) };
}

/** What a part was in may be restored, and the part with it, under another id: it is made by itself only where that was made anew, and is empty. */
async function fateOfPart(context: CollectionContext, want: AnyWant, identity: Identity, another: boolean): Promise<Fate> {
  const { kind } = context;
  const before = parentOf(kind, identity);
  const above = parentOf(kind, { ...identity, path: `${collectionOf(kind, want)}/0` });
  const isAnew = isSuccessor(context, above, before);
  // Nothing comes with a zone but what its own key tells.
  if (kind.completesParent !== true) return { is: isAnew && !another ? 'over' : 'stays' };
  if (above.path === before.path && erasedBy(context, above.path) === undefined) return { is: 'stays' };
  if (above.path === before.path || another) return (await beside(context, want, above)) ?? { is: 'stays' };
  return isAnew ? fateInNew(context, want, above) : { is: 'asks', why: untold(before, above) };
}
/**
 * Beside where it was, something that no object has came later than it did: it may be what a restore of the machine brought, or what this
 * object had last, where a backup of the cluster made it forget that.
 */
async function cameSince(context: CollectionContext, want: AnyWant, identity: Identity): Promise<Fate | undefined> {
  const { kind } = context;
  const above = parentOf(kind, identity);
  if (kind.completesParent !== true || collectionOf(kind, want) !== collectionOfItem(kind, identity.path)) return undefined;
  if (erasedBy(context, above.path) !== undefined) return undefined;
  const fate = await beside(context, want, above, mayBeAfter(context, identity.path));
  if (fate?.is !== 'first') return fate;
  return openWish(context.object) === undefined ? unownedMayBe(context, above) : fate;
}
/** The service counts up. What somebody made by hand, as an event tells, came with no restore, and is no second one of ours. */
function mayBeAfter({ account: { connection } }: CollectionContext, lost: string): (path: string) => boolean {
  const { cache, identity } = connection;
  const isMadeByHand = (path: string): boolean =>
    cache.birth(path) !== undefined && cache.creators(path, undefined).every((user) => user !== null && user !== identity.user);
  return (path) => Number(lastSegment(path)) > Number(lastSegment(lost)) && !isMadeByHand(path);
}

const untold = (before: Identity, above: Identity): string =>
  `It was in ${before.path}, and nothing tells whether ${above.path} was made anew in place of that, or restored`;

async function fateInNew(context: CollectionContext, want: AnyWant, above: Identity): Promise<Fate> {
  const fate = stillToCome(context, above) ?? (await beside(context, want, above)) ?? { is: 'over' };
  return fate.is === 'first' ? unownedMayBe(context, above) : fate;
}
/** Who may adopt is told which. */
const unownedMayBe = (context: CollectionContext, above: Identity): Fate =>
  mayAdopt(context) ? { is: 'asks' } : { is: 'asks', why: `Something of ${above.path} has no object, and may be it` };

/** What the object above has was made, by itself or as a person asked, in place of this one. */
function isSuccessor(context: CollectionContext, above: Identity, before: Identity): boolean {
  const parent = holderOf(context, above);
  if (parent?.status?.['origin'] !== 'Created') return false;
  return isMadeInPlaceOf(parent, before);
}
function holderOf({ engine }: CollectionContext, { account, path }: Identity): Resource | undefined {
  const holder = engine.claims.holder(account, path);
  const object = holder && engine.objects.get(holder.kind, holder.key);
  return object?.metadata.uid === holder?.uid ? object : undefined;
}

/** A part may have missed one or two. */
const mostNoted = 5;
/** What status notes as another one is to be made, where something may have been in what is gone. */
export function successorOf(context: CollectionContext, gone: Identity): readonly string[] | undefined {
  const { engine, object } = context;
  if (!engine.registry.kinds.some((kind) => kind.goesWithParent === true && isBelow(context, kind))) return undefined;
  return [...predecessorsOf(object).slice(1 - mostNoted), predecessorNote(object, gone)];
}

/** What came with it may not be there, or not be listed, yet. */
function stillToCome(context: CollectionContext, above: Identity): Fate | undefined {
  const { cache } = context.account.connection;
  const isAtWork = cache.jobs(above.path).some(({ status }) => status === 'scheduled' || status === 'started');
  const early = context.engine.settings.listLag - ageOf(context, above);
  if (!isAtWork && early <= 0) return undefined;
  return {
    is: 'waits',
    why: `${above.path} was just made, and what came with it may not be listed yet`,
    on: above.path,
    recheckAfter: seconds(Math.max(10, Math.ceil(early / 1000))),
  };
}
function ageOf({ engine, account }: CollectionContext, above: Identity): Millis {
  const holder = engine.claims.holder(above.account, above.path);
  const kind = holder && engine.registry.kind(holder.kind);
  const row = account.connection.cache.get(above.path)?.remote;
  if (kind === undefined || row === undefined) return 0;
  const made = madeAt(kind, row);
  return made === undefined ? Infinity : account.connection.apiNow() - made;
}

/** Undefined: all that is in it has an object. */
async function beside(
  context: CollectionContext,
  want: AnyWant,
  above: Identity,
  counts: (path: string) => boolean = () => true,
): Promise<Fate | undefined> {
  const { engine, kind } = context;
  const age = ageOf(context, above) - engine.settings.listLag;
  const all = await freeIn(context, want, engine.clock.monotonic() - Math.max(0, Math.min(baselineGoodFor, age)));
  const free = all.filter(({ path }) => counts(path));
  if (free.length === 0) return undefined;
  if (!isOneBeingMade(context, collectionOf(kind, want))) return { is: 'first' };
  const paths = free.map(({ path }) => path).join(', ');
  return { is: 'waits', why: `${paths} may be what another object is having made`, on: above.path, recheckAfter: seconds(15) };
}

/** `spec.adopt` names one by its id, and not the one that is gone, wherever what it was in is by now; nor what was gone before that. */
export function namesAnother({ kind, object }: CollectionContext, { path }: Identity): boolean {
  const id = openWish(object)?.id;
  return id !== undefined && !namesPath(kind, id, path);
}
