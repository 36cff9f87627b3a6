import { policyOf } from '../../engine/model/policy.ts';
import { changeText } from '../../engine/plan/approval.ts';
import type { PlanContext } from '../../engine/plan/input.ts';
import { plan } from '../../engine/plan/plan-update.ts';
import { type AnyKind, type AnyWant, readRemote, type Row } from '../../resource/index.ts';

export interface About {
  readonly kind: AnyKind;
  readonly row: Row;
  readonly now: number;
  /** Fields that its spec leaves alone. */
  readonly ignored?: readonly string[];
}

/** Why the operator would do something where the account has this row and a spec says this; undefined: it would do nothing. */
export function disagreement({ kind, row, now, ignored = [] }: About, want: AnyWant): string | undefined {
  const readable = readRemote(kind, row);
  if ('malformed' in readable) return readable.malformed;
  const step = plan(kind, want, readable.remote, contextOf(kind, now, ignored));
  if (step.do === 'nothing' || (step.do === 'wait' && !step.differs)) return undefined;
  const changes = 'changes' in step ? step.changes : [];
  if (changes.length > 0) return changes.map(changeText).join('; ');
  return 'message' in step ? step.message : `it would ${step.do}`;
}

const contextOf = (kind: AnyKind, now: number, ignoreFields: readonly string[]): PlanContext => ({
  policy: policyOf(kind, { lifecycle: { ignoreFields } }, { readOnly: false }, false),
  pending: false,
  drift: [],
  applied: () => undefined,
  jobs: [],
  now,
  catalogue: () => undefined,
  contested: [],
});
