import { approveAnnotation, confirmAnnotation } from '../../engine/model/annotations.ts';
import type { Outcome, PendingPlan } from '../../engine/model/outcome.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';

/** What a person must say yes to. */
export type Asked = Pick<PendingPlan, 'content' | 'changes'>;

interface Question {
  readonly asked: Asked;
  /** The yes, as it would be written. */
  readonly yes: Readonly<Record<string, string>>;
}

/** An operation asks by the challenge that its status shows, everything else by its plan. */
export function questionIn(outcome: Outcome | undefined, object: Resource | undefined): Question | undefined {
  if (outcome?.is !== 'Approval') return undefined;
  const { plan } = outcome;
  if (plan !== undefined) return { asked: plan, yes: { [approveAnnotation]: plan.hash } };
  const { challenge, consequences } = (object?.status ?? {}) as { readonly challenge?: string; readonly consequences?: readonly string[] };
  return challenge === undefined ? undefined : { asked: { changes: consequences ?? [] }, yes: { [confirmAnnotation]: challenge } };
}
