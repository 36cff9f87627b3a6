import { type AnyCollection, asCollection, isKnownByBirth, readRemote, type Row, seconds } from '../../resource/index.ts';
import { callOptions, type ClusterContext } from '../context.ts';
import { admission } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import { isPending } from '../model/conditions.ts';
import { bornAnew } from '../model/identity.ts';
import { keyOf, nameOf, objectId, parseObjectId } from '../model/object-id.ts';
import { isPaused } from '../model/pause.ts';
import type { CachedRemote, Resource } from '../ports/index.ts';

/** References of one spec, and one reconcile after the other, share a look at it. */
const freshFor = seconds(10);

/**
 * The status of an object at which nobody looks (it is paused, its deletion is held) goes on to name what came free meanwhile, and
 * what is another team's by now. So the account is asked where another one may be of its name, or where its kind says to what it leads.
 */
export async function whyAnothers(context: ClusterContext, target: Resource): Promise<string | undefined> {
  return (await whyMadeAnew(context, target)) ?? (await whyUsedByAnother(context, target)) ?? whyLeadsElsewhere(context, target);
}

/** What another team's machine may have written to is not read by way of a copy, or of a machine of one's own. */
async function whyUsedByAnother(context: ClusterContext, target: Resource): Promise<string | undefined> {
  const { engine, account, kind, object } = context;
  const its = asCollection(engine.registry.kind(target.kind));
  const path = target.status?.['path'];
  if (its?.usedBy === undefined || typeof path !== 'string' || isDeleting(object)) return undefined;
  if (admission(account, kind, object.metadata.namespace)?.adopt === 'Any') return undefined;
  const shown = knownOf(context, target, path) ?? (await lookAt(context, its, path));
  return shown === undefined ? notThere(target) : usedByAnother(context, its, target, shown.remote);
}

function usedByAnother(context: ClusterContext, its: AnyCollection, { kind, metadata }: Resource, row: Row): string | undefined {
  const read = readRemote(its, row);
  const used = 'remote' in read ? its.usedBy?.(read.remote).find((one) => isOfOthers(context, one)) : undefined;
  return (
    used &&
    `${kind} ${metadata.name} is in use by ${used}, which belongs to an object of another namespace by now, and may hold what that wrote. Take it out of this spec; or have the owner of CloudAccount ${nameOf(context.account.key)} set spec.access[].adopt: Any for namespace ${context.object.metadata.namespace}`
  );
}

/** An object of another namespace has it, or had it a moment ago; what nobody has is no stranger's. */
function isOfOthers({ engine, account, object }: ClusterContext, path: string): boolean {
  const holder = engine.claims.lastHolder(account.connection.identity.account, path);
  return holder !== undefined && holder.key.namespace !== object.metadata.namespace;
}

async function whyMadeAnew(context: ClusterContext, target: Resource): Promise<string | undefined> {
  const its = asCollection(context.engine.registry.kind(target.kind));
  const path = target.status?.['path'];
  if (its === undefined || !isKnownByBirth(its) || isDeleting(context.object) || typeof path !== 'string') return undefined;
  const shown = knownOf(context, target, path) ?? (await lookAt(context, its, path));
  if (shown === undefined) return notThere(target);
  const another = bornAnew({ kind: its, object: target }, path, shown.remote);
  return another && `${target.kind} ${target.metadata.name}: ${another}. Name another ${target.kind}, or take it out of this spec`;
}
/** What was asked for before, of what its own object looks at, is judged by what was read last. */
function knownOf(context: ClusterContext, target: Resource, path: string): CachedRemote | undefined {
  const isAtRest =
    context.looksNow !== true && !isPending(context.object) && !isDeleting(target) && !isPaused(target, context.engine.clock.now());
  const known = context.account.connection.cache.get(path);
  return known !== undefined && (isAtRest || isFresh(context, known)) ? known : undefined;
}

