import { accountKey, naming, objectName } from '../account/accounts.ts';
import { annotation, hasFinalizer, intentAnnotation, reconcileAtAnnotation, remoteAnnotation } from './annotations.ts';
import { proofOf } from '../identity/identify.ts';
import { anyOf, objectId, parseObjectId } from '../resolve/links.ts';
import { takeUpStop } from '../hold/vanish-stop.ts';
import type { Key, Resource } from '../ports.ts';
import type { Engine } from './turn.ts';

/** One change as the reflector saw it; an absent side means that the object was not there, or is gone. */
export interface Change {
  readonly kind: string;
  readonly key: Key;
  readonly before: Resource | undefined;
  readonly now: Resource | undefined;
  /** The answer to a write of this process. */
  readonly ours: boolean;
}

/** Level-triggered: a change only says that an object, and whoever depends on it, is worth a look. */
export function notice(engine: Engine, change: Change): void {
  const { kind, key, before, now } = change;
  engine.openCreates.note(kind, key, now);
  if (now === undefined) lost(engine, change);
  else if (before === undefined || identityOf(now) !== identityOf(before)) claim(engine, now);
  if (before === undefined && now !== undefined) takeUpStop(engine, now);
  if (now !== undefined) wake(engine, change, now);
  if (isPublic(change)) wakeDependants(engine, objectId(kind, key));
  if (selectable(before) !== selectable(now)) wakeDependants(engine, anyOf(kind, key.namespace));
}

function wake(engine: Engine, change: Change, now: Resource): void {
  const { kind, key, before } = change;
  if (before !== undefined && asksFor(before) !== asksFor(now)) engine.evidence.asked.add(now.metadata.uid);
  if (before === undefined || wishes(before) !== wishes(now) || isMeddling(change))
    engine.wake(kind, key, { urgent: before !== undefined || kind === engine.registry.connection.kind });
}

/** The account lets go when its last object has gone. */
function lost(engine: Engine, { kind, before }: Change): void {
  forget(engine, before);
  if (before !== undefined && kind !== engine.registry.connection.kind) engine.wake(engine.registry.connection.kind, accountKey(before));
}

function wakeDependants(engine: Engine, target: string): void {
  for (const id of engine.links.dependants(target)) {
    const dependant = parseObjectId(id);
    engine.wake(dependant.kind, dependant.key);
  }
}

/** Something that others may refer to: the status, who may refer to it, or that it is there at all. */
function isPublic({ before, now }: Change): boolean {
  return before === undefined || now === undefined || shown(before) !== shown(now);
}
const shown = (object: Resource): string => JSON.stringify([object.status ?? null, object.spec['allowedRefs'] ?? null]);
/** What a label selector chooses by, and what it takes of what it chose. */
const selectable = (object: Resource | undefined): string =>
  JSON.stringify([object?.metadata.labels, object?.metadata.deletionTimestamp, object?.status?.['id'], object?.status?.['account']]);
const identityOf = ({ metadata, status }: Resource): string =>
  JSON.stringify([metadata.uid, metadata.annotations ?? null, status?.['path'] ?? null]);

/** Somebody else changed what the operator writes down: what it proves is judged anew. */
const isMeddling = ({ before, now, ours }: Change): boolean => (!ours && written(before) !== written(now)) || isBereft(before, now);
/** Also the answer to a write of ours can be the first to show it: the operator never takes the name of a remote away without an intent in its place. */
const isBereft = (before: Resource | undefined, now: Resource | undefined): boolean =>
  before?.metadata.annotations?.[remoteAnnotation] !== undefined &&
  now !== undefined &&
  annotation(now, remoteAnnotation) === undefined &&
  annotation(now, intentAnnotation) === undefined;
const written = (object: Resource | undefined): string =>
  JSON.stringify([
    object !== undefined && hasFinalizer(object),
    ...[...operators].map((name) => object?.metadata.annotations?.[name] ?? null),
    object?.status ?? null,
  ]);

const asksFor = (object: Resource): string | undefined => annotation(object, reconcileAtAnnotation);

/** Spec, annotations of people, or deletion; our own writes ask for nothing. */
const wishes = ({ metadata }: Resource): string =>
  JSON.stringify([metadata.uid, metadata.generation, metadata.deletionTimestamp ?? null, people(metadata.annotations ?? {})]);
const operators = new Set(['cloudhosting.dev/remote', 'cloudhosting.dev/intent', 'cloudhosting.dev/twins']);
const people = (annotations: Readonly<Record<string, string>>): unknown =>
  Object.entries(annotations)
    .filter(([name]) => name.startsWith('cloudhosting.dev/') && !operators.has(name))
    .toSorted(([a], [b]) => a.localeCompare(b));

function claim(engine: Engine, object: Resource): void {
  if (object.kind === engine.registry.connection.kind) return;
  const proof = proofOf({ engine, name: objectName(naming(engine), object) }, object);
  if (proof.is === 'ours') engine.claims.claim(proof.identity.account, proof.identity.path, object);
  else engine.claims.release(object.metadata.uid);
}

function forget(engine: Engine, object: Resource | undefined): void {
  if (object === undefined) return;
  engine.claims.release(object.metadata.uid);
  engine.evidence.forget(object.metadata.uid);
  engine.vanishings.end(object.metadata.uid);
  engine.releases.end(object.metadata.uid);
  engine.refusals.forget(object.metadata.uid);
  engine.tickets.leave(object.metadata.uid);
  const status = object.status ?? {};
  const account = engine.accounts.get(accountKey(object));
  if (typeof status['path'] === 'string') account?.connection.mirror.disown(status['path']);
}
