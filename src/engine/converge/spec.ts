import type { AnyKind, Row } from '../../resource/index.ts';
import type { Outcome } from '../outcome.ts';

/** What an older CRD, or none of its rules, let through is refused here, before anything is sent. */
export function validate(kind: AnyKind, spec: Row): Outcome | undefined {
  const parsed = kind.spec.safeParse(spec);
  if (parsed.success) return undefined;
  const issues = parsed.error.issues.slice(0, 5).map((issue) => `spec.${issue.path.join('.')}: ${issue.message}`);
  return { is: 'Stalled', reason: 'InvalidSpec', message: `${issues.join('; ')}. Correct the spec; nothing was sent` };
}
