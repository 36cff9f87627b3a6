import type { Millis } from '../../lib/clock.ts';
import { asCollection, minutes, parentOfItem } from '../../resource/index.ts';
import type { ClusterContext, ClusterEngine } from '../context.ts';
import type { Measure } from '../memory/loss-counter.ts';
import { type ReadAccount, accountKey } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Condition } from '../model/conditions.ts';
import type { Identity } from '../model/identity.ts';
import type { Outcome } from '../model/outcome.ts';
import type { Job, Resource } from '../ports/index.ts';
import { belongsTo, type MassHold, lostBy, nameOf, releaseAt, releaseCommand, releasedUntil } from './release-code.ts';
import { counted } from '../../lib/counted.ts';

/** Where losses count: a kind in the account, or in one namespace of it. */
interface Place {
  readonly kind: string;
  readonly namespace?: string;
}
const idOf = ({ key }: Pick<ReadAccount, 'key'>, place: Place): string => `${key.namespace}/${key.name} ${nameOf(place)}`;
const inAccount = ({ kind }: Resource): Place => ({ kind });
const inNamespace = ({ kind, metadata: { namespace } }: Resource): Place => ({ kind, namespace });

/**
 * A remote cannot be found, and neither we nor a person who asked for a new one are the reason. Of the account it says
 * something only where status has shown the remote: annotations of what went long ago can be put back by anybody.
 */
export function noteLoss(context: ClusterContext, identity: Identity): void {
  const { engine, account, object } = context;
  const { uid, namespace } = object.metadata;
  if (engine.objectMemory.released.has(uid) || isTakenByParent(context, identity)) return;
  const loss = { at: engine.clock.monotonic(), from: namespace };
  const places = object.status?.['id'] === undefined ? [inNamespace(object)] : [inAccount(object), inNamespace(object)];
  for (const place of places) engine.lossCounter.note(idOf(account, place), uid, loss);
}

/** Our own DELETE of what it is below took it along, or something that our user had done to that. */
function isTakenByParent(context: ClusterContext, identity: Identity): boolean {
  const { kind, engine, account } = context;
  if (kind.parent === undefined) return false;
  const parent = { ...identity, path: parentOfItem(kind, identity.path) };
  const holder = engine.claims.holder(parent.account, parent.path);
  if (engine.claims.isGone(parent) || (holder !== undefined && engine.objectMemory.wasDeleted(holder.uid, parent.path))) return true;
  return kind.goesWithParent === true && erasedBy(context, parent.path)?.user === account.connection.identity.user;
}

/** What an object asked for erased all that is in what has this path, since this object is there. */
export function erasedBy({ engine, account, object }: ClusterContext, path: string): Job | undefined {
  const erasing = engine.registry.kinds.flatMap(({ actions = {} }) =>
    Object.values(actions).flatMap(({ effect, jobs }) => (effect === 'Rebuild' ? jobs : [])),
  );
  const since = Date.parse(object.metadata.creationTimestamp);
  return account.connection.cache
    .followed(path)
    .findLast(({ action, status, created }) => erasing.includes(action) && status === 'finished' && Date.parse(`${created}Z`) >= since);
}

/** Its remote is proven to be lost, and another one is about to be made, which no person has asked for. */
export function noteRecreated({ engine, object }: ClusterContext): void {
  const { uid } = object.metadata;
  if (!engine.objectMemory.released.has(uid)) engine.lossCounter.remade(uid);
}

/** Called when an object is first seen. Its status says that it had a remote and waits: so a stop outlives the process that saw the loss. */
export function takeUpStop({ lossCounter }: ClusterEngine, object: Resource): void {
  const account = { key: accountKey(object) };
  if (isDeleting(object) || object.status?.['path'] === undefined) return;
  for (const place of [inAccount(object), inNamespace(object)])
    if (waitsIn(account, object, place)) lossCounter.stand(idOf(account, place), object.metadata.uid);
}
const waitsIn = (account: Pick<ReadAccount, 'key'>, { status }: Resource, { namespace }: Place): boolean =>
  Array.isArray(status?.['waitingFor']) && status['waitingFor'].includes(lostBy(account, namespace));
const waitsFor = (account: Pick<ReadAccount, 'key'>, object: Resource): boolean =>
  [inAccount(object), inNamespace(object)].some((place) => waitsIn(account, object, place));

/** When its remote was first missed, or when it first waited, ms since the epoch. */
function missedAt({ status }: Resource): Millis | undefined {
  const synced = (status?.['conditions'] as readonly Condition[] | undefined)?.find(({ type }) => type === 'Synced');
  return synced?.status === 'False' ? Date.parse(synced.lastTransitionTime) : undefined;
}

