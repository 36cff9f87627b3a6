import { type AnyWant, collectionOf, itemOf } from '../../resource/index.ts';
import { bindRemote, clearIdentity } from '../change/bind.ts';
import { type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import { adopt } from '../create/adopt.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { isReplacing } from '../model/replacing.ts';
import { openWish } from '../model/step.ts';
import type { Resolved } from '../resolve/resolve.ts';

/** `spec.adopt` names one by its id, and not the one that is gone, wherever what it was in is by now; nor what was gone before that. */
export function namesAnother({ kind, object }: CollectionContext, want: AnyWant, { path }: Identity): boolean {
  const id = openWish(object)?.id;
  if (id === undefined) return false;
  const row = { ...kind.key.of(want), id: kind.ids?.plain?.(String(id)) ?? id };
  return lastOf(itemOf(kind, row, collectionOf(kind, want))) !== lastOf(path);
}
const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/**
 * A person asks for another one in place of what is gone, and the spec names it: that is taken, and none is made beside it. Asked for by
 * annotation `recreate` alone, because a manifest may go on naming for years what it adopted once. What it had is let go only as the other
 * one is taken, so that a name which matches nothing leaves the loss as it was.
 */
export async function takeNamed(context: ReconcileContext, resolved: Resolved, identity: Identity): Promise<Outcome | undefined> {
  if (!isOfCollection(context) || !isReplacing(context, identity) || !namesAnother(context, resolved.want, identity)) return undefined;
  if (context.engine.objectMemory.wasDeleted(context.object.metadata.uid, identity.path)) return undefined;
  const wish = openWish(context.object) ?? {};
  return adopt(context, resolved, wish, async (...found) => {
    await clearIdentity(context, identity);
    return bindRemote(...found);
  });
}
