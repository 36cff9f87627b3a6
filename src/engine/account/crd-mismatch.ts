import type { Engine } from '../context.ts';
import type { Reconciled } from '../reconcile/result.ts';

/** Kinds whose CRD is not this operator's are not written (README: kubernetes): said on the account, because it cannot be said on them. */
export function withMismatch({ crds: { mismatched } }: Engine, done: Reconciled): Reconciled {
  if (mismatched.size === 0 || done.outcome.is !== 'Synced') return done;
  const names = [...mismatched].join(', ');
  const message = `the CRDs of ${names} are not those of this operator's version, so objects of these kinds are left alone. Apply the CRDs of its version (crds/ of the release, or the chart); the operator sees it within five minutes`;
  return { ...done, outcome: { is: 'Stalled', reason: 'CRDMismatch', message } };
}
