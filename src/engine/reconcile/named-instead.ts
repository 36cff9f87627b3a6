import { bindRemote, clearIdentity } from '../change/bind.ts';
import { isOfCollection, type ReconcileContext } from '../context.ts';
import { adopt } from '../create/adopt.ts';
import { namesAnother } from '../create/fate-of-wish.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import { isReplacing } from '../model/replacing.ts';
import { openWish } from '../model/step.ts';
import type { Resolved } from '../resolve/resolve.ts';

/**
 * A person asks for another one in place of what is gone, and the spec names it: that is taken, and none is made beside it. Asked for by
 * annotation `recreate` alone, because a manifest may go on naming for years what it adopted once. What it had is let go only as the other
 * one is taken, so that a name which matches nothing leaves the loss as it was.
 */
export async function takeNamed(context: ReconcileContext, resolved: Resolved, identity: Identity): Promise<Outcome | undefined> {
  if (!isOfCollection(context) || !isReplacing(context, identity) || !namesAnother(context, identity)) return undefined;
  if (context.engine.objectMemory.wasDeleted(context.object.metadata.uid, identity.path)) return undefined;
  const wish = openWish(context.object) ?? {};
  return adopt(context, resolved, wish, async (...found) => {
    await clearIdentity(context, identity);
    return bindRemote(...found);
  });
}
