import { seconds } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';

/** An account of which only deletions may be made now holds back everything else, and says why. */
export function accountLimit({ account }: Pick<ClusterContext, 'account'>): Outcome | undefined {
  if (account.limited === undefined) return undefined;
  return {
    is: 'Waiting',
    reason: 'AccountNotReady',
    message: account.limited,
    on: [`CloudAccount ${account.key.namespace}/${account.key.name}`],
    recheckAfter: seconds(60),
  };
}
