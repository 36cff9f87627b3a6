import { type AnyWant, collectionOf } from '../../resource/index.ts';
import { type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { isRecovering } from '../guard/recovery.ts';
import { idsOf } from '../identity/lookup.ts';
import type { Identity } from '../model/identity.ts';
import { type Intent, renewalOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { type Policy } from '../model/policy.ts';
import type { BoundRemote } from '../model/step.ts';
import { cannotKeep } from '../change/output-writer.ts';
import { withTicket } from '../change/create-permit.ts';
import type { Resolved } from '../resolve/resolve.ts';
import { forgetIntent, inTurn, notKeptBefore, recordMade, resolveUnknown, send } from './create.ts';
import { lookUp } from './unknown-outcome.ts';

/**
 * Makes another remote beside the one that the object has, which is the object's until the new one is known and what it tells is
 * in the Secret (README: rotation).
 */
export async function makeAnother(context: CollectionContext, want: AnyWant, { identity, remote }: BoundRemote): Promise<Outcome> {
  const key = keyOf(context, want);
  const intent: Intent = { key, before: idsOf([{ row: remote, path: identity.path }]), attempts: [], renews: identity.path };
  return inTurn(
    context,
    key,
    async () =>
      notKeptBefore(context, want) ??
      (await cannotKeep(context)) ??
      (await withTicket(context, want, key.in, (permit) => send(context, permit, want, intent))),
  );
}

const keyOf = ({ kind }: CollectionContext, want: AnyWant): Intent['key'] => ({ in: collectionOf(kind, want), is: kind.key.of(want) });

/** One was begun, and what came of it is not written down: it is brought to its end before anything else. */
export async function endRenewal(
  context: ReconcileContext,
  { want, unresolved }: Resolved,
  { identity, policy }: { readonly identity: Identity; readonly policy: Policy },
): Promise<Outcome | undefined> {
  if (!isOfCollection(context)) return undefined;
  const intent = renewalOf(context, identity);
  if (intent === undefined) return undefined;
  const made = context.engine.objectMemory.made.get(context.object.metadata.uid);
  if (made !== undefined && made.identity.path !== identity.path) return recordMade(context, made.identity, intent);
  const mayMake = policy.management === 'Manage' && unresolved.length === 0 && accountLimit(context) === undefined;
  if (mayMake && !isRecovering(context))
    return inTurn(context, intent.key, () => resolveUnknown(context, want, intent, keyOf(context, want)));
  return (await lookUp(context, want, intent)) ?? forgetIntent(context, intent);
}
