import { type AnyKind, type AnyWant, asId, collectionOf, itemOf, minutes, readRemote, type Row, type Taken } from '../../resource/index.ts';
import type { ClusterContext } from '../context.ts';
import { isRecovering, mayAdopt as mayAdoptAny } from '../guard/recovery.ts';
import type { Claim } from '../memory/claims.ts';
import { accountKey, admission, admits, naming, objectName } from '../model/account.ts';
import { annotation, hasFinalizer, isDeleting, remoteAnnotation } from '../model/annotations.ts';
import type { Identity } from '../model/identity.ts';
import { keyOf, objectId, toldName } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { isProtecting, saysAsItIs } from '../model/policy.ts';
import type { Adopt, BoundRemote } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';
import { hasLost } from '../resolve/above.ts';
import { keyFrom } from '../resolve/named.ts';
import { proofOf } from './proof.ts';

/** For a look at a remote: with what is below it and another object's. Whatever becomes of that one wakes this one. */
export function withTaken(context: ClusterContext, path: string, want: AnyWant): AnyWant {
  const all = holdersOf(context, path);
  const id = objectId(context.kind.kind, keyOf(context.object));
  for (const { kind, key } of all) context.engine.referenceIndex.add(id, objectId(kind, key));
  const taken = [...told(context, all), ...mayComeBack(context, path)];
  return taken.length === 0 ? want : { ...want, taken };
}

/**
 * For a look at a remote: a change of it leaves as it is what is below and whose object says so, unless the spec says otherwise
 * (README: effects). Whatever becomes of those wakes this object, because it may be refused for them.
 */
export function withKept(context: ClusterContext, path: string, { want, remote }: Pick<BoundRemote, 'want' | 'remote'>): AnyWant {
  const { engine, kind, object } = context;
  const said: Record<string, unknown> = {};
  for (const [field, { beside }] of Object.entries(kind.fields)) {
    if (beside === undefined || want[field] !== undefined) continue;
    // What is asked is the change alone: nearly no object has one, and there may be many below.
    if (kind.fields[beside.with]?.read?.(remote, want) === want[beside.with]) continue;
    const kept = [...engine.objects.all(beside.kind)].filter(
      (other) => saysAsItIs(other, beside) && heldPath(context, other)?.startsWith(`${path}/`) === true,
    );
    for (const one of kept) engine.referenceIndex.add(objectId(kind.kind, keyOf(object)), objectId(one.kind, keyOf(one)));
    if (kept.length > 0) said[field] = beside.says;
  }
  return { ...want, ...said };
}

/**
 * What is below this remote, where its object has things of its own without an object, and that of another one (README: effects); and
 * what a change of it changes as well, and an object of another namespace has by now.
 * Judged by what all objects say of themselves, so that it holds from the first reconcile of a process on.
 */
export const takenBelow = (context: ClusterContext, path: string): readonly Taken[] => [
  ...told(context, holdersOf(context, path)),
  ...mayComeBack(context, path),
];

type Holder = Pick<Claim, 'kind' | 'key' | 'path'>;
const told = (context: ClusterContext, all: readonly Holder[]): readonly Taken[] =>
  all.map((holder) => ({ path: holder.path, by: toldName(context, holder) ?? 'an object of another namespace' }));

const holdersOf = (context: ClusterContext, path: string): readonly Holder[] => [
  ...holdersBelow(context, path),
  ...holdersBehind(context, path),
];

/**
 * Why a remote does not go: it would take along what an object of the same namespace protects. Another namespace has no say in what its
 * owner deletes, and what is being deleted itself holds nothing up. Whatever becomes of those that are named wakes this object.
 */
export function protectedBelow(context: ClusterContext, path: string): Outcome | undefined {
  const { engine, kind, object } = context;
  const all = engine.registry.kinds
    .filter((child) => isBelow(context, child))
    .flatMap((child) =>
      [...engine.objects.all(child.kind)].filter((other) => isProtecting(other) && other.metadata.namespace === object.metadata.namespace),
    )
    .filter((other) => isWithin(context, other, path))
    .toSorted((a, b) => (objectId(a.kind, keyOf(a)) < objectId(b.kind, keyOf(b)) ? -1 : 1));
  if (all.length === 0) return undefined;
  const named = all.slice(0, mostNamed);
  for (const one of named) engine.referenceIndex.add(objectId(kind.kind, keyOf(object)), objectId(one.kind, keyOf(one)));
  return heldFor(object, path, { named: named.map((one) => `${one.kind} ${one.metadata.name}`), more: all.length - named.length });
}
/** A cluster may have more pools than anybody reads. */
const mostNamed = 5;

/** Of what has lost its notes, and was made as its finalizer says, the spec alone tells where it is. */
function isWithin(context: ClusterContext, other: Resource, path: string): boolean {
  const held = heldPath(context, other);
  if (held !== undefined) return held.startsWith(`${path}/`);
  const ref = context.engine.registry.kind(other.kind)?.parent?.ref;
  return ref !== undefined && hasFinalizer(other) && namesAsParent(context, other, ref, path);
}

