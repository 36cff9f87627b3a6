import { wordOrQuoted } from '../../lib/quoted.ts';
import { seconds } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';

/** An account of which only deletions may be made now holds back everything else, and says why. */
export function accountLimit({ account }: Pick<ClusterContext, 'account'>): Extract<Outcome, { is: 'Waiting' }> | undefined {
  if (account.limited === undefined) return undefined;
  return {
    is: 'Waiting',
    reason: 'AccountNotReady',
    message: account.limited,
    on: [`CloudAccount ${account.key.namespace}/${account.key.name}`],
    recheckAfter: seconds(60),
  };
}

/** What a restricted user may not do at all is not asked for: an answer would read like a missing grant. */
export function notForThisUser({ kind, account }: Pick<ClusterContext, 'kind' | 'account'>): Outcome | undefined {
  const { user, restricted } = account.connection.identity;
  if (kind.scopes.unrestricted === undefined || !restricted) return undefined;
  return {
    is: 'Stalled',
    reason: 'Forbidden',
    message: `${kind.kind} is for unrestricted users alone, whatever they are granted, and ${wordOrQuoted(user)}, whose token CloudAccount ${account.key.namespace}/${account.key.name} has, is restricted. Nothing was sent. Put the token of an unrestricted user into its Secret`,
  };
}
