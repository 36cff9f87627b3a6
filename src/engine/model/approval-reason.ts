import { oneLine } from '../../lib/one-line.ts';
import type { Resource } from '../ports/index.ts';
import { annotation, approveReasonAnnotation } from './annotations.ts';

/** What people read in an Event, and not an essay. */
export const longestReason = 200;

/** Bound to the value of the approval that it is given for, because the annotation may stay when that is over. */
export const approvalReason = (approval: string, text: string): string => `${approval} ${text}`;

/** Why somebody says that this value approves; undefined: for another approval, or for none. */
export function reasonFor(object: Resource, approval: string): string | undefined {
  const [first = '', ...rest] = (annotation(object, approveReasonAnnotation) ?? '').trim().split(/\s+/);
  const text = oneLine(rest.join(' '));
  return first !== approval || text === '' ? undefined : text.slice(0, longestReason);
}