interface Inside {
  readonly named: readonly string[];
  readonly more: number;
}
function heldFor(object: Resource, path: string, { named, more }: Inside): Outcome {
  const words = more === 0 ? named : [...named, `${more} more`];
  const who = words.length === 1 ? words.join() : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
  const [are, them, have, there, both] =
    words.length === 1 ? ['is', 'it', 'has', 'there', 'both are'] : ['are', 'them', 'have', 'in each of them', 'all of it is'];
  const keeping = isDeleting(object)
    ? 'To leave all of it in the account, set spec.lifecycle.onDelete: Retain here'
    : 'To leave all of it as it is, set the spec here back';
  const message = `${who} ${are} in ${path}, which would take ${them} along, and ${have} spec.lifecycle.protect: true. ${keeping}; if that is set to false ${there}, ${both} deleted at once, for good`;
  const on = named.map((one) => `spec.lifecycle.protect of ${one}`);
  return { is: 'Waiting', reason: 'DeletionHeld', message, on, recheckAfter: minutes(30) };
}

function holdersBelow(context: ClusterContext, path: string): readonly Holder[] {
  const { engine, kind } = context;
  if (!Object.values(kind.fields).some(({ members }) => members !== undefined)) return [];
  return engine.registry.kinds.flatMap((child) =>
    isBelow(context, child)
      ? [...engine.objects.all(child.kind)].flatMap((other) => {
          const at = heldPath(context, other) ?? awaitedPath(context, child, other, path);
          const isBelowIt = at?.startsWith(`${path}/`) === true && !hasLost({ ...context, kind: child }, other, at);
          return isBelowIt ? [{ kind: other.kind, key: keyOf(other), path: at }] : [];
        })
      : [],
  );
}

export const isBelow = ({ engine, kind }: Pick<ClusterContext, 'engine' | 'kind'>, { kind: name, parent }: AnyKind): boolean =>
  engine.registry.sites(name).some(({ at, what }) => at[0] === parent?.ref && what.is === 'ref' && what.target.kind === kind.kind);

/** What it has: noted by this process a moment ago, or proven. */
function heldPath(context: ClusterContext, other: Resource): string | undefined {
  const held = context.engine.claims.of(other.metadata.uid) ?? (isBound(other) ? provenOf(context, other) : undefined);
  return held?.account === context.account.connection.identity.account ? held.path : undefined;
}
const isBound = (other: Resource): boolean => annotation(other, remoteAnnotation) !== undefined || other.status?.['path'] !== undefined;

/** What was signed for an earlier object of its name it may get back. */
function provenOf({ engine, key }: ClusterContext, other: Resource): Identity | undefined {
  const proof = proofOf({ key, name: objectName(naming(engine), other) }, other);
  return proof.is === 'ours' || (proof.is === 'unproven' && proof.genuine) ? proof.identity : undefined;
}

/** What it waits to adopt, and may: who has a remote, or has no right to take one over, holds nothing by naming it. */
function awaitedPath(context: ClusterContext, child: AnyKind, other: Resource, path: string): string | undefined {
  const { id } = (other.spec['adopt'] ?? {}) as Adopt;
  const ref = child.parent?.ref;
  if (id === undefined || ref === undefined || isDeleting(other)) return undefined;
  if (!mayAdopt(context, child, other) || !namesAsParent(context, other, ref, path)) return undefined;
  return itemOf(child, { id: plainId(child, id) }, collectionOf(child, { ...other.spec, name: '', [ref]: idIn(path) }));
}
const plainId = ({ ids }: AnyKind, id: string | number): string | number => ids?.plain?.(String(id)) ?? id;

function mayAdopt({ engine, account }: ClusterContext, child: AnyKind, other: Resource): boolean {
  const its = engine.accounts.get(accountKey(other));
  const isSame = its?.connection.identity.account === account.connection.identity.account;
  return isSame && admission(its, child, other.metadata.namespace)?.adopt === 'Any';
}

function namesAsParent({ object }: ClusterContext, other: Resource, ref: string, path: string): boolean {
  const named = other.spec[ref] as Row | undefined;
  if (named === undefined) return false;
  if (named['external'] !== undefined) return String(named['external']) === String(idIn(path));
  const { namespace, name } = keyFrom(other, named);
  return name === object.metadata.name && namespace === object.metadata.namespace && admits(object, other.metadata.namespace);
}
const idIn = (path: string) => asId(path.slice(path.lastIndexOf('/') + 1));

function holdersBehind(context: ClusterContext, path: string): readonly Holder[] {
  const { engine, account, object } = context;
  return behind(context, path).flatMap((one) => {
    const holder = engine.claims.lastHolder(account.connection.identity.account, one);
    return holder === undefined || holder.key.namespace === object.metadata.namespace ? [] : [holder];
  });
}
/** While an account recovers what no object has may be that of one which is not back yet. */
export function mayComeBack(context: ClusterContext, path: string): readonly Taken[] {
  const { engine, account } = context;
  if (!isRecovering(context)) return [];
  return behind(context, path)
    .filter((one) => engine.claims.lastHolder(account.connection.identity.account, one) === undefined)
    .map((one) => ({ path: one, by: 'an object that may still come back (spec.recover of the CloudAccount)', isOpen: true }));
}
/** What a change of it changes as well, for a namespace that has no right to all of the account. */
function behind(context: ClusterContext, path: string): readonly string[] {
  const { changesAlso } = context.kind;
  return changesAlso === undefined || mayAdoptAny(context) ? [] : (changesAlso(rowOf(context, path)) ?? []);
}

function rowOf({ account, kind }: ClusterContext, path: string): Row {
  const read = readRemote(kind, account.connection.cache.get(path)?.remote ?? {});
  return 'remote' in read ? read.remote : {};
}
