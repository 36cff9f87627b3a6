import type { Engine } from '../context.ts';
import { takeUpStop } from '../guard/mass-loss-stop.ts';
import { proofOf } from '../identity/proof.ts';
import { accountKey, naming, objectName } from '../model/account.ts';
import {
  annotation,
  hasFinalizer,
  intentAnnotation,
  isDeleting,
  marks,
  reconcileAtAnnotation,
  remoteAnnotation,
} from '../model/annotations.ts';
import { noteOperation } from '../operate/operation-runs.ts';
import { retiringOf } from '../model/replacing.ts';
import { outputTargets } from '../outputs/targets.ts';
import { anyOf, objectId, parseObjectId } from '../model/object-id.ts';
import { isProtecting } from '../model/policy.ts';
import type { Key, Resource } from '../ports/index.ts';
import { noteDeparted } from './departed.ts';
import { forgetObject } from './forget-object.ts';
import { tellLeftBehind } from './left-behind.ts';
import { noteApplied } from './note-applied.ts';

/** One change as the reflector saw it; an absent side means that the object was not there, or is gone. */
export interface WatchEvent {
  readonly kind: string;
  readonly key: Key;
  readonly before: Resource | undefined;
  readonly now: Resource | undefined;
  /** The answer to a write of this process. */
  readonly ours: boolean;
}

/** Level-triggered: a change only says that an object, and whoever depends on it, is worth a look. */
export function onWatchEvent(engine: Engine, change: WatchEvent): void {
  const { kind, key, before, now } = change;
  engine.openCreateIndex.note(kind, key, now);
  noteApplied(engine, change);
  if (now === undefined) lost(engine, change);
  else if (before === undefined || identityOf(now) !== identityOf(before)) claim(engine, now);
  noteSeeker(engine, change);
  noteSpec(engine, change);
  if (now !== undefined) wake(engine, change, now);
  if (isPublic(change)) wakeDependants(engine, objectId(kind, key));
  if (selectable(before) !== selectable(now)) wakeDependants(engine, anyOf(kind, key.namespace));
}

/** What waits since before this process began, and who may look for a remote of its own. */
function noteSeeker(engine: Engine, { kind, before, now }: WatchEvent): void {
  if (before === undefined && now !== undefined) takeUpStop(engine, now);
  if (before?.metadata.uid !== now?.metadata.uid || before?.metadata.generation !== now?.metadata.generation)
    engine.recoveries.changed(kind);
}

/** Where the outputs of the object are to go, and to what it does something. */
function noteSpec(engine: Engine, { kind, before, now }: WatchEvent): void {
  if (now === undefined || (before?.metadata.uid === now.metadata.uid && before.metadata.generation === now.metadata.generation)) return;
  engine.outputWishes.set(now, outputTargets(engine.registry.kind(kind), now) ?? []);
  noteOperation(engine, now);
}

/** Somebody wrote another `reconcile-at`; that it was taken away asks for nothing. */
const asksAnew = (before: Resource | undefined, now: Resource): boolean =>
  before !== undefined && asksFor(now) !== undefined && asksFor(before) !== asksFor(now);

function askAnew(
  { objectMemory, secretCache, configMapCache, accounts }: Engine,
  { metadata: { uid, namespace, name } }: Resource,
  ofAccount: boolean,
): void {
  objectMemory.lookAsked.set(uid, true);
  if (ofAccount) accounts.get({ namespace, name })?.connection.cache.sweepSoon();
  for (const cache of [secretCache, configMapCache]) cache.forgetIn(namespace);
}

function wake(engine: Engine, change: WatchEvent, now: Resource): void {
  const { kind, key, before } = change;
  const isAccount = kind === engine.registry.connection.kind;
  if (asksAnew(before, now)) askAnew(engine, now, isAccount);
  const chosen = isAccount && JSON.stringify(before?.metadata.labels) !== JSON.stringify(now.metadata.labels);
  if (before === undefined || chosen || wishes(before) !== wishes(now) || isMeddling(change))
    engine.wake(kind, key, { urgent: before !== undefined || isAccount });
}

