import { minutes } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import { notForThisUser } from '../guard/account-limit.ts';
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

/** Why nothing can be deleted with this account now, whatever it is. */
export const mayNotDelete = (context: ReconcileContext, { management }: Policy, { path }: Identity): Outcome | undefined =>
  management === 'ReadOnly'
    ? onlyRead(context.account, `set spec.lifecycle.onDelete: Retain to let go of ${path} now`)
    : notForThisUser(context);
