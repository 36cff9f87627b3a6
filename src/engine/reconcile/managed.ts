import { collectionOf } from '../../resource/index.ts';
import { writeIdentity } from '../change/metadata.ts';
import { callOptions, type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import { adopt } from '../create/adopt.ts';
import { recoverNamed } from '../create/recover.ts';
import { reconcileDeleted } from '../delete/delete.ts';
import { accountLimit, notForThisUser } from '../guard/account-limit.ts';
import { mayTakeByMark } from '../identity/by-mark.ts';
import { isRecovering, mayBeRestored } from '../guard/recovery.ts';
import { claimedBy } from '../identity/ownership.ts';
import { type Proof, proofOf } from '../identity/proof.ts';
import { annotation, intentAnnotation, isDeleting } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import { intentIsLost } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { adoptOf } from '../model/step.ts';
import { validate } from '../plan/validate-spec.ts';
import { resolve, type Resolved } from '../resolve/resolve.ts';
import { attempt } from './attempt.ts';
import { reconcileBound } from './bound.ts';
import type { Reconciled, SeenHealth } from './result.ts';
import { reconcileSingleton } from './singleton.ts';
import { reconcileUnbound } from './unbound.ts';

/**
 * Brings one object one step nearer to its spec and says how that went.
 *
 * Level-triggered: it looks at the world anew on every call and takes at most one step, so that any prefix of a run,
 * repeated, is a valid run. It rejects only with `KubeError` (the write is tried again) or for a bug.
 */
export const reconcile = (context: ReconcileContext): Promise<Reconciled> =>
  attempt(context, (seen) => (isDeleting(context.object) ? reconcileDeleted(context) : reconcileManaged(context, seen)));

async function reconcileManaged(context: ReconcileContext, seen: SeenHealth): Promise<Outcome> {
  const { kind, object } = context;
  const refused = validate(kind, object.spec) ?? notForThisUser(context);
  if (refused !== undefined) return refused;
  const resolved = await resolve(context);
  if (!isOfCollection(context)) return reconcileSingleton(context, resolved, seen);
  const proof = proofOf(context, object, { restored: mayBeRestored(context) });
  switch (proof.is) {
    case 'none':
      return intentIsLost(context) ?? reconcileUnbound(context, resolved);
    case 'ours':
      return reconcileBound(context, resolved, { identity: proof.identity, heal: proof.heal, seen });
    case 'unproven':
      return adoptInstead(context, resolved, await unproven(context, resolved, proof));
    case 'conflict':
      return {
        is: 'Stalled',
        reason: 'IdentityConflict',
        message: `${proof.why}. ${proof.todo}`,
        ...(proof.unready === true && { unready: true }),
      };
  }
}

/** `spec.adopt` is a person's word on which remote it is, where the annotation proves nothing. */
async function adoptInstead(context: CollectionContext, resolved: Resolved, outcome: Outcome): Promise<Outcome> {
  const wish = adoptOf(context.object.spec);
  const refused = outcome.is === 'Stalled' && outcome.reason === 'IdentityConflict';
  const unready = annotation(context.object, intentAnnotation) !== undefined || resolved.unresolved.length > 0;
  if (!refused || wish === undefined || unready || accountLimit(context) !== undefined) return outcome;
  return adopt(context, resolved, wish);
}

type Unproven = Extract<Proof, { is: 'unproven' }>;

/** An annotation that this operator did not make for this object: it counts only where the mark of the remote does. */
async function unproven(context: CollectionContext, resolved: Resolved, { identity, genuine }: Unproven): Promise<Outcome> {
  const refuse: Outcome = {
    is: 'Stalled',
    reason: 'IdentityConflict',
    message: `annotation cloudhosting.dev/remote names ${identity.path}, but ${genuine ? ofAnEarlier(context) : ofAnotherKey}. To take an existing remote over write spec.adopt`,
  };
  if (!mayBeThere(context, resolved, identity)) return refuse;
  const { connection } = context.account;
  const known = await connection.cache.read(identity.path, context.kind, callOptions(context, 'wait'));
  if (known !== undefined && mayTakeByMark(context, { row: known.remote, path: identity.path })) {
    await writeIdentity(context, { ...identity, how: 'created' });
    return { is: 'Again' };
  }
  return (isRecovering(context) ? await recoverNamed(context, resolved, identity) : undefined) ?? refuse;
}

/** It names something of this account, where the spec leads to, that no other object has. */
function mayBeThere(context: CollectionContext, { want, unresolved }: Resolved, { account, path }: Identity): boolean {
  const { kind } = context;
  if (account !== context.account.connection.identity.account || claimedBy(context, path) !== undefined) return false;
  // Without its parent it is not known where it would be.
  const orphaned = kind.parent !== undefined && unresolved.includes(kind.parent.ref);
  return !orphaned && path.startsWith(`${collectionOf(kind, want)}/`);
}

const ofAnotherKey =
  "was not signed with this operator's key for this object. If another release or a lost cluster made it, import its key (cloud-operator key import) and restart the operator; else remove the annotation";
const ofAnEarlier = ({ account: { key } }: CollectionContext): string =>
  `was written for an earlier object of this name or by an earlier release, and nothing proves that the remote is still its own. If it was, before a restore or an upgrade, the owner of CloudAccount ${key.namespace}/${key.name} sets spec.recover: true until all is found; else remove the annotation`;
