import { asCollection, isKnownByBirth, parentOfItem, type Row } from '../../resource/index.ts';
import { type AccountContext, callOptions } from '../context.ts';
import type { Claim } from '../memory/claims.ts';
import { accountKey, admission, admits } from '../model/account.ts';
import { isOutlived } from '../model/identity.ts';
import { nameOf, objectId } from '../model/object-id.ts';
import type { Resource } from '../ports/index.ts';
import { keyFrom } from './named.ts';

/**
 * A part belongs to whoever has the remote that it is a part of: one that was let go may be another team's by now. The object that
 * has it and leaves this one nothing of it; undefined where nobody else has it, or it may adopt it anyway.
 */
export function holderAbove(context: AccountContext, object: Resource, path: string): Claim | undefined {
  const { kind, account, engine } = context;
  const holder = kind.parent && engine.claims.holder(account.connection.identity.account, parentOfItem(kind, path));
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
  return other !== undefined && hasLost(context, other, path) ? undefined : holder;
}

/** Who claims by name what is no more has no say in what came after it under that name. */
function stillHolding({ engine, account, kind }: AccountContext, path: string): Claim | undefined {
  const its = account.connection.identity.account;
  const row = account.connection.cache.get(path)?.remote;
  const isOver = (claim: Claim): boolean => {
    const object = claim.kind === kind.kind ? engine.objects.get(claim.kind, claim.key) : undefined;
    return row !== undefined && object !== undefined && isOutlived({ kind, object }, path, row);
  };
  const all = engine.claims.all(its, path);
  return all.length === 0 ? engine.claims.holder(its, path) : all.find((claim) => !isOver(claim));
}

/** Of several that claim by name what is at a path only the account tells whose it is: a process that has just started looks. */
export async function knowsWhose(context: AccountContext, path: string): Promise<void> {
  const { engine, account, kind } = context;
  const { cache, identity } = account.connection;
  const isContested = isKnownByBirth(kind) && engine.claims.all(identity.account, path).length > 1;
  if (isContested && cache.get(path) === undefined) await cache.read(path, kind, callOptions(context, 'wait'));
}

/** Another object has what this one is a part of. What the CloudAccount of another lets it adopt is not known here: then it has what it claims. */
export function hasLost(context: AccountContext, other: Resource, path: string): boolean {
  const isOfAccount = nameOf(accountKey(other)) === nameOf(context.account.key);
  return (
    (isOfAccount || asCollection(context.kind) === undefined) &&
    (holderAbove(context, other, path) ?? adopterOf(context, other, path)) !== undefined
  );
}
