import { type AnyWant, collectionOf, hasEnded, isToldOnce, seconds } from '../../resource/index.ts';
import { withPermit, withTicket } from '../change/create-permit.ts';
import { sendCreate, recordIdentity } from '../change/create-remote.ts';
import { writeIdentity, writeStruck } from '../change/metadata.ts';
import { createOf, heldChange, stillRefused } from '../change/send.ts';
import { cannotKeep } from '../change/outputs/keeper.ts';
import { callOptions, type CollectionContext } from '../context.ts';
import { noRoom, parentBusy } from '../identity/appearing.ts';
import { labelOfAnother } from '../guard/label-of-another.ts';
import { maxObjectsReached } from '../guard/object-quota.ts';
import { inDoubtElsewhere } from '../guard/one-create.ts';
import { freshWish } from '../guard/spent-gestures.ts';
import { newSince } from '../identity/candidates.ts';
import { conflict, conflictNow } from '../identity/conflict.ts';
import { mayMake } from '../guard/recovery.ts';
import { lookAlike } from '../identity/look-alike.ts';
import { baseline, cameBefore, type Found, halfMade, idsOf, stillThere } from '../identity/lookup.ts';
import { claimedBy, isOwn } from '../identity/ownership.ts';
import type { Identity } from '../model/identity.ts';
import { type Intent, intentOf } from '../model/intent.ts';
import type { Outcome, Reason } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import { notOffered } from '../observe/offer.ts';
import type { Permit } from '../ports/index.ts';
import { sourceRefused } from '../transfer/bring.ts';
import { existing, refusedAsDuplicate, takenBy } from './existing.ts';
import { heldBack, lookUp } from './unknown-outcome.ts';

/** Makes the remote, exactly once: looks first where that is the only way to know, and never sends while an outcome is open. */
export async function create(context: CollectionContext, want: AnyWant): Promise<Outcome> {
  const { engine, object, account } = context;
  account.connection.cache.uses(context.kind);
  const born = engine.objectMemory.made.get(object.metadata.uid);
  const intent = intentOf(context);
  if (born !== undefined) return recordMade(context, born.identity, intent);
  const key: Intent['key'] = { in: collectionOf(context.kind, want), is: context.kind.key.of(want) };
  return inTurn(context, key, async () => {
    const outcome =
      intent === undefined
        ? ((await whyNot(context, want, key)) ??
          (await withTicket(context, want, key.in, (permit) => lookAndSend(context, permit, want, key))))
        : await resolveUnknown(context, want, intent, key);
    return outcome === duplicate ? refusedAsDuplicate(context, want, key) : outcome;
  });
}

/** One create of a natural key at a time in this process. */
export async function inTurn(
  { engine, account, object }: CollectionContext,
  key: Intent['key'],
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const guard = `${account.connection.identity.account} ${canonical(key)}`;
  if (engine.openCreateIndex.inFlight.has(guard)) return { is: 'Quiet', recheckAfter: seconds(2) };
  engine.openCreateIndex.inFlight.add(guard);
  try {
    return await work();
  } finally {
    engine.openCreateIndex.inFlight.delete(guard);
    engine.objectMemory.placeHeld.delete(object.metadata.uid);
    engine.objectMemory.making.delete(object.metadata.uid);
  }
}

/** What forbids a first create. */
async function whyNot(context: CollectionContext, want: AnyWant, key: Intent['key']): Promise<Outcome | undefined> {
  return (
    (await refusedBefore(context, want, key)) ??
    inDoubtElsewhere(context, key) ??
    (await cannotKeep(context)) ??
    sourceRefused(context, want) ??
    (await takesFromOthers(context, want)) ??
    (await parentBusy(context, want)) ??
    whatIsThere(context, want, key)
  );
}

/** What forbids it for the sake of other namespaces, each time that it would be sent. */
const takesFromOthers = async (context: CollectionContext, want: AnyWant): Promise<Outcome | undefined> =>
  labelOfAnother(context) ?? maxObjectsReached(context) ?? conflict(context, want);

/** What forbids it of what the account has, or offers. */
async function whatIsThere(context: CollectionContext, want: AnyWant, key: Intent['key']): Promise<Outcome | undefined> {
  const alike = await lookAlike(context, want, freshWish(context) !== undefined);
  return alike ?? (await withdrawn(context, want, key)) ?? noRoom(context, want);
}

