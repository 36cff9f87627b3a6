import { seconds } from '../../resource/index.ts';
import type { ClusterContext, ReconcileContext } from '../context.ts';
import { proofOf } from '../identity/proof.ts';
import { asksFor, askersBeside } from '../identity/recovery.ts';
import { protectedBelow } from '../identity/taken-below.ts';
import { accountKey, naming, objectName } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import { keyOf, objectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { isPaused } from '../model/pause.ts';
import { policyOf } from '../model/policy.ts';
import { isTakenAlong, parentOf } from '../observe/loss-proof.ts';
import type { Resource } from '../ports/index.ts';
import { wasHeld } from '../guard/deletion-brake.ts';

/** Why this remote needs no call of its own now: the one that it is below is about to go, and takes it along. */
export function goesWithParent(context: ReconcileContext, identity: Identity): Outcome | undefined {
  const parent = parentObject(context, identity);
  if (parent === undefined || isTakenAlong(context, identity) || !isGoing(context, parent)) return undefined;
  const { engine, object } = context;
  // Whatever becomes of the parent wakes this object, also when a restarted process has not resolved its references.
  engine.referenceIndex.set(objectId(object.kind, keyOf(object)), new Set([objectId(parent.kind, keyOf(parent))]));
  return {
    is: 'Working',
    reason: 'Deleting',
    message: `${identity.path} goes with ${parent.kind} ${parent.metadata.name}, which is being deleted`,
    recheckAfter: seconds(60),
  };
}

/** What waits for something else sees, too, that its parent goes, also when a restarted process has not resolved its references. */
export function wakeWithParent(context: ReconcileContext, identity: Identity): void {
  const parent = parentObject(context, identity);
  const { engine, object } = context;
  if (parent !== undefined) engine.referenceIndex.add(objectId(object.kind, keyOf(object)), objectId(parent.kind, keyOf(parent)));
}

function parentObject({ kind, engine }: ReconcileContext, identity: Identity): Resource | undefined {
  if (kind.goesWithParent !== true) return undefined;
  const holder = engine.claims.holder(identity.account, parentOf(kind, identity).path);
  const object = holder === undefined ? undefined : engine.objects.get(holder.kind, holder.key);
  return object?.metadata.uid === holder?.uid ? object : undefined;
}

/** Nothing but its own deletion stands between this object and the loss of its remote. */
function isGoing(context: ReconcileContext, parent: Resource): boolean {
  const { engine, key } = context;
  const account = engine.accounts.get(accountKey(parent));
  if (account === undefined || !isDeleting(parent) || isPaused(parent, engine.clock.now())) return false;
  const proof = proofOf({ key, name: objectName(naming(engine), parent) }, parent);
  if (proof.is !== 'ours') return false;
  const policy = policyOf(engine.registry.kind(parent.kind), parent.spec, account, proof.identity.how === 'adopted');
  const isFree = policy.management === 'Manage' && policy.onDelete === 'Delete' && !policy.protect;
  const above: ClusterContext = { ...context, account, kind: engine.registry.kind(parent.kind), object: parent };
  return isFree && !isHeld(above, proof.identity) && !isAskedFor(above, proof.identity);
}

/** It stays in the account, for another object. */
function isAskedFor(parent: ClusterContext, { path }: Identity): boolean {
  const row = parent.account.connection.cache.get(path)?.remote;
  return row !== undefined && askersBeside(parent).some((other) => asksFor(parent, other, { row, path }));
}

/** By the brake, or by what is protected in it. */
const isHeld = (parent: ClusterContext, { path }: Identity): boolean =>
  wasHeld(parent.account, parent.object) || protectedBelow(parent, path) !== undefined;
