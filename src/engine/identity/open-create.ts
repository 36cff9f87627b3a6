import type { Millis } from '../../lib/clock.ts';
import type { Duration } from '../../resource/index.ts';
import type { AccountContext, ClusterContext } from '../context.ts';
import { decidedAt, type Intent } from '../model/intent.ts';
import type { Outcome } from '../model/outcome.ts';
import { called, toName } from './called.ts';
import type { Found } from './lookup.ts';

export const unknown = (intent: Intent, retryAfter: Millis, more = ''): Outcome<'Retrying'> => ({
  is: 'Retrying',
  reason: 'UnknownOutcome',
  message: `a create was sent at ${intent.attempts.at(-1)?.at} and its answer never came. The account is watched for what it made; only then is it sent again${more}`,
  retryAfter: retryAfter as Duration,
});

/** `apart`: what tells them apart. */
export const ambiguous = (context: ClusterContext, found: readonly Found[], apart = ''): Outcome => ({
  is: 'Stalled',
  reason: 'Ambiguous',
  message: `${called(context, found)} may all be the remote of this object. To have the right one ${toName(context, found, `look which one is used${apart}, delete the others in the account, and write spec.adopt: {id: <the one to keep>}`)}`,
});

/** One that is there and that nothing proves to be ours; `ours`, `theirs`: what a person may do about it. */
export const unproven = (
  context: ClusterContext,
  { attempts }: Intent,
  found: Found,
  { ours, theirs }: { readonly ours: string; readonly theirs: string },
): Outcome => ({
  is: 'Stalled',
  reason: 'Ambiguous',
  message: `a create was sent at ${attempts.at(-1)?.at} and its answer never came. ${called(context, [found])} came to be in that time and is called the same, but nothing in the account tells who made it, so it is neither changed nor deleted. Ask who did. If nobody else: ${toName(context, [found], ours)}. If it is somebody else's: ${theirs}`,
});

/** Until when a commit of the last attempt may still show up in a listing; 0 when it surely made nothing. */
export function unresolvedFor(context: AccountContext, intent: Intent): number {
  return Math.max(0, decidedAt(intent, context.engine.settings) - context.account.connection.apiNow());
}