/** Made by this process, and nothing says so: its identity could not be written, or a replace took it before the status had it. */
export async function recordMade(context: CollectionContext, identity: Identity, intent: Intent | undefined): Promise<Outcome> {
  if (intent !== undefined) return (await recordIdentity(context, identity, intent)) ?? { is: 'Again' };
  await writeIdentity(context, identity);
  return { is: 'Again' };
}

/** The service refused a second one; who the first belongs to is looked up once the permit is given back. */
const duplicate: Outcome = { is: 'Stalled', reason: 'AlreadyExists', message: 'the API refused it as a duplicate' };

async function lookAndSend(context: CollectionContext, permit: Permit, want: AnyWant, key: Intent['key']): Promise<Outcome> {
  const look = await lookFirst(context, want, key);
  if ('outcome' in look) return look.outcome;
  if ('before' in look) return sendFirst(context, permit, want, { key, before: look.before, attempts: [] });
  // A read by id would wait for ever for a window of which this permit holds the only request.
  permit.release();
  const there = await stillThere(context, look.found);
  if (there.length > 0) return existing(context, want, there);
  const intent: Intent = { key, before: idsOf(look.found), attempts: [] };
  return withPermit(context, want, key.in, (second) => sendFirst(context, second, want, intent));
}

/** Of two that stand against each other and were asked for in the same moment, the one that comes here first is made. */
async function sendFirst(context: CollectionContext, permit: Permit, want: AnyWant, intent: Intent): Promise<Outcome> {
  const against = conflictNow(context, want);
  if (against !== undefined) return against;
  context.engine.objectMemory.making.set(context.object.metadata.uid, intent.key.is);
  return send(context, permit, want, intent);
}

/** Refused, and nothing of what was asked for is another since; a person may ask for it all the same. */
async function refusedBefore(context: CollectionContext, want: AnyWant, key: Intent['key']): Promise<Outcome | undefined> {
  const { ledger, objectMemory } = context.engine;
  const { uid } = context.object.metadata;
  if (objectMemory.lookAsked.delete(uid)) ledger.beginAnew(uid);
  const held = heldChange(context, createOf(context, want));
  if (held?.because.is !== 'refused') return undefined;
  const { outcome, final } = held.because;
  // Whether the name is taken still can be seen.
  if (final && outcome.is === 'Stalled' && aboutTheName.has(outcome.reason)) return takenBy(context, want, key);
  return stillRefused(context, outcome, held.until);
}
const aboutTheName: ReadonlySet<Reason> = new Set(['AlreadyExists', 'AlreadyClaimed', 'Ambiguous']);

export async function send(context: CollectionContext, permit: Permit, want: AnyWant, intent: Intent): Promise<Outcome> {
  const outcome = await sendCreate(context, permit, want, intent);
  return outcome.is === 'Stalled' && outcome.reason === 'AlreadyExists' ? duplicate : outcome;
}

/** `found`: rows that a listing shows; whether they are there still takes a read of each. */
type Look = { readonly before: Intent['before'] } | { readonly found: readonly Found[] } | { readonly outcome: Outcome };

async function lookFirst(context: CollectionContext, want: AnyWant, key: Intent['key']): Promise<Look> {
  const { enforced, anyLetters } = context.kind.key;
  if (enforced === 'unique' && anyLetters !== true) return { before: [] };
  if (enforced === 'item') {
    const item = context.kind.item?.(key.is, key.in) ?? key.in;
    const seen = await context.account.connection.cache.read(item, context.kind, callOptions(context, 'create'));
    return seen === undefined ? { before: [] } : { outcome: await existing(context, want, [{ row: seen.remote, path: item }]) };
  }
  const found = await baseline(context, key, want);
  const standing = standingOf(context, found);
  if (!isOneMore(context, want, standing)) return { found: standing };
  const left = await halfMade(context, key, want);
  return left.length > 0 ? { found: left } : { before: [...idsOf(found), ...cameBefore(context, want)] };
}

/**
 * Where the key names nothing there may be as many as are asked for. But one for which no object stands may be this object's, from
 * before it was deleted and applied again, or its cluster rebuilt: then a person says so, or that another one is meant. A path in
 * its status says nothing against that: an object whose own status has one is never here, so it was written for another object.
 */
function isOneMore(context: CollectionContext, want: AnyWant, standing: readonly Found[]): boolean {
  if (standing.length === 0) return true;
  if (context.kind.key.names || standing.some((one) => isFreeAndOwn(context, one))) return false;
  if (freshWish(context) !== undefined) return true;
  return withoutPart(context, want, standing).every(({ path }) => claimedBy(context, path) !== undefined);
}

