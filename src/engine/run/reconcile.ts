import { type AnyWant, digest, type Duration, type Health, minutes, seconds } from '../../resource/index.ts';
import { accountLimit } from '../account/account-limit.ts';
import { adopt, adoptOf } from '../identity/adopt.ts';
import { hasFinalizer, isDeleting } from './annotations.ts';
import { endContest } from '../converge/contest.ts';
import { converge } from '../converge/converge.ts';
import { create } from '../create/create.ts';
import { lookUp, unresolvedFor } from '../create/unknown.ts';
import { remove } from '../delete/deletion.ts';
import { canonical } from '../converge/drift.ts';
import { outcomeOf } from '../status/faults.ts';
import { proveGone, whenGone } from '../delete/gone.ts';
import { claimedBy, isOwn, proofOf } from '../identity/identify.ts';
import { type Intent, intentIsLost, intentOf } from '../identity/intent.ts';
import { type Identity } from '../identity/marks.ts';
import { observe } from '../converge/observe.ts';
import type { Outcome } from '../outcome.ts';
import { collectionOf } from '../converge/plan.ts';
import { isPending } from '../converge/pending.ts';
import { type Policy, policyOf, shownPolicy } from '../converge/policy.ts';
import { CloudError } from '../ports.ts';
import { isReplaced } from '../converge/replace.ts';
import { type Resolved, resolve } from '../resolve/resolve.ts';
import { validate } from '../converge/spec.ts';
import { how, type Turn } from './turn.ts';
import { noteVanished, vanishStop } from '../hold/vanish-stop.ts';
import { writeIdentity } from '../create/writes.ts';

/** What a turn came to; `health` is set where the remote was seen. */
export interface Reconciled {
  readonly outcome: Outcome;
  readonly health: Health | undefined;
}

/**
 * Brings one object one step nearer to its spec and says how that went.
 *
 * Level-triggered: it looks at the world anew on every call and takes at most one step, so that any prefix of a run,
 * repeated, is a valid run. It rejects only with `KubeError` (the write is tried again) or for a bug.
 */
export async function reconcile(turn: Turn): Promise<Reconciled> {
  const seen: { health: Health | undefined } = { health: undefined };
  try {
    const outcome = isDeleting(turn.object) ? await remove(turn) : await bring(turn, seen);
    return { outcome, ...seen };
  } catch (error) {
    if (error instanceof CloudError) return { outcome: outcomeOf(turn.kind, error, turn.object.spec), ...seen };
    throw error;
  }
}

type SeenHealth = { health: Health | undefined };

async function bring(turn: Turn, seen: SeenHealth): Promise<Outcome> {
  const { kind, object } = turn;
  const invalid = validate(kind, object.spec);
  if (invalid !== undefined) return invalid;
  const resolved = await resolve(turn);
  const proof = kind.mode === 'collection' ? proofOf(turn, object) : { is: 'ours' as const, identity: singleton(turn), heal: false };
  switch (proof.is) {
    case 'none':
      return intentIsLost(turn) ?? begin(turn, resolved);
    case 'ours':
      return keepUp(turn, resolved, { identity: proof.identity, heal: proof.heal, seen });
    case 'unproven':
      return unproven(turn, resolved, proof.identity);
    case 'conflict':
      return { is: 'Stalled', reason: 'IdentityConflict', message: proof.message };
  }
}

const singleton = (turn: Turn): Identity => ({
  account: turn.account.connection.identity.account,
  path: typeof turn.kind.path === 'string' ? turn.kind.path : '/',
  how: 'created',
});

/** No remote yet: wait for what its create needs, take what the spec adopts, or make it. */
async function begin(turn: Turn, resolved: Resolved): Promise<Outcome> {
  const policy = policyOf(turn.kind, turn.object.spec, turn.account, false);
  turn.notes['policy'] = shownPolicy(policy);
  const outcome = await firstStep(turn, resolved, policy);
  // The next turn shows it with all the rest: alone it is not worth a write.
  if (outcome.is === 'Again' || outcome.is === 'Quiet') delete turn.notes['policy'];
  return outcome;
}

async function firstStep(turn: Turn, { want, waitingFor, unresolved }: Resolved, policy: Policy): Promise<Outcome> {
  const limited = accountLimit(turn);
  if (limited !== undefined) return limited;
  if (unresolved.length > 0)
    return { is: 'Waiting', reason: 'ReferenceNotReady', message: waitingFor.join('; '), on: waitingFor, recheckAfter: seconds(60) };
  const intent = intentOf(turn);
  if (intent !== undefined) return settle(turn, want, intent, policy);
  const wish = adoptOf(turn.object.spec);
  if (wish !== undefined) return adopt(turn, want, wish);
  return policy.management === 'Manage' ? (vanishStop(turn) ?? create(turn, want)) : mayNotCreate(policy);
}

/** A create of unknown outcome: reads alone may settle it, and what they cannot settle is for a person to say by `spec.adopt`. */
async function settle(turn: Turn, want: AnyWant, intent: Intent, policy: Policy): Promise<Outcome> {
  const wish = adoptOf(turn.object.spec);
  if (wish !== undefined && unresolvedFor(turn, intent) <= 0) return adopt(turn, want, wish);
  return policy.management === 'Manage' ? create(turn, want) : ((await lookUp(turn, want, intent)) ?? mayNotCreate(policy));
}

