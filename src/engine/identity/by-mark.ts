import { madeAt } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { isRecovering, mayAdopt } from '../guard/recovery.ts';
import { intentOf } from '../model/intent.ts';
import { newSince } from './candidates.ts';
import type { Found } from './lookup.ts';
import { isOwn } from './ownership.ts';
import { adoptersOf } from './recovery.ts';

/**
 * It bears this object's mark, and that suffices here. A mark outlives a hand-over: what an earlier object of the name let go
 * may have been adopted since. So of whoever may not adopt it must have come since a create that is open of this very object.
 */
export const mayTakeByMark = (context: ClusterContext, found: Found): boolean =>
  isOwn(context, found.row) && (mayAdopt(context) || isOfOpenCreate(context, found) || isFoundAgain(context, found));

const isFoundAgain = (context: ClusterContext, found: Found): boolean => isRecovering(context) && adoptersOf(context, found).length === 0;

/** However late: nobody else makes this mark. What was there before is noted only of a counted kind. */
function isOfOpenCreate(context: ClusterContext, found: Found): boolean {
  const intent = intentOf(context);
  const made = madeAt(context.kind, found.row);
  if (intent === undefined || newSince(intent, [found]).length === 0) return false;
  return made === undefined ? context.kind.key?.enforced === 'counted' : made >= Date.parse(intent.attempts[0]?.at ?? '') - 2000;
}