/** Let go by the annotation on the account: what had been missed by then, and nothing later. */
function isReleased(engine: ClusterEngine, account: ReadAccount, object: Resource): boolean {
  if (engine.objectMemory.released.has(object.metadata.uid)) return true;
  const until = [inAccount(object), inNamespace(object)].map((place) => releasedUntil(engine, account, nameOf(place)));
  return waitsFor(account, object) && (missedAt(object) ?? Infinity) <= Math.max(...until);
}

/**
 * Of the account, no other namespace than its own counts for more than all the rest together: what happened to one team,
 * beside what goes missing on any day elsewhere, is that team's matter.
 */
const weigh =
  ({ key }: ReadAccount, place: Place): Measure['weigh'] =>
  (losses) => {
    const all = [...losses.values()].reduce((a, b) => a + b, 0);
    if (place.namespace !== undefined) return all;
    const most = Math.max(0, ...[...losses].map(([namespace, count]) => (namespace === key.namespace ? 0 : count)));
    return Math.min(most, all - most) + all - most;
  };

function lost(engine: ClusterEngine, account: ReadAccount, place: Place): readonly Resource[] {
  if (!engine.lossCounter.has(idOf(account, place))) return [];
  const mine = [...engine.objects.all(place.kind)].filter(
    (object) => belongsTo(account, object) && (place.namespace ?? object.metadata.namespace) === object.metadata.namespace,
  );
  const measure = { total: mine.length, weigh: weigh(account, place), now: engine.clock.monotonic() };
  const uids = engine.lossCounter.stopped(idOf(account, place), measure);
  return mine.filter((object) => uids.has(object.metadata.uid) && !isReleased(engine, account, object));
}

/** Many things of one kind vanishing at once is somebody's accident, or ours: none is made before a person has looked (README: loss). */
export function massLossStop(context: ClusterContext): Outcome | undefined {
  const { engine, account, kind, object } = context;
  if (isReleased(engine, account, object)) {
    engine.objectMemory.released.set(object.metadata.uid, true);
    const { namespace } = object.metadata;
    engine.lossCounter.looked(idOf(account, inNamespace(object)));
    engine.lossCounter.looked(idOf(account, inAccount(object)), waitsIn(account, object, inAccount(object)) ? undefined : namespace);
    return undefined;
  }
  const place = [inAccount(object), inNamespace(object)].find((one) => lost(engine, account, one).length > 0);
  if (place === undefined) return undefined;
  engine.wake(engine.registry.connection.kind, account.key);
  const where = place.namespace === undefined ? '' : ` of namespace ${place.namespace}`;
  return {
    is: 'Waiting',
    reason: 'DeletionHeld',
    message: `nothing is deleted here: what too many objects of kind ${kind.kind}${where} had in the account vanished within ten minutes, and none is made, or made anew, until a person has looked. CloudAccount ${account.key.namespace}/${account.key.name} shows in status.held how many wait, and how to let them be made anew`,
    on: [lostBy(account, place.namespace)],
    recheckAfter: minutes(1),
    unready: true,
  };
}

/** A stop of the whole account covers those of its namespaces. */
function placesHeld(engine: ClusterEngine, account: ReadAccount, kind: string): readonly Place[] {
  if (lost(engine, account, { kind }).length > 0) return [{ kind }];
  const all = [...engine.objects.all(kind)].filter((object) => belongsTo(account, object));
  const namespaces = new Set(all.map(({ metadata }) => metadata.namespace));
  return [...namespaces].toSorted().map((namespace) => ({ kind, namespace }));
}

export const massLossStops = (engine: ClusterEngine, account: ReadAccount): readonly MassHold[] =>
  engine.registry.kinds
    .filter((kind) => asCollection(kind) !== undefined)
    .flatMap(({ kind }) => placesHeld(engine, account, kind))
    .flatMap((place) => holdFor(engine, account, place) ?? []);

/** Objects that the annotation lets be made anew, and that still wait. */
export const recreatedNow = (engine: ClusterEngine, account: ReadAccount): readonly Resource[] =>
  engine.registry.kinds.flatMap(({ kind }) =>
    [...engine.objects.all(kind)].filter(
      (object) => belongsTo(account, object) && !isDeleting(object) && waitsFor(account, object) && isReleased(engine, account, object),
    ),
  );

function holdFor(engine: ClusterEngine, account: ReadAccount, place: Place): MassHold | undefined {
  const objects = lost(engine, account, place);
  if (objects.length === 0) return undefined;
  const release = releaseAt(nameOf(place), Math.max(...objects.map((object) => missedAt(object) ?? engine.clock.now())));
  const names = objects.slice(0, 5).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
  return {
    ...place,
    count: objects.length,
    release,
    message: `what ${counted(objects.length, 'object')} of kind ${place.kind} had in the account is gone (${names.join(', ')}${objects.length > names.length ? ', ...' : ''}). Look what removed it; to have new ones made, empty: ${releaseCommand(account, release)}`,
  };
}
