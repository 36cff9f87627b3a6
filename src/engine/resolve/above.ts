import { type AnyCollection, asCollection, isKnownByBirth, parentOfItem, readRemote, type Row, seconds } from '../../resource/index.ts';
import { type AccountContext, callOptions } from '../context.ts';
import type { Claim } from '../memory/claims.ts';
import { accountKey, admission, admits } from '../model/account.ts';
import { isOutlived } from '../model/identity.ts';
import { nameOf, objectId } from '../model/object-id.ts';
import type { Resource } from '../ports/index.ts';
import { keyFrom } from './named.ts';

/**
 * A part belongs to whoever has the remote that it is a part of: one that was let go may be another team's by now. The object that
 * has it, or had it some minutes ago and is about to be renamed, and leaves this one nothing of it; undefined where nobody else has it,
 * or it may adopt it anyway.
 */
export function holderAbove(context: AccountContext, object: Resource, path: string): Claim | undefined {
  const { kind, account, engine } = context;
  const holder = kind.parent && engine.claims.lastHolder(account.connection.identity.account, parentOfItem(kind, path));
  if (kind.parent === undefined || holder === undefined) return undefined;
  const named = object.spec[kind.parent.ref] as Row | undefined;
  if (typeof named?.['name'] === 'string') {
    if (objectId(holder.kind, keyFrom(object, named)) === objectId(holder.kind, holder.key)) return undefined;
    // Of what is always there each parent has one, and that goes with it even within a namespace.
    if (asCollection(kind) === undefined) return holder;
  }
  return isLeft(context, object, holder) ? undefined : holder;
}

function isLeft({ kind, account, engine }: AccountContext, { metadata: { namespace } }: Resource, holder: Claim): boolean {
  const above = engine.objects.get(holder.kind, holder.key);
  return (
    holder.key.namespace === namespace ||
    (above !== undefined && admits(above, namespace)) ||
    admission(account, kind, namespace)?.adopt === 'Any'
  );
}

/**
 * Nobody has the remote above for the moment, and of two that prove the part to be theirs one may adopt and this one may not: that one came
 * by it with the remote above, and is not to lose it to whoever gave that away.
 */
function adopterOf({ kind, account, engine }: AccountContext, { metadata: { namespace } }: Resource, path: string): Claim | undefined {
  const may = (one: string): boolean => admission(account, kind, one)?.adopt === 'Any';
  if (kind.parent === undefined || may(namespace)) return undefined;
  return engine.claims.all(account.connection.identity.account, path).find(({ key }) => key.namespace !== namespace && may(key.namespace));
}

/** Which object has what this one had: another holds it, or what it is a part of. */
export function holderNow(context: AccountContext, path: string): Claim | undefined {
  const { engine, object } = context;
  const above = holderAbove(context, object, path) ?? adopterOf(context, object, path);
  if (above !== undefined) return above;
  const holder = stillHolding(context, path);
  if (holder === undefined || holder.uid === object.metadata.uid) return undefined;
  const other = engine.objects.get(holder.kind, holder.key);
  return other !== undefined && (hasLost(context, other, path) || givesWay(context, other, path)) ? undefined : holder;
}

/** What this one names as its parent admits this one, and does not admit the other any more. */
const givesWay = (context: AccountContext, other: Resource, path: string): boolean =>
  isOfAccount(context, other) && shutOutBy(context, other, path) !== undefined && shutOutBy(context, context.object, path) === undefined;

/** Who has what it is a part of, and leaves its namespace nothing of that any more, whatever it names. */
export function shutOutBy(context: AccountContext, object: Resource, path: string): Claim | undefined {
  const { kind, account, engine } = context;
  // Of what is always there nothing asks before it is taken over.
  if (kind.parent === undefined || asCollection(kind) === undefined) return undefined;
  const above = engine.claims.lastHolder(account.connection.identity.account, parentOfItem(kind, path));
  return above === undefined || isLeft(context, object, above) ? undefined : above;
}

/** Who claims by name what is no more, or what came free and was given away, has no say in what is there by now. */
function stillHolding(context: AccountContext, path: string): Claim | undefined {
  const { engine, account } = context;
  const its = account.connection.identity.account;
  const all = engine.claims.all(its, path);
  if (all.length > 0) return all.find((claim) => !isOver(context, claim, path));
  const kept = engine.claims.holder(its, path);
  return kept !== undefined && isShutOut(context, kept) ? undefined : kept;
}

