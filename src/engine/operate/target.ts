import { own } from '../../lib/own.ts';
import {
  type Acted,
  type Action,
  type AnyKind,
  type AnyWant,
  type Given,
  type Operated,
  readRemote,
  type Row,
  seconds,
} from '../../resource/index.ts';
import { callOptions, type ClusterContext, type OperationContext } from '../context.ts';
import { claimedBy } from '../identity/ownership.ts';
import { proofOf } from '../identity/proof.ts';
import { accountKey, admission, naming, objectName } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import { nameOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { isPaused } from '../model/pause.ts';
import { policyOf } from '../model/policy.ts';
import { withLastJobs } from '../observe/last-jobs.ts';
import type { CachedRemote, Lane, Resource } from '../ports/index.ts';
import { resolve, type Resolved } from '../resolve/resolve.ts';

/** A remote with the object that has it. */
export interface Place {
  readonly object: Resource;
  /** As people say it: `CloudInstance web`. */
  readonly name: string;
  readonly path: string;
  /** Of the operation, that names it. */
  readonly field: string;
  /** As whose reconcile it is looked at. */
  readonly as: ClusterContext;
}
/** What is done, and the remote to which it is done. */
export interface Located extends Place {
  readonly kind: AnyKind;
  readonly action: Action<Row, AnyWant>;
  readonly given: Given;
  /** What changes in place of the target. */
  readonly onto?: Place | undefined;
}
/** Everything that must not change or be changed meanwhile, the target first. */
export const placesOf = (located: Located): readonly [Place, ...Place[]] => [
  located,
  ...(located.onto === undefined ? [] : [located.onto]),
];

export interface Target extends Located {
  /** As it was read just now. */
  readonly row: Row;
  readonly ontoRow: Row | undefined;
  readonly acted: Acted<Row, AnyWant>;
}
interface Unfit {
  readonly outcome: Outcome;
}

/** What the spec names, and the field that does. */
interface Named {
  readonly field: string;
  readonly name: string;
}
interface Asked extends Operated {
  readonly kind: AnyKind;
  readonly action: Action<Row, AnyWant>;
  /** The target first; `object` is undefined where it is not there. */
  readonly named: readonly (Named & { readonly object: Resource | undefined })[];
}
/** What the spec of an operation asks for, as far as this operator knows it: only objects of the same namespace. */
export function askedBy({ engine, kind, object }: OperationContext): Asked | undefined {
  const name = String(object.spec['action']);
  const operated = own(kind.operates, name);
  const on = operated && engine.registry.kind(operated.on);
  const action = on && own(on.actions ?? {}, name);
  if (operated === undefined || on === undefined || action === undefined) return undefined;
  const { namespace } = object.metadata;
  const named = namedIn(object, operated).map((one) => ({ ...one, object: engine.objects.get(on.kind, { namespace, name: one.name }) }));
  return { ...operated, kind: on, action, named };
}
/** The target, and what changes in its place where the spec says so: whatever stands in that field, the target is not meant then. */
export const namedIn = ({ spec }: Pick<Resource, 'spec'>, { onto }: Operated): readonly Named[] =>
  ['target', onto ?? []].flat().flatMap((field) => {
    const { name } = (spec[field] ?? {}) as { readonly name?: unknown };
    return spec[field] === undefined ? [] : [{ field, name: String(name) }];
  });

/** Its parameters as the spec writes them, references too. */
export const writtenFor = ({ object: { spec } }: OperationContext, { needs = [], takes = [] }: Operated): Given =>
  Object.fromEntries([...needs, ...takes].map((field) => [field, spec[field]])) as Given;

/** Where the target and what changes in its place were when it was sent; where that is lost, as their objects say. */
export function pathsOf(context: OperationContext): readonly (string | undefined)[] {
  const named = askedBy(context)?.named ?? [];
  return noting.map((field, index) => {
    const noted = context.object.status?.[field] ?? named[index]?.object?.status?.['path'];
    return typeof noted === 'string' ? noted : undefined;
  });
}
const noting = ['targetPath', 'ontoPath'];
export function notePaths(context: OperationContext): void {
  for (const [index, path] of pathsOf(context).entries()) context.status[noting[index] ?? ''] = path;
}

/** What an operation is about: only what is proven to be the remote of an object of this namespace, and managed by it. Without a call. */
export function locate(context: OperationContext, { want, waitingFor, absent }: Resolved): Located | Unfit {
  const asked = askedBy(context);
  if (asked === undefined || waitingFor.length > 0) return notReady(waitingFor, absent);
  const { kind, action, needs = [], takes = [] } = asked;
  const places: Place[] = [];
  for (const named of asked.named) {
    const place = placeOf(context, kind, named);
    if ('outcome' in place) return place;
    places.push(place);
  }
  const [target, onto] = places;
  if (target === undefined) return notReady([]);
  if (onto?.path === target.path) return invalid(`spec.${onto.field} names the target itself: leave it out, or name another one`);
  const given = Object.fromEntries([...needs, ...takes].map((field) => [field, want[field]])) as Given;
  return { ...target, kind, action, given, onto };
}

function placeOf(context: OperationContext, kind: AnyKind, { field, name: called, object }: Asked['named'][number]): Place | Unfit {
  const name = `${kind.kind} ${called}`;
  if (object === undefined) return notReady([`spec.${field}: ${name} is not found`], true);
  const as: ClusterContext = { ...context, kind, object, name: objectName(naming(context.engine), object), status: {} };
  const path = provenPath(as);
  if (typeof path !== 'string') return notReady([`spec.${field}: ${name} ${path.lacks}`]);
  if (nameOf(accountKey(object)) !== nameOf(context.account.key))
    return invalid(`spec.accountRef: ${name} is of another CloudAccount: name the same one`);
  const refused = notAdmitted(as);
  if (refused !== undefined) return notReady([`spec.${field}: ${name} ${refused}`]);
  return { object, name, path, field, as };
}

/** What the account no longer lets this namespace have it does not let it operate on either. */
function notAdmitted({ account, kind, object: { metadata } }: ClusterContext): string | undefined {
  return admission(account, kind, metadata.namespace) === undefined
    ? `is of a kind that CloudAccount ${nameOf(account.key)} no longer admits in namespace ${metadata.namespace}. Its owner must name ${kind.kind} for that namespace in spec.access[].kinds, or delete this object`
    : undefined;
}

/** The same with what the account has now. */
export async function readTarget(context: OperationContext, located: Located): Promise<Target | Unfit> {
  const target = await readPlace(context, located, located);
  if ('outcome' in target) return target;
  const onto = located.onto && (await readPlace(context, located, located.onto));
  if (onto !== undefined && 'outcome' in onto) return onto;
  const inner = await innerOf(context, located);
  const beside = await besideOf(context, located, target);
  const more = { inner, onto: onto?.acted, beside, called: (path: string) => calledHere(context, path) };
  return { ...located, row: target.row, ontoRow: onto?.row, acted: { ...target.acted, ...more } };
}

type Read = Pick<Target, 'row' | 'acted'>;
async function readPlace(context: OperationContext, { kind, action }: Located, { path, name, field, as }: Place): Promise<Read | Unfit> {
  const { want, waitingFor } = await resolve(as);
  if (action.wholeSpec === true && waitingFor.length > 0) return notReady(waitingFor.map((text) => `spec.${field}: ${text}`));
  const seen = await readWhole(context, { path, kind, parts: action.parts }, 'edit');
  if (seen === undefined) return notReady([`spec.${field}: ${path} is not in the account`]);
  const read = readRemote(kind, seen.remote);
  if ('malformed' in read) return { outcome: { is: 'Retrying', reason: 'Unreachable', message: `${path}: ${read.malformed}` } };
  const told = withLastJobs(as, { path }, want, read.remote);
  return { row: seen.remote, acted: { path, name, remote: read.remote, want: told } };
}

/** An item with these of its parts, asked for now. */
export async function readWhole(
  context: OperationContext,
  { path, kind, parts = [] }: { readonly path: string; readonly kind: AnyKind; readonly parts?: readonly string[] | undefined },
  lane: Lane,
): Promise<CachedRemote | undefined> {
  const { cache } = context.account.connection;
  const how = callOptions(context, lane);
  const known = await cache.read(path, kind, how);
  if (known === undefined) return undefined;
  for (const part of parts) await cache.readPart(path, part, how);
  return cache.get(path) ?? known;
}

const innerOf = (context: OperationContext, { action, path, given }: Located): Promise<Row | undefined> =>
  action.inner === undefined
    ? Promise.resolve(undefined)
    : context.account.connection.cache.look(action.inner(path, given), callOptions(context, 'edit'));

async function besideOf(context: OperationContext, { action, given }: Located, { acted }: Read): Promise<Record<string, Row | undefined>> {
  const { cache } = context.account.connection;
  const paths = action.beside?.(acted.remote, given) ?? [];
  const rows = await Promise.all(paths.map(async (path) => [path, await cache.look(path, callOptions(context, 'edit'))] as const));
  return Object.fromEntries(rows);
}
function calledHere({ engine, account, object }: OperationContext, path: string): string | undefined {
  const holder = engine.claims.holder(account.connection.identity.account, path);
  return holder?.key.namespace === object.metadata.namespace ? `${holder.kind} ${holder.key.name}` : undefined;
}

/** Where the target's remote is, by what proves it; a status alone, or a deletion under way, is not enough. */
function provenPath(as: ClusterContext): string | { readonly lacks: string } {
  const { kind, object, account, engine } = as;
  const proof = proofOf(as, object);
  if (proof.is !== 'ours') return { lacks: 'has no cloud resource that is proven to be its own' };
  const { identity } = proof;
  if (identity.account !== account.connection.identity.account) return { lacks: 'is in another account' };
  if (claimedBy(as, identity.path) !== undefined) return { lacks: `has ${identity.path} no longer for itself` };
  if (isDeleting(object)) return { lacks: 'is being deleted' };
  if (isPaused(object, engine.clock.now())) return { lacks: 'is paused: it is done when that ends' };
  const { management } = policyOf(kind, object.spec, account, identity.how === 'adopted');
  if (management === 'Observe') return { lacks: 'is only observed: set its spec.lifecycle.management to Manage' };
  return identity.path;
}

const notReady = (on: readonly string[], absent?: true): Unfit => ({
  outcome: { is: 'Waiting', reason: 'ReferenceNotReady', message: on.join('; '), on, recheckAfter: seconds(60), ...(absent && { absent }) },
});
const invalid = (message: string): Unfit => ({ outcome: { is: 'Stalled', reason: 'InvalidSpec', message } });
