import { type Duration, seconds } from '../../resource/index.ts';
import { isOfCollection, type ReconcileContext } from '../context.ts';
import { asksFor, askersBeside } from '../identity/recovery.ts';
import { reasonOf } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import { keyOf, objectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Policy } from '../model/policy.ts';
import type { Retention } from '../model/step.ts';
import { observe } from '../observe/observe.ts';
import type { Resource } from '../ports/index.ts';

type HandedOver = { readonly to?: Resource } | { readonly outcome: Outcome };
/**
 * To the object of the same namespace that asks for this very remote with `spec.adopt`, and may have it. A tool that applies Git makes
 * what was renamed first, and prunes last: of the two wishes the one that takes nothing away counts. To none of another namespace,
 * because who has something deleted leaves it to nobody.
 */
export async function handedOver(context: ReconcileContext, identity: Identity): Promise<HandedOver> {
  const { engine, object } = context;
  if (!isOfCollection(context) || engine.objectMemory.wasDeleted(object.metadata.uid, identity.path)) return {};
  const askers = askersBeside(context);
  if (askers.length === 0) return {};
  const seen = await observe(context, identity, true);
  if (!('remote' in seen)) return 'outcome' in seen ? { outcome: seen.outcome } : {};
  const to = askers.find((other) => asksFor(context, other, { row: seen.remote, path: identity.path }));
  return to === undefined ? {} : { to };
}

/** What stays anyway is let go of at once. */
export function toTheOther(context: ReconcileContext, { onDelete }: Policy, identity: Identity, to: Resource): Retention {
  const early = onDelete === 'Retain' ? undefined : notTakenYet(context, identity, to);
  return early === undefined ? { do: 'retain', to } : { do: 'say', outcome: early };
}

/** What is deleted together is seen to be deleted by then, whichever comes first. */
const together = seconds(3);
/**
 * Why it is not handed over yet: who asks for it may be about to be deleted, too, or waits for something else than this object. Let go of
 * before that one takes it, the remote would be nobody's where it never does.
 */
function notTakenYet(context: ReconcileContext, { path }: Identity, to: Resource): Outcome | undefined {
  const { engine, object } = context;
  const name = `${to.kind} ${to.metadata.name}`;
  const early = Date.parse(object.metadata.deletionTimestamp ?? '') + together - engine.clock.now();
  if (early > 0)
    return { is: 'Working', reason: 'Deleting', message: `${path} is about to be handed over to ${name}`, recheckAfter: early as Duration };
  const reason = reasonOf(to, 'Synced');
  if (reason === 'AlreadyClaimed') return undefined;
  engine.referenceIndex.add(objectId(object.kind, keyOf(object)), objectId(to.kind, keyOf(to)));
  const why = reason === undefined ? 'nobody has looked at that one yet' : `that one is ${reason}`;
  return {
    is: 'Waiting',
    reason: 'ReferenceNotReady',
    message: `${name} asks for ${path} with spec.adopt, and cannot take it yet: ${why}. It is handed over as soon as it can. To have it deleted after all, delete ${name}, or take spec.adopt out of that`,
    on: [name],
    recheckAfter: seconds(30),
  };
}
