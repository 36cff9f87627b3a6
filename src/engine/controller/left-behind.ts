import type { Engine } from '../context.ts';
import { finalizer, hasFinalizer, isDeleting } from '../model/annotations.ts';
import type { Resource } from '../ports/index.ts';

/**
 * An object went without the operator: somebody took its finalizer away, and deleted it before that was put back. What it had stays, and
 * nothing else tells. `object`: as it was seen last; what is seen too late to tell how it went is passed over.
 */
export function tellLeftBehind({ registry, claims, recorder, log }: Engine, object: Resource): void {
  const { kind, metadata } = object;
  const held = claims.of(metadata.uid);
  if (held === undefined || kind === registry.connection.kind || isDeleting(object) || hasFinalizer(object)) return;
  if (!claims.has(metadata.uid) || claims.all(held.account, held.path).length > 1) return;
  const message = `${held.path} stays in the account, whatever spec.lifecycle.onDelete said: this object was deleted while its finalizer ${finalizer} was taken away, by a replace or by a person, and nothing was touched. It costs what it cost before. To have it back, apply the same manifest again, or one with spec.adopt; kubectl cloud orphans lists it`;
  recorder.event(object, { type: 'Warning', reason: 'Retained', message });
  log.info('an object went without its finalizer', { kind, namespace: metadata.namespace, name: metadata.name, path: held.path });
}
