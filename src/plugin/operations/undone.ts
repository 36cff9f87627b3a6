import type { Resource } from '../../engine/ports/kubernetes.ts';
import { undone } from '../../kinds/for-plugin/undone.ts';
import { mergePatch, shownName } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';

/** It would wait for the spec to change, and be done whenever somebody changes that for another reason. */
export function refuseUndone(action: string, target: Resource): void {
  const { field, says, would, instead, to } = undone[action] ?? {};
  if (field === undefined || target.spec[field] !== says) return;
  throw new CliError(3, [
    `${shownName(target)}: spec.${field} says ${says}, so the operator ${would}. Nothing was made. If the object comes from Git, change spec.${field} there`,
    `To ${to}: ${mergePatch(target, { spec: { [field]: instead } })}`,
  ]);
}
