import { type Duration, seconds } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { stillToCome } from '../identity/appearing.ts';
import type { Found } from '../identity/lookup.ts';
import { unproven, unresolvedFor } from '../identity/open-create.ts';
import { annotateCommand, recreateAnnotation } from '../model/annotations.ts';
import type { Intent } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { policyOf } from '../model/policy.ts';

export const maybeMade = (recheckAfter: Duration, more = ''): Outcome => ({
  is: 'Working',
  reason: 'UnknownOutcome',
  message: `a create was sent, and what it made is not known yet; the account is watched for that before this object may go${more}`,
  recheckAfter,
});

/** What its create may have made, or may still make; undefined: surely nothing that is not known. */
export async function mayCome(context: ReconcileContext, intent: Intent): Promise<Outcome | undefined> {
  const wait = unresolvedFor(context, intent);
  if (wait > 0) return maybeMade(seconds(Math.min(15, Math.ceil(wait / 1000))));
  return (await stillToCome(context, intent)) && maybeMade(seconds(15));
}

/** Something is there that nothing proves to be ours. Undefined: it would stay in any case, so the object may go without it. */
export function inDoubt(context: ReconcileContext, found: Found, intent: Intent): Outcome | undefined {
  const wait = unresolvedFor(context, intent);
  if (wait > 0) return maybeMade(seconds(Math.min(15, Math.ceil(wait / 1000))));
  const { management, onDelete } = policyOf(context.kind, context.object.spec, context.account, false);
  if (management === 'Observe' || onDelete === 'Retain') return undefined;
  const theirs = annotateCommand(context.object, recreateAnnotation, '<time>');
  return unproven(context, intent, found, { ours: 'delete it in the account, and this object goes', theirs });
}
