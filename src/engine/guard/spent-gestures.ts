import { annotation, approveChangeAnnotation, isSeen, recreateAnnotation, spendsApproval } from '../model/annotations.ts';
import type { StatusDraft } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';

/**
 * An approval by content, or a wish for a new remote, that is there before the object was ever looked at may have been used
 * before: a cluster that is rebuilt from Git, or a backup, brings it back. So it counts as spent.
 */
export function noteSpentGestures(object: Resource, status: StatusDraft): void {
  const recreated = annotation(object, recreateAnnotation);
  if (!isSeen(object) && recreated !== undefined) status['recreated'] = recreated;
  const value = annotation(object, approveChangeAnnotation);
  const spent = (object.status?.['approvals'] ?? []) as readonly string[];
  if (spendsApproval(object) && value !== undefined && !spent.includes(value)) status['approvals'] = [...spent, value];
}

/** Value of annotation `recreate` that nothing was done about yet. */
export function freshWish({ object, status }: { readonly object: Resource; readonly status: StatusDraft }): string | undefined {
  const wish = annotation(object, recreateAnnotation);
  return wish === object.status?.['recreated'] || wish === status['recreated'] ? undefined : wish;
}