/** It must lead to what this namespace has. */
async function whyLeadsElsewhere(context: ClusterContext, target: Resource): Promise<string | undefined> {
  const { engine, account, kind, object } = context;
  const { namespace } = object.metadata;
  const its = asCollection(engine.registry.kind(target.kind));
  // Nothing is taken from it any more, and its end must not wait for this.
  if (its?.leadsTo === undefined || isDeleting(object) || admission(account, kind, namespace)?.adopt === 'Any') return undefined;
  const name = `${target.kind} ${target.metadata.name}`;
  const shown = await shownNow(context, its, target);
  if (shown === undefined) return notThere(target);
  if (isAllOfNamespace(context, shown)) return undefined;
  return `${name} leads to nothing that an object of namespace ${namespace} has, as the account shows it now: it came free and may be another's, or what it was for was let go. Take it out of this spec; or end what keeps ${name} from being looked at (a pause, a deletion) and do as it says then; or have the owner of CloudAccount ${nameOf(account.key)} set spec.access[].adopt: Any for namespace ${namespace}`;
}

const notThere = ({ kind, metadata }: Resource): string =>
  `${kind} ${metadata.name} is not in the account as its status has it. It is used once it was looked at again: end its pause, if it has one`;

/** The same in the tick of a call, by what was read last: what had the address may have gone since, and the address with it. */
export function whyAnothersByNow(context: ClusterContext, want: Row): string | undefined {
  const { engine, account, kind, object } = context;
  if (admission(account, kind, object.metadata.namespace)?.adopt === 'Any') return undefined;
  const lost = engine.referenceIndex.targets(objectId(kind.kind, keyOf(object))).find((id) => isAnothersByNow(context, id, want));
  return lost === undefined ? undefined : `${nameOf(parseObjectId(lost).key)} may lead to another's by now`;
}

/** What was found to be another's before is not in what is wanted, and holds up nothing else that is. */
function isAnothersByNow(context: ClusterContext, id: string, want: Row): boolean {
  const { engine, account } = context;
  const { kind, key } = parseObjectId(id);
  const target = engine.objects.get(kind, key);
  const its = asCollection(engine.registry.kind(kind));
  if (its?.leadsTo === undefined || target === undefined || !names(want, String(target.status?.['id']))) return false;
  const row = account.connection.cache.get(String(target.status?.['path']))?.remote;
  const told = row && leadsTo(its, row, target.status);
  return told === undefined || !isAllOfNamespace(context, told);
}
const names = (value: unknown, id: string): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some((one) => names(one, id)) : String(value) === id;

const isAllOfNamespace = (context: ClusterContext, paths: readonly string[]): boolean =>
  paths.length > 0 && paths.every((path) => isOfNamespace(context, path));

/** Paths of what it leads to; undefined: it is not there, or that is not told. */
async function shownNow(context: ClusterContext, kind: AnyCollection, { status }: Resource): Promise<readonly string[] | undefined> {
  const path = status?.['path'];
  if (typeof path !== 'string') return undefined;
  const known = context.account.connection.cache.get(path);
  const told = known !== undefined && isFresh(context, known) ? leadsTo(kind, known.remote, status) : undefined;
  if (told !== undefined) return told;
  const live = await lookAt(context, kind, path);
  return live && leadsTo(kind, live.remote, status);
}

/** A listing may show what was a minute ago. */
const isFresh = ({ engine }: ClusterContext, { source, readAt }: CachedRemote): boolean =>
  source !== 'sweep' && engine.clock.monotonic() - readAt < freshFor;
const lookAt = (context: ClusterContext, kind: AnyCollection, path: string): Promise<CachedRemote | undefined> =>
  context.account.connection.cache.read(path, kind, callOptions(context, 'edit'));

/** Status may name by its id something else than its path leads to. */
function leadsTo(kind: AnyCollection, row: Row, status: Row | undefined): readonly string[] | undefined {
  const read = readRemote(kind, row);
  if ('malformed' in read || String(kind.id?.(read.remote) ?? read.remote['id']) !== String(status?.['id'])) return undefined;
  return kind.leadsTo?.(read.remote);
}

/** What is being deleted is its object's until that is proven, and gone before. */
function isOfNamespace({ engine, account, object }: ClusterContext, path: string): boolean {
  const holder = engine.claims.holder(account.connection.identity.account, path);
  if (holder?.key.namespace !== object.metadata.namespace) return false;
  return !engine.objectMemory.wasDeleted(holder.uid, path);
}
