import { annotation, approveChangeAnnotation } from '../model/annotations.ts';
import type { StatusDraft } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';

/**
 * An approval by content that is there before the object was ever looked at may have been used before: a cluster that is
 * rebuilt from Git, or a backup, brings it back. So it counts as spent.
 */
export function noteSpentApproval(object: Resource, status: StatusDraft): void {
  const value = annotation(object, approveChangeAnnotation);
  if (value === undefined || object.status?.['conditions'] !== undefined) return;
  const spent = (object.status?.['approvals'] ?? []) as readonly string[];
  if (!spent.includes(value)) status['approvals'] = [...spent, value];
}
