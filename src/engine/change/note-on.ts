import type { ReconcileContext } from '../context.ts';
import type { JsonPatchOp, Resource } from '../ports/index.ts';

interface Note {
  readonly annotation: string;
  readonly text: string | null;
  readonly field: string;
  readonly value: unknown;
}
/** On another object, and in its status: of the two one is left, whoever writes its manifest. Answers it as it is then. */
export async function noteOn(context: ReconcileContext, other: Resource, { annotation, text, field, value }: Note): Promise<Resource> {
  const { uid, resourceVersion } = other.metadata;
  const { status } = await context.effects.patchOther(other, {
    type: 'merge',
    body: { metadata: { uid, resourceVersion, annotations: { [annotation]: text } } },
  });
  const ops: readonly JsonPatchOp[] = [
    { op: 'test', path: '/metadata/uid', value: uid },
    ...(status === undefined ? [{ op: 'add' as const, path: '/status', value: {} }] : []),
    { op: 'add', path: `/status/${field}`, value },
  ];
  return context.effects.patchOther(other, { type: 'json', ops, subresource: 'status' });
}