/** The account lets go when its last object has gone; one that is gone itself is closed. */
function lost(engine: Engine, { kind, key, before }: WatchEvent): void {
  wakeLeaving(engine, objectId(kind, key));
  if (before !== undefined) tellLeftBehind(engine, before);
  if (before !== undefined) noteDeparted(engine, before);
  if (before !== undefined) forgetObject(engine, before, objectId(kind, key));
  if (kind === engine.registry.connection.kind) engine.wake(kind, key);
  if (before !== undefined && kind !== engine.registry.connection.kind) engine.wake(engine.registry.connection.kind, accountKey(before));
}

/** What is being deleted may have waited for who referred to it. */
function wakeLeaving(engine: Engine, gone: string): void {
  for (const id of engine.referenceIndex.targets(gone)) {
    const { kind, key } = parseObjectId(id);
    const target = engine.objects.get(kind, key);
    if (target !== undefined && isDeleting(target)) engine.wake(kind, key);
  }
}

function wakeDependants(engine: Engine, target: string): void {
  for (const id of engine.referenceIndex.dependants(target)) {
    const dependant = parseObjectId(id);
    engine.wake(dependant.kind, dependant.key);
  }
}

/** Something that others may refer to: the status, who may refer to it, or that it is there at all; and whether it holds up what it is in. */
function isPublic({ before, now }: WatchEvent): boolean {
  return before === undefined || now === undefined || shown(before) !== shown(now);
}
const shown = (object: Resource): string =>
  JSON.stringify([object.status ?? null, object.spec['allowedRefs'] ?? null, isProtecting(object)]);

/** What a label selector chooses by, and what it takes of what it chose. */
const selectable = (object: Resource | undefined): string =>
  JSON.stringify([object?.metadata.labels, object?.metadata.deletionTimestamp, object?.status?.['id'], object?.status?.['account']]);
const identityOf = ({ metadata, status }: Resource): string =>
  JSON.stringify([metadata.uid, metadata.annotations ?? null, status?.['path'] ?? null, status?.['retiring'] ?? null]);

/** Somebody else changed what the operator writes down: what it proves is judged anew. */
const isMeddling = ({ before, now, ours }: WatchEvent): boolean => (!ours && written(before) !== written(now)) || isBereft(before, now);

/** Also the answer to a write of ours can be the first to show it: the operator never takes the name of a remote away without an intent in its place. */
const isBereft = (before: Resource | undefined, now: Resource | undefined): boolean =>
  before?.metadata.annotations?.[remoteAnnotation] !== undefined &&
  now !== undefined &&
  annotation(now, remoteAnnotation) === undefined &&
  annotation(now, intentAnnotation) === undefined;
const written = (object: Resource | undefined): string =>
  JSON.stringify([
    object !== undefined && hasFinalizer(object),
    ...marks.map((name) => object?.metadata.annotations?.[name] ?? null),
    object?.status ?? null,
  ]);

const asksFor = (object: Resource): string | undefined => annotation(object, reconcileAtAnnotation);

/** Spec, annotations of people, or deletion; our own writes ask for nothing. */
const wishes = ({ metadata }: Resource): string =>
  JSON.stringify([metadata.uid, metadata.generation, metadata.deletionTimestamp ?? null, people(metadata.annotations ?? {})]);
const people = (annotations: Readonly<Record<string, string>>): unknown =>
  Object.entries(annotations)
    .filter(([name]) => name.startsWith('cloudhosting.dev/') && !marks.includes(name))
    .toSorted(([a], [b]) => a.localeCompare(b));

function claim(engine: Engine, object: Resource): void {
  if (object.kind === engine.registry.connection.kind) return;
  const name = objectName(naming(engine), object);
  const proof = proofOf({ key: engine.key, name }, object);
  const identity = proof.is === 'ours' ? proof.identity : proof.is === 'conflict' ? proof.shown : undefined;
  // What is being deleted without our finalizer has let go, whoever keeps it.
  const isThere = !isDeleting(object) || hasFinalizer(object);
  if (identity !== undefined && isThere) engine.claims.claim(identity.account, identity.path, object, proof.is === 'conflict');
  else engine.claims.release(object.metadata.uid);
  // Who is to take something over has what is on its way out beside that before.
  const retires = isThere && (proof.is === 'ours' || proof.is === 'none');
  engine.claims.retire(retires ? retiringOf({ key: engine.key, name, object }) : [], object);
}
