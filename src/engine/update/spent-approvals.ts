import { writeSpent } from '../change/metadata.ts';
import type { ReconcileContext } from '../context.ts';
import { annotation, spentAnnotation, spentNoted } from '../model/annotations.ts';
import { stillSpent } from '../plan/content-approval.ts';

/** Approvals by content that count no more, wherever that is noted. */
export function spentApprovals({ object, status }: Pick<ReconcileContext, 'object' | 'status'>): readonly string[] {
  return [...new Set([...spentNoted(object), ...((status['approvals'] ?? []) as readonly string[])])];
}

/** Status and annotation each restore the other, so that neither alone can come back from a backup and have an approval count twice. */
export async function keepSpent(context: ReconcileContext): Promise<void> {
  const spent = stillSpent(spentApprovals(context), context.engine.clock.now());
  const shown = (context.object.status?.['approvals'] ?? []) as readonly string[];
  if (spent.some((one) => !shown.includes(one))) context.status['approvals'] = spent;
  const text = spent.join(' ');
  if (text !== (annotation(context.object, spentAnnotation) ?? '')) await writeSpent(context, text === '' ? null : text);
}
