import { appearsWithin, seconds } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { accountKey, naming, objectName } from '../model/account.ts';
import { decidedAt, type Intent, intentOf } from '../model/intent.ts';
import { keyOf, parseObjectId, toldName } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { canonical } from '../model/values.ts';
import type { Resource } from '../ports/index.ts';

/**
 * One create at a time per account and natural key (README: create): while it is not known whether another object's create of this
 * key came about, this object waits. Of two objects that are both in doubt the older one goes on.
 */
export function inDoubtElsewhere(context: ClusterContext, key: Intent['key'], own?: Intent): Outcome | undefined {
  if (context.kind.key?.names !== true) return undefined;
  const told = canonical(key);
  for (const id of context.engine.openCreateIndex.of(context.kind.kind, told)) {
    const other = context.engine.objects.get(context.kind.kind, parseObjectId(id).key);
    if (other === undefined || other.metadata.uid === context.object.metadata.uid) continue;
    if (!isOpen(context, other, told) || (own !== undefined && bornKey(context.object) < bornKey(other))) continue;
    const name = toldName(context, { kind: other.kind, key: keyOf(other) }) ?? 'another object of this account in another namespace';
    return {
      is: 'Waiting',
      reason: 'Busy',
      message: `${name} has sent a create of ${canonical(key.is)}, and what came of it is not known yet. Nothing is made meanwhile, so that there are not two. If both are wanted, give this one another name`,
      on: [name],
      recheckAfter: seconds(15),
    };
  }
  return undefined;
}

/** Another object of the kind has one made in this collection, and what has come of it is not noted yet. */
export const isOneBeingMade = (context: ClusterContext, collection: string): boolean =>
  [...context.engine.objects.all(context.kind.kind)].some(
    (other) => other.metadata.uid !== context.object.metadata.uid && openOf(context, other)?.key.in === collection,
  );

/** What cannot be in doubt any more keeps nobody from the name, also of an object at which nobody looks because it is paused. */
function openOf({ engine, key, account, kind }: ClusterContext, other: Resource): Intent | undefined {
  const theirs = engine.accounts.get(accountKey(other))?.connection.identity.account;
  if (theirs !== account.connection.identity.account) return undefined;
  const intent = intentOf({ key, name: objectName(naming(engine), other), object: other });
  if (intent === undefined) return undefined;
  return decidedAt(intent, engine.settings) + appearsWithin(kind) > account.connection.apiNow() ? intent : undefined;
}
function isOpen(context: ClusterContext, other: Resource, told: string): boolean {
  const intent = openOf(context, other);
  return intent !== undefined && told === canonical(intent.key);
}
/** Orders objects by when they were made. */
const bornKey = ({ metadata }: Resource): string => `${metadata.creationTimestamp} ${metadata.uid}`;
