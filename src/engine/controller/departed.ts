import type { Engine } from '../context.ts';
import { hasFinalizer, isDeleting } from '../model/annotations.ts';
import type { Resource } from '../ports/index.ts';

/**
 * What has nothing has no finalizer, and is gone at once: what it asked for with `spec.adopt` last is remembered for those of its kind that
 * are being deleted, of which it may be one's.
 */
export function noteDeparted({ objects, objectMemory }: Pick<Engine, 'objects' | 'objectMemory'>, gone: Resource): void {
  if (gone.status?.['path'] !== undefined) return;
  for (const left of objects.all(gone.kind)) {
    if (!mayHaveAsked(gone, left)) continue;
    const { uid } = left.metadata;
    const others = (objectMemory.departed.get(uid) ?? []).filter(({ metadata }) => metadata.uid !== gone.metadata.uid);
    objectMemory.departed.set(uid, [...others, gone]);
  }
}

/** For what that one has, which was being deleted by then. One that took its wish back right before takes it back there, too. */
function mayHaveAsked({ metadata, spec }: Resource, left: Resource): boolean {
  const isLeft = left.metadata.namespace === metadata.namespace && isDeleting(left) && hasFinalizer(left);
  const { deletionTimestamp } = metadata;
  if (!isLeft || (deletionTimestamp !== undefined && deletionTimestamp < (left.metadata.deletionTimestamp ?? ''))) return false;
  return spec['adopt'] !== undefined || String(left.status?.['keptFor'] ?? '').includes(` ${metadata.uid} `);
}
