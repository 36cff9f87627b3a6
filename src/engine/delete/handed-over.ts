import { isOfCollection, type ReconcileContext } from '../context.ts';
import { asksFor, askersBeside } from '../identity/recovery.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
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
