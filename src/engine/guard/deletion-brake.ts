import type { Millis } from '../../lib/clock.ts';
import { type AnyKind, asCollection, type Duration, minutes, seconds } from '../../resource/index.ts';
import type { ClusterContext, ClusterEngine } from '../context.ts';
import { actWindow, inBurst } from '../memory/deletion-counter.ts';
import type { ReadAccount } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import type { Condition } from '../model/conditions.ts';
import type { Outcome } from '../model/outcome.ts';
import { isReplaceApproved, policyOf } from '../model/policy.ts';
import type { Resource } from '../ports/index.ts';
import { isRecovering } from './recovery.ts';
import {
  beforeText,
  belongsTo,
  eventsOf,
  heldBy,
  type MassHold,
  releaseAt,
  releaseCommand,
  releasedUntil,
  type WentBefore,
} from './release-code.ts';

/** An object whose remote is to go, since when (ms since the epoch). */
interface Leaving {
  readonly object: Resource;
  readonly askedAt: Millis;
}
interface Pending {
  readonly held: readonly Leaving[];
  readonly total: number;
  /** More of them could go than the brake lets go. */
  readonly canBeHeld: boolean;
}

/** Objects of one namespace and account whose remotes are to go together with too many others, or were held before. */
function pending(engine: ClusterEngine, account: ReadAccount, namespace: string): Pending {
  const until = releasedUntil(engine, account, namespace);
  const leaving: Leaving[] = [];
  let total = 0;
  for (const [kind, object] of countedIn(engine, account, namespace)) {
    total += 1;
    if (isLeaving(engine, account, kind, object) && !isReleased(object, until))
      leaving.push({ object, askedAt: askedAt(engine, account, object) });
  }
  const { all, replaced } = engine.deletionCounter.count(account, namespace, engine.clock.now());
  // What was replaced has its object still.
  const limit = Math.max(10, (total + all - replaced) * 0.25);
  return { held: tooMany(engine, account, leaving, { limit, all }), total, canBeHeld: total + all > limit };
}

function* countedIn(engine: ClusterEngine, account: ReadAccount, namespace: string): Iterable<readonly [AnyKind, Resource]> {
  for (const kind of engine.registry.kinds) {
    if (kind.brakeExempt === true || asCollection(kind) === undefined) continue;
    for (const object of engine.objects.all(kind.kind))
      if (object.metadata.namespace === namespace && belongsTo(account, object)) yield [kind, object];
  }
}

/** It is being deleted, or an approved replacement is about to delete what it has; once that was answered, the counter has it. */
function isLeaving(engine: ClusterEngine, account: ReadAccount, kind: AnyKind, object: Resource): boolean {
  if (isDeleting(object)) return !isLetGo(engine, account, kind, object);
  // Nothing is replaced meanwhile, so none of it is under way.
  if (isRecovering({ engine, account })) return false;
  const path = object.status?.['path'];
  if (typeof path !== 'string' || engine.objectMemory.wasDeleted(object.metadata.uid, path)) return false;
  return isReplaceApproved(object, policyOf(kind, object.spec, account, false));
}

/** So long it takes at most until what is kept is let go of. */
const lettingGo = minutes(1);
/**
 * Its deletion was asked for just now, and what it has stays: a folder in which some are kept is held, or goes, by those of which nothing is
 * left. What could not be let go of by then may still be edited to be deleted with the others, and counts.
 */
function isLetGo({ clock }: ClusterEngine, account: ReadAccount, kind: AnyKind, object: Resource): boolean {
  if (clock.now() - since(object) > lettingGo) return false;
  const { management, onDelete } = policyOf(kind, object.spec, account, object.status?.['origin'] === 'Adopted');
  return management === 'Observe' || onDelete === 'Retain';
}

/** A replacement that is held counts from when its object began to differ, which its status tells the next process too. */
const askedAt = (engine: ClusterEngine, account: ReadAccount, object: Resource): Millis =>
  isDeleting(object) || wasHeld(account, object) ? since(object) : engine.clock.now();

function since({ metadata, status }: Resource): Millis {
  if (metadata.deletionTimestamp !== undefined) return Date.parse(metadata.deletionTimestamp);
  const synced = (status?.['conditions'] as readonly Condition[] | undefined)?.find(({ type }) => type === 'Synced');
  return synced?.status === 'False' ? Date.parse(synced.lastTransitionTime) : Infinity;
}

const isReleased = (object: Resource, until: Millis): boolean => since(object) <= until;

/** Held objects of this namespace that the annotation lets go, and whose status does not show it yet. */
export function releasedNow(engine: ClusterEngine, account: ReadAccount, namespace: string): readonly Resource[] {
  const until = releasedUntil(engine, account, namespace);
  if (until === -Infinity) return [];
  return [...countedIn(engine, account, namespace)].flatMap(([, object]) =>
    wasHeld(account, object) && isReleased(object, until) ? [object] : [],
  );
}

function tooMany(
  engine: ClusterEngine,
  account: ReadAccount,
  leaving: readonly Leaving[],
  { limit, all }: { readonly limit: number; readonly all: number },
): readonly Leaving[] {
  const sorted = leaving.toSorted((a, b) => a.askedAt - b.askedAt);
  const now = engine.clock.now();
  const times = sorted.map((one) => one.askedAt);
  const found = inBurst(times, limit, (end) => (now - end < actWindow ? all : 0));
  return sorted.filter(({ object }, index) => found.has(index) || wasHeld(account, object));
}

/** As its status says. */
export const wasHeld = (account: Pick<ReadAccount, 'key'>, { status }: Resource): boolean =>
  Array.isArray(status?.['waitingFor']) && status['waitingFor'].includes(heldBy(account));

