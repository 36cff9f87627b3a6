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
import { accountKey, naming, objectName } from '../model/account.ts';
import { isDeleting } from '../model/annotations.ts';
import { nameOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import { isPaused } from '../model/pause.ts';
import { policyOf } from '../model/policy.ts';
import { withLastJobs } from '../observe/last-jobs.ts';
import type { CachedRemote, Lane, Resource } from '../ports/index.ts';
import { resolve, type Resolved } from '../resolve/resolve.ts';

/** What is done, and the remote to which it is done, with the object that has it. */
export interface Located {
  readonly object: Resource;
  readonly kind: AnyKind;
  readonly action: Action<Row, AnyWant>;
  readonly path: string;
  readonly given: Given;
  /** As whose reconcile the target is looked at. */
  readonly as: ClusterContext;
}
export interface Target extends Located {
  /** As it was read just now. */
  readonly row: Row;
  readonly acted: Acted<Row, AnyWant>;
}
interface Unfit {
  readonly outcome: Outcome;
}

interface Asked extends Operated {
  readonly name: string;
  readonly kind: AnyKind;
  readonly action: Action<Row, AnyWant>;
  readonly target: Resource | undefined;
}
/** What the spec of an operation asks for, as far as this operator knows it: only an object of the same namespace. */
export function askedBy({ engine, kind, object }: OperationContext): Asked | undefined {
  const { action: name, target } = object.spec as { readonly action: string; readonly target: { readonly name: string } };
  const operated = own(kind.operates, name);
  const on = operated && engine.registry.kind(operated.on);
  const action = on && own(on.actions ?? {}, name);
  if (operated === undefined || on === undefined || action === undefined) return undefined;
  const key = { namespace: object.metadata.namespace, name: target.name };
  return { ...operated, kind: on, action, name: target.name, target: engine.objects.get(on.kind, key) };
}

/** Its parameters as the spec writes them, references too. */
export const writtenFor = ({ object: { spec } }: OperationContext, { needs = [], takes = [] }: Operated): Given =>
  Object.fromEntries([...needs, ...takes].map((field) => [field, spec[field]])) as Given;

/** What an operation is about: only what is proven to be the remote of an object of this namespace, and managed by it. Without a call. */
export function locate(context: OperationContext, { want, waitingFor }: Resolved): Located | Unfit {
  const asked = askedBy(context);
  if (asked?.target === undefined || waitingFor.length > 0) return notReady(waitingFor);
  const { kind, action, target: object, needs = [], takes = [] } = asked;
  const name = `${kind.kind} ${asked.name}`;
  const as: ClusterContext = { ...context, kind, object, name: objectName(naming(context.engine), object), status: {} };
  const path = provenPath(as);
  if (typeof path !== 'string') return notReady([`spec.target: ${name} ${path.lacks}`]);
  if (nameOf(accountKey(object)) !== nameOf(context.account.key))
    return invalid(`spec.accountRef: ${name} is of another CloudAccount: name the same one`);
  const given = Object.fromEntries([...needs, ...takes].map((field) => [field, want[field]])) as Given;
  return { object, kind, action, path, given, as };
}

/** The same with what the account has now. */
export async function readTarget(context: OperationContext, located: Located): Promise<Target | Unfit> {
  const { path, kind, as, action } = located;
  const { want, waitingFor } = await resolve(as);
  if (action.wholeSpec === true && waitingFor.length > 0) return notReady(waitingFor.map((text) => `spec.target: ${text}`));
  const seen = await readWhole(context, { path, kind, parts: action.parts }, 'edit');
  if (seen === undefined) return notReady([`spec.target: ${path} is not in the account`]);
  const read = readRemote(kind, seen.remote);
  if ('malformed' in read) return { outcome: { is: 'Retrying', reason: 'Unreachable', message: `${path}: ${read.malformed}` } };
  const inner = await innerOf(context, located);
  const told = withLastJobs(as, located, want, read.remote);
  return { ...located, row: seen.remote, acted: { path, remote: read.remote, want: told, inner } };
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

const notReady = (on: readonly string[]): Unfit => ({
  outcome: { is: 'Waiting', reason: 'ReferenceNotReady', message: on.join('; '), on, recheckAfter: seconds(60) },
});
const invalid = (message: string): Unfit => ({ outcome: { is: 'Stalled', reason: 'InvalidSpec', message } });
