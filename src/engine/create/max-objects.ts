import { admission } from '../account/accounts.ts';
import { annotation, intentAnnotation, remoteAnnotation } from '../run/annotations.ts';
import { belongsTo } from '../hold/hold.ts';
import type { Outcome } from '../outcome.ts';
import type { Resource } from '../ports.ts';
import type { Turn } from '../run/turn.ts';

const takesPlace = (object: Resource, making: ReadonlySet<string>): boolean =>
  making.has(object.metadata.uid) ||
  object.status?.['id'] !== undefined ||
  annotation(object, remoteAnnotation) !== undefined ||
  annotation(object, intentAnnotation) !== undefined;

function placesTaken({ engine, account, object }: Turn): number {
  const { namespace, uid } = object.metadata;
  let count = 0;
  for (const { kind } of engine.registry.kinds)
    for (const other of engine.objects.all(kind))
      if (
        other.metadata.namespace === namespace &&
        other.metadata.uid !== uid &&
        belongsTo(account, other) &&
        takesPlace(other, engine.evidence.making)
      )
        count += 1;
  return count;
}

/**
 * `access[].maxObjects`, asked when one more is about to be made or adopted. In the same moment this object takes its place
 * (`evidence.making`), because creates of one namespace run side by side; the caller gives the place back.
 */
export function maxObjectsReached(turn: Turn): Outcome | undefined {
  const { engine, account, object, kind } = turn;
  const { namespace, uid } = object.metadata;
  const limit = admission(account, kind, namespace)?.maxObjects;
  if (limit === undefined) return undefined;
  const count = placesTaken(turn);
  if (count < limit) {
    engine.evidence.making.add(uid);
    return undefined;
  }
  return {
    is: 'Stalled',
    reason: 'QuotaExceeded',
    message: `namespace ${namespace} has ${count} objects in this account and CloudAccount ${account.key.name} admits ${limit} (access[].maxObjects). Delete some, or have the limit raised`,
  };
}
