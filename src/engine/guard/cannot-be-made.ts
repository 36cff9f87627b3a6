import type { AnyKind, AnyWant } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import type { Outcome } from '../model/outcome.ts';

/** What its create needs and neither the spec nor the account says, or a value that is never sent. Nothing is given up for what cannot be made. */
export function cannotBeMade({ kind, account }: ClusterContext, want: AnyWant): Outcome | undefined {
  const region = want['region'] ?? account.region;
  const why = kind.lacks?.(region === undefined ? want : { ...want, region }) ?? wrongIn(kind, want);
  return why === undefined ? undefined : { is: 'Stalled', reason: 'InvalidSpec', message: `${why}. Nothing was sent` };
}

function wrongIn({ fields }: AnyKind, want: AnyWant): string | undefined {
  for (const [field, { wrong }] of Object.entries(fields)) {
    const why = want[field] === undefined ? undefined : wrong?.(want[field], want);
    if (why !== undefined) return `spec.${field}: ${why}`;
  }
  return undefined;
}
