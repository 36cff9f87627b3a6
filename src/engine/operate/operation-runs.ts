import { own } from '../../lib/own.ts';
import { asOperation, minutes, seconds } from '../../resource/index.ts';
import type { ClusterContext, ClusterEngine, OperationContext } from '../context.ts';
import { naming, objectName } from '../model/account.ts';
import { keyOf, objectId, parseObjectId } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { isOpen, recordOf } from '../plan/operation.ts';
import type { Resource } from '../ports/index.ts';
import { type Located, namedIn, placesOf } from './target.ts';

/** Told of every object that is there, and of each change of one: what is to be done to which other, so that nobody looks for it. */
export function noteOperation({ registry, operationIndex }: Pick<ClusterEngine, 'registry' | 'operationIndex'>, object: Resource): void {
  const operates = asOperation(registry.kind(object.kind))?.operates;
  if (operates === undefined) return;
  const operated = own(operates, String(object.spec['action']));
  const { namespace } = object.metadata;
  const targets = operated === undefined ? [] : namedIn(object, operated).map(({ name }) => objectId(operated.on, { namespace, name }));
  operationIndex.set(objectId(object.kind, keyOf(object)), new Set(targets));
}

/** All that is to be done to the remote of this object. */
const operationsOn = ({ engine }: ClusterContext, { kind, metadata }: Resource): readonly Resource[] =>
  [...engine.operationIndex.dependants(objectId(kind, metadata))].flatMap((id) => {
    const one = parseObjectId(id);
    return engine.objects.get(one.kind, one.key) ?? [];
  });

const recordedOf = ({ engine, key }: ClusterContext, object: Resource) =>
  recordOf({ key, object, name: objectName(naming(engine), object) });

const waitsFor = (on: string): Outcome => ({
  is: 'Waiting',
  reason: 'Busy',
  message: `waits until ${on} has ended`,
  on: [on],
  recheckAfter: seconds(5),
});

/** While something is done to its remote the object changes nothing of it. */
export function operationRuns(context: ClusterContext): Outcome | undefined {
  for (const one of operationsOn(context, context.object))
    if (recordedOf(context, one).is === 'running') return waitsFor(`${one.kind} ${one.metadata.name}`);
  return undefined;
}

/** As wanted, and in the midst of what an operation does: what is rebooted is down for a while, and nothing of its own job need be seen yet. */
export function interrupted(context: ClusterContext): Outcome | undefined {
  for (const one of operationsOn(context, context.object)) {
    const action = String(one.spec['action']);
    const effect = own(context.kind.actions ?? {}, action)?.effect;
    if (effect === undefined || effect === 'InPlace' || recordedOf(context, one).is !== 'running') continue;
    const message = `${one.kind} ${one.metadata.name} is under way (${action}), and may have it down until that has ended`;
    return { is: 'Unsettled', message, recheckAfter: seconds(5) };
  }
  return undefined;
}

/** A job of the target: no event of it wakes this object, so it is looked at now and then, without a call. */
export function blockedByJob({ engine, account, object }: OperationContext, located: Located): Outcome | undefined {
  const { cache } = account.connection;
  // What is newer than the call can only be told by who knows what is not.
  if (cache.eventsReadAt() === undefined) return { is: 'Quiet', recheckAfter: seconds(1) };
  for (const { path } of placesOf(located)) {
    const job = cache.jobs(path).find(isOpen);
    if (job === undefined) continue;
    cache.expect(path, minutes(30));
    engine.wake(object.kind, object.metadata, { after: seconds(2) });
    return waitsFor(`event ${job.id} ${job.action} of ${path}`);
  }
  return undefined;
}

/** Other operations on the same target: those that run, and those that came first. */
export function blockedByAnother(context: OperationContext, located: Located): Outcome | undefined {
  const first = placesOf(located)
    .flatMap(({ object }) => operationsOn(context, object))
    .find((one) => goesFirst(context, one));
  return first && waitsFor(`${first.kind} ${first.metadata.name}`);
}

/** Whoever waited for it: the target itself, and those that come after it. */
export function wakeWaiting(context: OperationContext, target: Resource): void {
  context.engine.wake(target.kind, target.metadata);
  for (const one of operationsOn(context, target)) if (one.status?.['phase'] === 'Waiting') context.engine.wake(one.kind, one.metadata);
}

function goesFirst(context: OperationContext, one: Resource): boolean {
  const { object } = context;
  if (one.metadata.uid === object.metadata.uid) return false;
  const record = recordedOf(context, one);
  if (record.is === 'running') return true;
  // Of one that waits for a person, or for what is not there, nobody knows when it goes.
  const isNext = record.is === 'none' && [undefined, 'Waiting'].includes(one.status?.['phase'] as undefined);
  return isNext && orderOf(one) < orderOf(object);
}
const orderOf = ({ metadata: { creationTimestamp, uid } }: Resource): string => `${creationTimestamp} ${uid}`;