/** It was let go of for this one, which the account does not admit any more. */
function isShutOut(context: AccountContext, { kind, key, uid }: Claim): boolean {
  const { engine, account } = context;
  const other = engine.objects.get(kind, key);
  if (other === undefined || engine.claims.promisedTo(uid) === undefined || !isOfAccount(context, other)) return false;
  return admission(account, engine.registry.kind(kind), key.namespace) === undefined;
}

const isOfAccount = ({ account }: AccountContext, other: Resource): boolean => nameOf(accountKey(other)) === nameOf(account.key);

/** Another object has what this one is a part of. What the CloudAccount of another lets it adopt is not known here: then it has what it claims. */
export function hasLost(context: AccountContext, other: Resource, path: string): boolean {
  return (
    (isOfAccount(context, other) || asCollection(context.kind) === undefined) &&
    (holderAbove(context, other, path) ?? adopterOf(context, other, path)) !== undefined
  );
}

/** A claim whose thing is no more, although what is at its path by now is called the same. */
function isOver(context: AccountContext, claim: Claim, path: string): boolean {
  const { engine, account } = context;
  const kind = asCollection(engine.registry.kind(claim.kind));
  const object = engine.objects.get(claim.kind, claim.key);
  const row = account.connection.cache.get(path)?.remote;
  if (kind === undefined || object === undefined || row === undefined) return false;
  return isOutlived({ kind, object }, path, row) || isGivenAway(context, claim, { kind, path, row });
}

interface Found {
  readonly kind: AnyCollection;
  readonly path: string;
  readonly row: Row;
}

/**
 * The provider gave it to whoever was next: it is nowhere that its object saw it, and leads to what another namespace has; or the service gave
 * it to another object, at which it is, in answer to a create. To no object's it may have been moved by hand, and is that object's still.
 */
function isGivenAway(context: AccountContext, claim: Claim, found: Found): boolean {
  if (!strays(context, claim, found)) return false;
  const { engine, account } = context;
  const its = account.connection.identity.account;
  const leadsTo = leadsOf(found);
  const ofOthers = leadsTo.filter((path) => isOfOthers(engine.claims.lastHolder(its, path), claim));
  if (leadsTo.length > 0 && ofOthers.length === leadsTo.length) return true;
  return engine.claims
    .all(its, found.path)
    .some((other) => other.uid !== claim.uid && other.kind === claim.kind && !strays(context, other, found));
}

const isOfOthers = (holder: Claim | undefined, claim: Claim): boolean =>
  holder !== undefined && holder.key.namespace !== claim.key.namespace;

/** What was made a moment ago is where it was made. */
function strays({ engine }: AccountContext, { kind: name, key, uid }: Claim, { kind, path, row }: Found): boolean {
  const object = engine.objects.get(name, key);
  const read = readRemote(kind, row);
  if (kind.strays === undefined || object === undefined || 'malformed' in read) return false;
  if (isShown(object, path)) return kind.strays(read.remote, { recalled: recalledOf(kind, object) });
  return engine.objectMemory.made.get(uid)?.identity.path !== path && kind.strays(read.remote, {});
}

const isShown = ({ metadata: { uid }, status }: Resource, path: string): boolean =>
  status?.['path'] === path && status['objectUid'] === uid;
const recalledOf = ({ recalls = [] }: AnyCollection, { status = {} }: Resource): Row =>
  Object.fromEntries(recalls.map((field) => [field, status[field]]));

function leadsOf({ kind, row }: Found): readonly string[] {
  const read = readRemote(kind, row);
  return 'remote' in read ? (kind.leadsTo?.(read.remote) ?? []) : [];
}

/** So old may be what was read of something that comes free and is given to others. */
const freshFor = seconds(60);

/** Whose it is that others claim as well, or instead, only the account tells: a process that has just started looks, and who would take it. */
export async function knowsWhose(context: AccountContext, path: string): Promise<void> {
  const { engine, account, object } = context;
  const { cache, identity } = account.connection;
  const other = engine.claims.all(identity.account, path).find(({ uid }) => uid !== object.metadata.uid);
  const kind = other && asCollection(engine.registry.kind(other.kind));
  if (kind === undefined || (!isKnownByBirth(kind) && kind.strays === undefined)) return;
  const known = cache.get(path);
  const isKnown = known !== undefined && (kind.strays === undefined || engine.clock.monotonic() - known.readAt < freshFor);
  if (!isKnown) await cache.read(path, kind, callOptions(context, 'wait'));
}
