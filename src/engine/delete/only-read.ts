import { minutes } from '../../resource/index.ts';
import type { ReconcileContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';

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
