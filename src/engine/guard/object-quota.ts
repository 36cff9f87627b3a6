import type { ClusterContext, ClusterEngine } from '../context.ts';
import { admission } from '../model/account.ts';
import { annotation, intentAnnotation, remoteAnnotation } from '../model/annotations.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';
import { belongsTo } from './release-code.ts';
import { counted } from '../../lib/counted.ts';

const takesPlace = ({ objectMemory }: ClusterEngine, object: Resource): boolean =>
  objectMemory.placeHeld.has(object.metadata.uid) ||
  object.status?.['id'] !== undefined ||
  annotation(object, remoteAnnotation) !== undefined ||
  annotation(object, intentAnnotation) !== undefined;

function placesTaken({ engine, account, object }: ClusterContext): number {
  const { namespace, uid } = object.metadata;
  let count = 0;
  for (const { kind } of engine.registry.kinds)
    for (const other of engine.objects.all(kind))
      if (other.metadata.namespace === namespace && other.metadata.uid !== uid && belongsTo(account, other) && takesPlace(engine, other))
        count += 1;
  return count;
}

/**
 * `access[].maxObjects`, asked when one more is about to be made or adopted. In the same moment this object takes its place
 * (`placeHeld`), because creates of one namespace run side by side; the caller gives the place back.
 */
export function maxObjectsReached(context: ClusterContext): Outcome | undefined {
  const { engine, account, object, kind } = context;
  const { namespace, uid } = object.metadata;
  const limit = admission(account, kind, namespace)?.maxObjects;
  if (limit === undefined) return undefined;
  const count = placesTaken(context);
  if (count < limit) {
    engine.objectMemory.placeHeld.set(uid, true);
    return undefined;
  }
  return {
    is: 'Stalled',
    reason: 'QuotaExceeded',
    message: `namespace ${namespace} has ${counted(count, 'object')} in this account and CloudAccount ${account.key.name} admits ${limit} (access[].maxObjects). Delete some, or have the limit raised`,
  };
}
