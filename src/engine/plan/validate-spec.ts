import { type AnyKind, isIdOf, numberId, type Row } from '../../resource/index.ts';
import type { Outcome } from '../model/outcome.ts';

/** What an older CRD, or none of its rules, let through is refused here, before anything is sent. */
export function validate(kind: AnyKind, spec: Row): Outcome | undefined {
  const { issues = [] } = kind.spec.safeParse(spec).error ?? {};
  const wrong = [...issues.map((issue) => `spec.${issue.path.join('.')}: ${issue.message}`), ...adoptId(kind, spec)];
  if (wrong.length === 0) return undefined;
  return { is: 'Stalled', reason: 'InvalidSpec', message: `${wrong.slice(0, 5).join('; ')}. Correct the spec; nothing was sent` };
}

/** Every kind has it, so the spec of none knows it. */
function adoptId({ ids = numberId }: AnyKind, { adopt }: Row): readonly string[] {
  const id = (adopt as Row | undefined)?.['id'];
  return id === undefined || isIdOf(ids, id) ? [] : [`spec.adopt.id: ${ids.says}`];
}
