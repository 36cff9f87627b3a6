import type { AnyWant } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';

/** What its create needs and neither the spec nor the account says. Nothing is given up for what cannot be made. */
export function cannotBeMade({ kind, account }: ClusterContext, want: AnyWant): Outcome | undefined {
  const region = want['region'] ?? account.region;
  const lacks = kind.lacks?.(region === undefined ? want : { ...want, region });
  return lacks === undefined ? undefined : { is: 'Stalled', reason: 'InvalidSpec', message: `${lacks}. Nothing was sent` };
}
