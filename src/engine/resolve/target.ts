import { own } from '../../lib/own.ts';
import { valueText } from '../../lib/value-text.ts';
import { asConnection, asId, minutes, type ReferenceSite, type RefTarget, type RemoteId, type Row } from '../../resource/index.ts';
import type { ClusterContext, ClusterEngine } from '../context.ts';
import { accountKey, admission, admits } from '../model/account.ts';
import { hasFinalizer, isDeleting } from '../model/annotations.ts';
import { isOutOfStepFor, reasonOf } from '../model/conditions.ts';
import { objectId } from '../model/object-id.ts';
import { isPaused } from '../model/pause.ts';
import type { Key, Resource } from '../ports/index.ts';
import { holderNow } from './above.ts';
import { external } from './literal.ts';
import { inAnotherRegion, namesAnother } from './same-place.ts';
import { keyFrom } from './named.ts';
import { whyAnothers } from './whose-now.ts';

/** `refused`: no waiting brings it about, and a list without it is not what the spec asks for. */
export interface Missing {
  readonly missing: string;
  readonly refused?: true;
  /** Only another spec mends it. */
  readonly wrong?: true;
  /** There is no such object, or what it had was deleted. */
  readonly gone?: true;
}
type Value = { readonly value: unknown } | Missing;

/** What a value that another object publishes comes to; `targets` learns whom this object depends on. */
export async function outputValue(
  context: ClusterContext,
  { output, kind }: Extract<ReferenceSite['what'], { is: 'output' }>,
  value: Row,
  targets: Set<string>,
): Promise<Value> {
  const target = targetOf(context, { kind, shared: false }, value[output.ref] as Row, targets);
  if ('missing' in target) return target;
  const unusable = whyUnusable(context, target.object) ?? (await whyAnothers(context, target.object));
  if (unusable !== undefined) return { missing: unusable, ...(isGone(context.engine, target.object) && { gone: true }) };
  const field = own(output.fields, String(value[output.selector])) ?? '';
  const published = target.object.status?.[field];
  const empty = published === undefined || published === null || published === '';
  return empty ? { missing: `${kind} ${target.object.metadata.name} has no status.${field} yet` } : { value: published };
}

export async function refValue(context: ClusterContext, to: RefTarget, reference: Row, targets: Set<string>): Promise<Value> {
  if (reference['external'] !== undefined) return external(context, to, reference['external'] as RemoteId);
  const target = targetOf(context, to, reference, targets);
  if ('missing' in target) return target;
  const refused = to.copied === true ? mayNotCopy(context, target.object) : undefined;
  if (refused !== undefined) return { refused: true, missing: refused };
  const { object } = target;
  return whyElsewhere(context, to, object) ?? (await whyNotYet(context, to, object)) ?? whyApart(context, to, object) ?? idOf(to, object);
}
const wrongWhere = (missing: string | undefined): Missing | undefined =>
  missing === undefined ? undefined : { refused: true, wrong: true, missing };
const whyElsewhere = (context: ClusterContext, { sameRegion }: RefTarget, target: Resource): Missing | undefined =>
  sameRegion === true ? wrongWhere(inAnotherRegion(context, target)) : undefined;
const whyApart = (context: ClusterContext, { sameReference }: RefTarget, target: Resource): Missing | undefined =>
  sameReference === undefined ? undefined : wrongWhere(namesAnother(context, target, sameReference));
async function whyNotYet(context: ClusterContext, to: RefTarget, target: Resource): Promise<Missing | undefined> {
  const missing = whyUnusable(context, target) ?? whyTooEarly(to, target) ?? (await whyAnothers(context, target));
  return missing === undefined ? undefined : { missing };
}

function idOf({ placedBy }: RefTarget, { kind, metadata, status = {} }: Resource): Value {
  const id = asId(String(status['id']));
  if (placedBy === undefined) return { value: id };
  const place = status[placedBy];
  return typeof place !== 'string' ? { missing: `${kind} ${metadata.name} has no status.${placedBy} yet` } : { value: `${place}/${id}` };
}

function whyTooEarly({ until }: RefTarget, { kind, metadata, status }: Resource): string | undefined {
  const said = until === undefined ? undefined : status?.[until.status];
  return until === undefined || said === until.is
    ? undefined
    : `${kind} ${metadata.name} can be used once its status.${until.status} is ${until.is}, and it is ${said === undefined || said === null ? 'not known' : valueText(said)}`;
}