const mayNotCreate = ({ management }: Policy): Outcome =>
  management === 'Observe'
    ? {
        is: 'Stalled',
        reason: 'RemoteMissing',
        message: 'spec.lifecycle.management is Observe, which never creates. Name what to observe with spec.adopt',
      }
    : {
        is: 'Reported',
        differs: true,
        reason: 'ReadOnly',
        message: 'the account is ReadOnly: this would be created. Set mode: Manage on the CloudAccount to let it',
      };

interface Known {
  readonly identity: Identity;
  readonly heal: boolean;
  readonly seen: SeenHealth;
}

/** The remote is known: heal what names it, look, and put right what differs. */
async function keepUp(turn: Turn, resolved: Resolved, { identity, heal, seen }: Known): Promise<Outcome> {
  const foreign = notOurs(turn, identity);
  if (foreign !== undefined) return foreign;
  const policy = policyOf(turn.kind, turn.object.spec, turn.account, identity.how === 'adopted');
  if (turn.kind.mode === 'collection') await noteIdentity(turn, identity, { heal, policy });
  const moved = turn.engine.evidence.moved(turn.object.metadata.uid, digest(canonical(resolved.want)));
  const pending = moved || isPending(turn.object);
  const observed = await observe(turn, identity, askedToLook(turn, identity) || pending);
  if ('outcome' in observed) return observed.outcome;
  if ('missing' in observed) return missing(turn, resolved, { identity, policy });
  seen.health = turn.kind.health(observed.remote, resolved.want);
  return converge(turn, { resolved, policy, pending }, { identity, want: resolved.want, remote: observed.remote });
}

/** Annotation `reconcile-at`: what is known of the remote no longer counts. */
function askedToLook(turn: Turn, identity: Identity): boolean {
  const { engine, object, account } = turn;
  if (!engine.evidence.asked.delete(object.metadata.uid)) return false;
  engine.evidence.beginAnew(object.metadata.uid);
  endContest(turn);
  account.connection.mirror.drop(identity.path);
  return true;
}

/** Why a proven identity may not be acted on after all. */
function notOurs(turn: Turn, identity: Identity): Outcome | undefined {
  const { account } = turn.account.connection.identity;
  if (identity.account !== account) {
    const message = `this object's remote ${identity.path} is in account ${identity.account}, and the token leads to ${account}. Put the right token into the CloudAccount's Secret`;
    return { is: 'Stalled', reason: 'AccountMismatch', message };
  }
  const claimed = claimedBy(turn, identity.path);
  if (claimed === undefined || turn.kind.mode !== 'collection') return undefined;
  return {
    is: 'Stalled',
    reason: 'AlreadyClaimed',
    message: `${identity.path} belongs to the older ${claimed}; one remote has one object. Delete one of the two`,
  };
}

/** Annotation and status each restore the other; both say the same from here on. */
async function noteIdentity(turn: Turn, identity: Identity, { heal, policy }: { heal: boolean; policy: Policy }): Promise<void> {
  turn.engine.claims.claim(identity.account, identity.path, turn.object);
  if (heal || !hasFinalizer(turn.object)) await writeIdentity(turn, identity, true);
  const origin = identity.how === 'created' ? 'Created' : 'Adopted';
  if (turn.object.status?.['path'] !== undefined) turn.engine.evidence.born.delete(turn.object.metadata.uid);
  Object.assign(turn.notes, { path: identity.path, account: identity.account, origin, policy: shownPolicy(policy), intent: undefined });
}

async function missing(turn: Turn, resolved: Resolved, { identity, policy }: { identity: Identity; policy: Policy }): Promise<Outcome> {
  if (!turn.engine.evidence.wasDeleted(turn.object.metadata.uid, identity.path)) noteVanished(turn);
  const presence = await proveGone(turn, identity, 'wait');
  if (presence.is === 'present') return { is: 'Again' };
  if (presence.is === 'unsure') return presence.outcome;
  if (policy.management !== 'Manage')
    return {
      is: 'Stalled',
      reason: 'RemoteMissing',
      message: `${identity.path} is gone from the account, and this object only observes it`,
    };
  if (resolved.unresolved.length > 0)
    return {
      is: 'Waiting',
      reason: 'ReferenceNotReady',
      message: resolved.waitingFor.join('; '),
      on: resolved.waitingFor,
      recheckAfter: untilNamed(turn),
      gone: true,
    };
  return accountLimit(turn) ?? whenGone(turn, resolved.want, identity, isReplaced(turn, policy) ? 'Recreate' : policy.onMissing);
}

/** The object that a reference names wakes its dependants when it comes; a Secret is looked for (design 3.6). Each look costs three reads. */
const untilNamed = ({ engine, kind }: Turn): Duration =>
  engine.registry.sites(kind.kind).some(({ what }) => what.is === 'secret') ? minutes(5) : minutes(30);

/** An annotation that this operator did not make: it counts only where the remote carries this object's own mark. */
async function unproven(turn: Turn, resolved: Resolved, identity: Identity): Promise<Outcome> {
  const refuse: Outcome = {
    is: 'Stalled',
    reason: 'IdentityConflict',
    message: `annotation cloudhosting.dev/remote names ${identity.path}, but was not made by this operator for this object. Remove it; to take an existing remote over, write spec.adopt`,
  };
  const { connection } = turn.account;
  const below = `${collectionOf(turn.kind, resolved.want)}/`;
  if (identity.account !== connection.identity.account || !identity.path.startsWith(below) || claimedBy(turn, identity.path) !== undefined)
    return refuse;
  const known = await connection.mirror.read(identity.path, how(turn, 'wait'));
  if (known === undefined || !isOwn(turn, known.remote, resolved.want)) return refuse;
  await writeIdentity(turn, { ...identity, how: 'created' });
  return { is: 'Again' };
}
