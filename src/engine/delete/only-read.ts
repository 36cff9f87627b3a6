import { madeAt, minutes } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { notForThisUser } from '../guard/account-limit.ts';
import { accountName, isRecovering, mayAdopt } from '../guard/recovery.ts';
import { mayComeBack } from '../identity/taken-below.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Policy } from '../model/policy.ts';

/** Nothing is deleted until the account may be written to again; `more`: of what, and what could be done meanwhile. */
export const onlyRead = ({ paused }: ReconcileContext['account'], more: string): Outcome => ({
  is: 'Waiting',
  reason: 'ReadOnly',
  message: `${textOf(paused)}; ${more}`,
  on: [paused === undefined ? 'spec.mode of the CloudAccount' : 'the end of the pause'],
  recheckAfter: minutes(30),
});
const textOf = (paused: string | undefined): string =>
  paused === undefined
    ? "the account's mode is ReadOnly: it is deleted when the mode is Manage again"
    : `${paused}: it is deleted when the pause is over`;

/** Why nothing can be deleted with this account now, whatever it is; or not this one yet. */
export const mayNotDelete = (context: ReconcileContext, { management }: Policy, { path }: Identity): Outcome | undefined =>
  management === 'ReadOnly'
    ? onlyRead(context.account, `set spec.lifecycle.onDelete: Retain to let go of ${path} now`)
    : (notForThisUser(context) ?? mayBeOfAnother(context, path));

/**
 * While an account recovers an object of a namespace that may not adopt can have got by its mark, or by its notes, what its namespace gave
 * away, before the object of who has it by now is back. What it made itself is its own.
 */
function mayBeOfAnother(context: ReconcileContext, path: string): Outcome | undefined {
  const { kind, object, account } = context;
  if (!isRecovering(context) || mayAdopt(context)) return undefined;
  const made = madeAt(kind, account.connection.cache.get(path)?.remote ?? {});
  const isItsOwn = made !== undefined && made >= Date.parse(object.metadata.creationTimestamp) - tolerance;
  if (isItsOwn && mayComeBack(context, path).length === 0) return undefined;
  return {
    is: 'Waiting',
    reason: 'DeletionHeld',
    message: `${accountName(context)} recovers (spec.recover), and ${path} may be what another namespace has by now, whose object is not back yet. It is deleted when spec.recover is false again. To let this object go now, and leave what it has in the account, set spec.lifecycle.onDelete: Retain`,
    on: ['spec.recover of the CloudAccount'],
    recheckAfter: minutes(30),
  };
}
/** Two servers tell the times, to the second. */
const tolerance = 2000;
