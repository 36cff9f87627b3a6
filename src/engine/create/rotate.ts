import { counted } from '../../lib/counted.ts';
import { type AnyWant, collectionOf, type Duration, minutes, seconds } from '../../resource/index.ts';
import { type CollectionContext, isOfCollection, type ReconcileContext } from '../context.ts';
import { accountLimit } from '../guard/account-limit.ts';
import { isRecovering } from '../guard/recovery.ts';
import { idsOf } from '../identity/lookup.ts';
import type { Identity } from '../model/identity.ts';
import { type Intent, renewalOf } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { type Policy } from '../model/policy.ts';
import { endOf, mostRetiring, overlapOf, retiringOf } from '../model/replacing.ts';
import type { BoundRemote } from '../model/step.ts';
import { canonical } from '../model/values.ts';
import { cannotKeep } from '../change/outputs/keeper.ts';
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

/** Another one would be one live credential too many: it waits for the next of those that are on their way out, and nothing of it is lost. */
export function noRoomBeside(context: CollectionContext): Outcome | undefined {
  const [next, ...more] = retiringOf(context).toSorted((a, b) => endOf(a) - endOf(b));
  if (next === undefined || more.length + 1 < mostRetiring) return undefined;
  const says = `the rotation waits, because ${counted(more.length + 1, 'earlier one')} still work beside the one that is given out, which is the most. ${next.path} goes at ${next.until}, and then it goes on by itself; what is given out works meanwhile`;
  const rest = endOf(next) - context.account.connection.apiNow();
  return {
    is: 'Waiting',
    reason: 'Busy',
    message: `${says}${sooner(context)}`,
    on: [`${next.path}, which goes at ${next.until}`],
    recheckAfter: Math.max(seconds(15), Math.min(minutes(60), rest)) as Duration,
  };
}

function sooner({ object }: CollectionContext): string {
  const { kind, metadata } = object;
  if (overlapOf(object) <= minutes(60)) return '';
  const asked = canonical({ spec: { rotation: { overlapHours: 1 } } });
  return `. To have the earlier ones go within the hour: kubectl -n ${metadata.namespace} patch ${kind.toLowerCase()} ${metadata.name} --type merge -p '${asked}'`;
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