/** To be named as what a thing of one's own belongs to is less than to be read whole: that takes the right to adopt it. */
function mayNotCopy({ account, kind, object }: ClusterContext, target: Resource): string | undefined {
  const { namespace } = object.metadata;
  if (target.metadata.namespace === namespace || admission(account, kind, namespace)?.adopt === 'Any') return undefined;
  return `${target.kind} ${target.metadata.namespace}/${target.metadata.name} would be copied with all that others have in it, and its spec.allowedRefs admits no more than a reference. The owner of CloudAccount ${account.key.namespace}/${account.key.name} must set spec.access[].adopt: Any for namespace ${namespace}, or it must go from this spec`;
}

const isGone = ({ objectMemory }: ClusterEngine, { metadata: { uid }, status: { path } = {} }: Resource): boolean =>
  typeof path === 'string' && objectMemory.wasDeleted(uid, path);

/** Status of what is gone speaks of an address, or a name, that may be somebody else's by now. */
export function whyUnusable(context: ClusterContext, object: Resource): string | undefined {
  const { kind, metadata, status: { id, path } = {} } = object;
  const name = `${kind} ${metadata.name}`;
  const why = whyUnknown(context, object);
  if (why !== undefined) return `${name} ${why}`;
  if (typeof path === 'string' && isAnothers(context, object, path))
    return `${name} has ${path} no longer for itself: an object of another namespace, or an older one, has it or what it is a part of. Name another ${kind}, or take it out of this spec`;
  return id === undefined || id === null ? `${name} ${whyWithoutId(context, object)}` : undefined;
}

/** What it had is gone, and no wait brings that back. */
function whyWithoutId({ engine }: ClusterContext, object: Resource): string {
  if (reasonOf(object, 'Synced') !== 'RemoteMissing') return 'has no id yet';
  const { namespace, name } = object.metadata;
  return `is missing in the account (RemoteMissing): kubectl cloud why -n ${namespace} ${engine.registry.kind(object.kind).shortName}/${name}`;
}

function whyUnknown({ engine, account }: ClusterContext, object: Resource): string | undefined {
  const { metadata, status } = object;
  const { account: its, objectUid = metadata.uid } = status ?? {};
  if (objectUid !== metadata.uid) return 'has a status that a backup put back, and it is not known yet what is its own';
  if (its !== undefined && its !== account.connection.identity.account) return 'is in another account';
  return isGone(engine, object) || isLeft(engine, object) ? 'is being deleted, and what it had may be gone' : undefined;
}

/** Judged by the rules of its own CloudAccount: several may stand for one account. */
function isAnothers(context: ClusterContext, object: Resource, path: string): boolean {
  const { engine, account } = context;
  const kind = engine.registry.kind(object.kind);
  const { key, access } = engine.accounts.get(accountKey(object)) ?? account;
  const as = { ...context, kind, object, account: { ...account, key, access } };
  return asConnection(kind) === undefined && holderNow(as, path) !== undefined;
}

/** It is going, and nobody looks at its remote any more: we let go of it, or may do nothing with it. */
const isLeft = ({ clock }: ClusterContext['engine'], object: Resource): boolean =>
  isDeleting(object) && (!hasFinalizer(object) || isPaused(object, clock.now()));

type Target = { readonly object: Resource } | Missing;

function targetOf(context: ClusterContext, to: Pick<RefTarget, 'kind' | 'shared'>, reference: Row, targets: Set<string>): Target {
  const key = keyFrom(context.object, reference);
  targets.add(objectId(to.kind, key));
  const object = admittedTarget(context, to.kind, reference);
  return object === undefined ? { missing: notFound(context, to, key), gone: true } : { object };
}

function notFound(context: ClusterContext, { kind, shared }: Pick<RefTarget, 'kind' | 'shared'>, { namespace, name }: Key): string {
  const here = context.object.metadata.namespace;
  if (!shared || namespace === here) return `${kind} ${name} is not found. Create it, or correct the name`;
  return `${kind} ${namespace}/${name} is not found, or does not admit namespace ${here}. Create it, correct the name, or add ${here} to its spec.allowedRefs.namespaces`;
}

/** A target that does not admit us must read like one that is not there. */
export function admittedTarget({ engine, object }: ClusterContext, kind: string, reference: Row): Resource | undefined {
  const target = engine.objects.get(kind, keyFrom(object, reference));
  return target !== undefined && admits(target, object.metadata.namespace) ? target : undefined;
}

/**
 * Of a list that goes without what is gone. Who comes back within a minute, or comes later than this object in a cluster that is
 * rebuilt, is not shut out meanwhile.
 */
export function outOfList({ kind, object, engine }: ClusterContext, field: string, { gone, missing }: Missing): Missing | undefined {
  if (gone !== true || kind.fields[field]?.withoutGone !== true) return undefined;
  return isOutOfStepFor(object, engine.clock.now(), minutes(1))
    ? { missing: `${missing}. Until then the list goes without it` }
    : undefined;
}
