import { counted } from '../../lib/counted.ts';
import { type AnyKind, asIssued, asOperation, seconds } from '../../resource/index.ts';
import type { ClusterContext, ClusterEngine } from '../context.ts';
import { admission } from '../model/account.ts';
import {
  annotation,
  hasFinalizer,
  hasStatusOfAnother,
  intentAnnotation,
  operationAnnotation,
  remoteAnnotation,
} from '../model/annotations.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Resource } from '../ports/index.ts';
import { belongsTo } from './release-code.ts';

/** Who has all the things that it may have can still reboot one of them: what is done once is counted by itself. */
const isOnce = (kind: AnyKind): boolean => asOperation(kind) !== undefined;

function takesPlace({ objectMemory }: ClusterEngine, kind: AnyKind, object: Resource): boolean {
  if (objectMemory.placeHeld.has(object.metadata.uid)) return true;
  if (isOnce(kind)) return annotation(object, operationAnnotation) !== undefined;
  return (
    isNoted(object) ||
    [remoteAnnotation, intentAnnotation].some((name) => annotation(object, name) !== undefined) ||
    // Written before it is asked for the first time.
    (asIssued(kind) !== undefined && hasFinalizer(object))
  );
}

/** By a status of its own, which is not its owner's to take away like annotations and finalizers: what it has, or is having made. */
const isNoted = (object: Resource): boolean =>
  !hasStatusOfAnother(object) && ['path', 'intent', 'issued'].some((field) => object.status?.[field] !== undefined);

/** It is done, and only tells how it ended. */
const isOver = (kind: AnyKind, { status }: Resource): boolean => isOnce(kind) && status?.['finishedAt'] !== undefined;

function placesTaken({ engine, account, kind, object }: ClusterContext): number {
  const { namespace, uid } = object.metadata;
  let count = 0;
  for (const one of engine.registry.kinds.filter((other) => isOnce(other) === isOnce(kind)))
    for (const other of engine.objects.all(one.kind))
      if (
        other.metadata.namespace === namespace &&
        other.metadata.uid !== uid &&
        belongsTo(account, other) &&
        !isOver(one, other) &&
        takesPlace(engine, one, other)
      )
        count += 1;
  return count;
}

/** Whose places are all taken, in words; else this object has one from this moment on. */
function full(context: ClusterContext, what: (count: number) => string): string | undefined {
  const { engine, account, object, kind } = context;
  const { namespace, uid } = object.metadata;
  const limit = admission(account, kind, namespace)?.maxObjects;
  if (limit === undefined) return undefined;
  const count = placesTaken(context);
  if (count < limit) {
    engine.objectMemory.placeHeld.set(uid, true);
    return undefined;
  }
  engine.objectMemory.placeHeld.delete(uid);
  return `namespace ${namespace} has ${what(count)} in this account and CloudAccount ${account.key.name} admits ${limit} (access[].maxObjects)`;
}

/**
 * `access[].maxObjects`, asked before the first call for an object. In the same moment it takes its place (`placeHeld`), because those
 * of one namespace are worked on side by side; the caller gives the place back once something that is written holds it.
 */
export function maxObjectsReached(context: ClusterContext): Outcome | undefined {
  const why = full(context, (count) => counted(count, 'object'));
  return why === undefined
    ? undefined
    : { is: 'Stalled', reason: 'QuotaExceeded', message: `${why}. Delete some, or have the limit raised` };
}

/** The same for what is done once: the place is its own until it is over, so that it comes by itself. */
export function maxOperationsReached(context: ClusterContext): Outcome | undefined {
  const why = full(context, (count) => counted(count, 'operation that is not over', 'operations that are not over'));
  if (why === undefined) return undefined;
  const message = `waits for a place: ${why}. It goes on by itself when one is over; to have it sooner delete one, or have the limit raised`;
  return { is: 'Waiting', reason: 'Busy', message, on: [why], recheckAfter: seconds(60) };
}
