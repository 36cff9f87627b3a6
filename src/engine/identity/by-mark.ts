import type { Millis } from '../../lib/clock.ts';
import { itemOf, madeAt } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { isRecovering, mayAdopt } from '../guard/recovery.ts';
import { intentOf } from '../model/intent.ts';
import { newSince } from './candidates.ts';
import { type Found, listing } from './lookup.ts';
import { claimedBy, isOwn } from './ownership.ts';
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

/** What bears its mark in a listing of this age, and no other object has. */
export async function markedIn(context: ClusterContext, collection: string, notBefore: Millis): Promise<readonly Found[]> {
  const rows = await listing(context, collection, notBefore);
  return rows
    .filter((row) => isOwn(context, row))
    .map((row) => ({ row, path: itemOf(context.kind, row, collection) }))
    .filter(({ path }) => claimedBy(context, path) === undefined);
}
