import { asConnection, collectionOf, minutes, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { maxObjectsReached } from '../guard/object-quota.ts';
import { proofOf } from '../identity/proof.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { observe } from '../observe/observe.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { reconcileBound } from './bound.ts';
import { letGoText } from './let-go-text.ts';
import type { SeenHealth } from './result.ts';

/** What is always there is where the spec says; of several objects that want it, the oldest has it (README: identity). */
export async function reconcileSingleton(context: ReconcileContext, resolved: Resolved, seen: SeenHealth): Promise<Outcome> {
  const { kind, object, engine, account } = context;
  if (kind.parent !== undefined && resolved.unresolved.includes(kind.parent.ref)) return withoutParent(context, resolved);
  const identity: Identity = { account: account.connection.identity.account, path: collectionOf(kind, resolved.want), how: 'created' };
  if (asConnection(kind) !== undefined) return reconcileBound(context, resolved, { identity, heal: false, seen });
  const proof = proofOf(context, object);
  // Only what this operator wrote itself: an annotation may have come with the object.
  const full = proof.is === 'ours' ? undefined : maxObjectsReached(context);
  if (full !== undefined) return full;
  // Before it is asked who has it: an older one may come later.
  engine.claims.claim(identity.account, identity.path, object);
  const heal = proof.is !== 'ours' || proof.heal || proof.identity.path !== identity.path;
  const bound = reconcileBound(context, resolved, { identity, heal, seen });
  return bound.finally(() => engine.objectMemory.placeHeld.delete(object.metadata.uid));
}

/** Where it should be nobody can tell; whether it still is where it was is seen, and said. */
async function withoutParent(context: ReconcileContext, { waitingFor, absent, gone }: Resolved): Promise<Outcome> {
  const more = absent && { absent };
  const message = `${waitingFor.join('; ')}${letGoText(context, gone)}`;
  const waits = { is: 'Waiting', reason: 'ReferenceNotReady', message, on: waitingFor, ...more } as const;
  const proof = proofOf(context, context.object);
  const seen = proof.is === 'ours' ? await observe(context, proof.identity, false) : undefined;
  return seen !== undefined && 'missing' in seen
    ? { ...waits, recheckAfter: minutes(5), unready: true }
    : { ...waits, recheckAfter: seconds(60) };
}