/** So many are named; a namespace may have thousands. */
const mostNamed = 20;

/**
 * What of a mass deletion went before the rest of it was held. The counter knows it for ten minutes, a person comes later: so long as
 * the hold stands, the account's status keeps it. `first`: when the first of those that are held was asked for.
 */
function wentBefore(engine: ClusterEngine, account: ReadAccount, namespace: string, first: Millis): WentBefore | undefined {
  const now = engine.clock.now();
  const known = keptIn(engine, account, namespace);
  // What goes later than that is another act.
  const departed = now - first < actWindow ? engine.deletionCounter.lately(account, namespace, now) : [];
  // Whoever said yes to a replacement has another one in its place.
  const lately = departed.filter(({ replaced }) => !replaced);
  const count = Math.max(known?.count ?? 0, lately.length);
  if (count === 0) return undefined;
  if (namespace !== account.key.namespace) return { count };
  const objects = [...new Set([...(known?.objects ?? []), ...lately.flatMap(({ object }) => object ?? [])])];
  return { count: Math.max(count, objects.length), ...(objects.length > 0 && { objects: objects.slice(0, mostNamed) }) };
}

function keptIn(engine: ClusterEngine, { key }: ReadAccount, namespace: string): WentBefore | undefined {
  const held = (engine.objects.get(engine.registry.connection.kind, key)?.status?.['held'] ?? []) as readonly MassHold[];
  return held.find((hold) => hold.namespace === namespace && hold.kind === undefined)?.before;
}

/** The brake (README: deletion): a deletion of much of a namespace waits for a person, because it may be a mistake in Git. */
export function holdOf(engine: ClusterEngine, account: ReadAccount, namespace: string): MassHold | undefined {
  const { held, total } = pending(engine, account, namespace);
  if (held.length === 0) return undefined;
  const times = held.map((one) => one.askedAt);
  const release = releaseAt(namespace, Math.max(...times));
  const before = wentBefore(engine, account, namespace, Math.min(...times));
  const replaced = held.filter(({ object }) => !isDeleting(object)).length;
  const what = replaced === 0 ? 'deleted' : replaced === held.length ? 'replaced' : 'deleted or replaced';
  return {
    namespace,
    count: held.length,
    release,
    message: `${held.length} of ${total} objects of namespace ${namespace} are being ${what} at once${beforeText(before, namespace)}. To keep what they have in the account, set spec.lifecycle.onDelete: Retain on each; to let them go, by which it is deleted at once, for good: ${releaseCommand(account, release)}`,
    ...(before && { before }),
  };
}

/** Why this remote must not go now. */
export function heldRemoval({ engine, account, object, kind }: ClusterContext): Outcome | undefined {
  if (kind.brakeExempt === true) return undefined;
  const { namespace, uid } = object.metadata;
  if (isReleased(object, releasedUntil(engine, account, namespace))) engine.objectMemory.released.set(uid, true);
  const { held, canBeHeld } = pending(engine, account, namespace);
  if (!held.some((one) => one.object.metadata.uid === uid)) return canBeHeld ? notSeenAll({ engine, object }) : undefined;
  engine.wake(engine.registry.connection.kind, account.key);
  const message = waitsForPerson(account, object, engine.objectMemory.freed.get(uid));
  return { is: 'Waiting', reason: 'DeletionHeld', message, on: [heldBy(account)], recheckAfter: rarely(held.length) };
}

/**
 * Each look goes through all of the namespace. Whoever is released or edited is woken, so of many not all look in a minute; what goes with its
 * CustomResourceDefinition is woken by nothing.
 */
const rarely = (held: number): Duration => minutes(Math.min(5, Math.max(1, held / 50)));

/** Of a folder that is deleted, or of what a tool prunes, the rest is seen to be deleted by then, and nothing of it goes first. */
const gathering = seconds(5);
function notSeenAll({ engine, object }: Pick<ClusterContext, 'engine' | 'object'>): Outcome | undefined {
  const { metadata } = object;
  if (!isDeleting(object) || engine.objectMemory.released.has(metadata.uid)) return undefined;
  const early = Date.parse(metadata.deletionTimestamp ?? '') + gathering - engine.clock.now();
  // By a clock that is far behind that of Kubernetes it would wait for hours.
  if (!(early > 0) || early > minutes(1)) return undefined;
  const message = 'what else is being deleted with it is seen within 5 s: where that is much of the namespace, a person is asked first';
  return { is: 'Working', reason: 'Deleting', message, recheckAfter: early as Duration };
}

/** Without count and command: both change with each object that joins, and an object that nobody looks at again would tell old ones. */
function waitsForPerson({ key }: ReadAccount, object: Resource, freed: string | undefined): string {
  const what = isDeleting(object) ? 'deleted' : 'deleted or replaced';
  const already = freed === undefined ? '' : ` It was taken from what used it before that (${freed}), and is not given back by itself.`;
  return `it is one of many objects of namespace ${object.metadata.namespace} that are being ${what} at once, which may be a mistake, so a person has to see to it.${already} What had gone by then: ${eventsOf(object.metadata.namespace)}.${orKeep(object)} How many they are, and the command that lets them go, by which what they have is deleted at once, for good: kubectl -n ${key.namespace} get cloudaccount ${key.name} -o jsonpath='{.status.held[*].message}'`;
}

const orKeep = (object: Resource): string =>
  isDeleting(object)
    ? ' If it is a mistake, set spec.lifecycle.onDelete: Retain on the objects: then they go, and what they have stays in the account.'
    : '';