/** Where no object tells what came with something else, it is taken for the first in the list. */
function withoutPart(context: CollectionContext, want: AnyWant, standing: readonly Found[]): readonly Found[] {
  const isKnown = cameBefore(context, want).length > 0;
  const part = isKnown ? undefined : standing.find(({ row }) => context.kind.firstIsPart?.(row) !== undefined);
  return standing.filter((one) => one !== part);
}

/** What has the name still; one's own is not made a second time although it is over. */
const standingOf = (context: CollectionContext, found: readonly Found[]): readonly Found[] =>
  found.filter((one) => isFreeAndOwn(context, one) || !isLeftBehind(context, one));
/**
 * This process ended it, or a person asks for another. What was over otherwise may be this object's, from
 * before its cluster was rebuilt or it was given another name, and what a create tells people is not told twice for that.
 */
const isLeftBehind = (context: CollectionContext, { path, row }: Found): boolean =>
  hasEnded(context.kind, row) &&
  (freshWish(context) !== undefined || context.engine.claims.wasEnded(context.account.connection.identity.account, path));
const isFreeAndOwn = (context: CollectionContext, { path, row }: Found): boolean =>
  claimedBy(context, path) === undefined && isOwn(context, row);

/** What the service does not offer is not asked for, unless it is there already: a plan may be withdrawn while its instances live on. */
async function withdrawn(context: CollectionContext, want: AnyWant, key: Intent['key']): Promise<Outcome | undefined> {
  const message = await notOffered(context, want, Object.keys(context.kind.fields));
  if (message === undefined) return undefined;
  const found = await baseline(context, key, want);
  return found.length > 0 ? existing(context, want, found) : { is: 'Stalled', reason: 'InvalidSpec', message };
}

/** An attempt of unknown outcome: sent again only when it surely made nothing, and not too often (README: unknown outcome). */
export async function resolveUnknown(context: CollectionContext, want: AnyWant, intent: Intent, key: Intent['key']): Promise<Outcome> {
  const known = await lookUp(context, want, intent);
  if (known !== undefined) return known;
  if (canonical(key) !== canonical(intent.key) || !mayMake(context)) return forgetIntent(context, intent);
  return (
    heldBack(context, intent) ??
    notKeptBefore(context, want) ??
    inDoubtElsewhere(context, key, intent) ??
    (await cannotKeep(context)) ??
    (await notNow(context, want, intent)) ??
    withPermit(context, want, intent.key.in, (permit) => sendAgain(context, permit, want, intent))
  );
}

/** What forbids it to be sent again now. */
async function notNow(context: CollectionContext, want: AnyWant, intent: Intent): Promise<Outcome | undefined> {
  // What is to take the place of another one has its own.
  const refused = intent.renews === undefined ? await takesFromOthers(context, want) : undefined;
  return refused ?? (await namedMeanwhile(context, want, intent)) ?? (await parentBusy(context, want)) ?? noRoom(context, want);
}

/** What the last attempt was told could not be kept, and would not be this time. */
export function notKeptBefore(context: CollectionContext, want: AnyWant): Outcome | undefined {
  const held = isToldOnce(context.kind, context.object.spec) ? heldChange(context, createOf(context, want)) : undefined;
  return held?.because.is === 'refused' ? stillRefused(context, held.because.outcome, held.until) : undefined;
}

/** Nothing refuses a second one of the name, and one has come since it was sent first: by our mark it is ours, any other is for a person. */
async function namedMeanwhile(context: CollectionContext, want: AnyWant, intent: Intent): Promise<Outcome | undefined> {
  const { enforced, names } = context.kind.key;
  // What is to take the place of another one is called what that is called.
  if (enforced !== 'counted' || !names || intent.renews !== undefined) return undefined;
  const since = newSince(intent, await baseline(context, intent.key, want));
  const there = await stillThere(context, standingOf(context, since));
  return there.length > 0 ? existing(context, want, there) : undefined;
}

/** A create of what exists already is answered with it (a bucket), so somebody else's must not be there by now. */
async function sendAgain(context: CollectionContext, permit: Permit, want: AnyWant, intent: Intent): Promise<Outcome> {
  const look = context.kind.key.enforced === 'item' ? await lookFirst(context, want, intent.key) : undefined;
  return look !== undefined && 'outcome' in look ? look.outcome : send(context, permit, want, intent);
}

/** It surely made nothing, and the spec names another thing by now, which is looked for like any first time; or nothing may be made now. */
export async function forgetIntent(context: CollectionContext, intent: Intent): Promise<Outcome> {
  await writeStruck(context, intent, []);
  return { is: 'Again' };
}
