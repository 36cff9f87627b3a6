import { isUndated } from '../../../src/engine/identity/candidates.ts';
import { reconcileAtAnnotation, recreateAnnotation } from '../../../src/engine/model/annotations.ts';
import type { AnyKind, Row } from '../../../src/resource/index.ts';
import type { KubeObject } from './custom-object.ts';

/** What a person does about a create that stopped for them, who knows that nobody else has made anything. */
export interface Remedy {
  /** Merged into the object. */
  readonly patch: Row;
  /** Deleted in the account before. */
  readonly remove?: string;
}

/** A create without an answer is for a person where it is sent once, and where nothing tells whether what is there is what it made. */
export function reasonsForAPerson(kind: AnyKind, spec: Row): readonly string[] {
  // What was noted and never answered nobody sends again: whether it was done a person looks up.
  if (kind.mode === 'operation') return ['UnknownOutcome'];
  if (kind.mode !== 'collection') return [];
  const marked = kind.label !== undefined && spec[kind.label.field] === undefined;
  return [...(kind.attempts === undefined ? [] : ['UnknownOutcome']), ...(isUndated(kind) && !marked ? ['Ambiguous'] : [])];
}

/** What its message asks for; nothing where its kind leaves nothing to a person. `at`: for annotations that name a time. */
export function remedyOf(kind: AnyKind, { spec, status }: KubeObject, at: string): Remedy | undefined {
  const stalled = status?.conditions?.find((condition) => condition.type === 'Stalled' && condition.status === 'True');
  if (!remediable(kind, spec).includes(stalled?.reason ?? '')) return undefined;
  return stalled && remedyFor(stalled, at);
}

/** What is done once is never sent again: its like is another object. */
const remediable = (kind: AnyKind, spec: Row): readonly string[] => (kind.mode === 'operation' ? [] : reasonsForAPerson(kind, spec));

function remedyFor(stalled: { readonly reason: string; readonly message: string }, at: string): Remedy | undefined {
  if (stalled.reason === 'UnknownOutcome') return { patch: { metadata: { annotations: { [recreateAnnotation]: at } } } };
  const [, remove] = /(\/\S+) came to be .* delete it in the account/.exec(stalled.message) ?? [];
  if (remove !== undefined) return { remove, patch: { metadata: { annotations: { [reconcileAtAnnotation]: at } } } };
  const [, id] = /write spec\.adopt: \{id: ("[^"]*"|\d+)\}/.exec(stalled.message) ?? [];
  return id === undefined ? undefined : { patch: { spec: { adopt: { id: JSON.parse(id) as unknown } } } };
}
