import type { ClusterContext } from '../context.ts';
import { nonceOff } from '../../resource/index.ts';
import { admission, naming, objectName } from '../model/account.ts';
import { isHalfMadeLabel, isMarked } from '../model/identity.ts';
import { keyOf } from '../model/object-id.ts';
import type { Outcome } from '../model/outcome.ts';
import type { UpdateStep } from '../model/step.ts';
import type { Resource } from '../ports/index.ts';
import { mayBeMark, type Others, type Places } from './borrowed-mark.ts';

/**
 * A derived label is a mark, and is read by whoever sees the thing: what a tenant made under that of another object, even one
 * that is gone, would be taken for that object's own (README: identity).
 */
export function labelOfAnother(context: ClusterContext): Outcome | undefined {
  const { kind, object, account } = context;
  const label = kind.label === undefined ? undefined : object.spec[kind.label.field];
  if (typeof label !== 'string' || admission(account, kind, object.metadata.namespace)?.adopt === 'Any') return undefined;
  if (!mayBeOfAnother(context, label)) return undefined;
  const { namespace, name } = account.key;
  return {
    is: 'Stalled',
    reason: 'InvalidSpec',
    message: `spec.${kind.label?.field} ${JSON.stringify(label)} ends like a label that the operator makes for another object, which could then take this for its own. Choose another, for example without the last part, or leave it out. Only a namespace to which CloudAccount ${namespace}/${name} says spec.access[].adopt: Any may use it`,
  };
}

function mayBeOfAnother(context: ClusterContext, label: string): boolean {
  const { kind, key } = context;
  if (isMarked(kind.label, context, label)) return false;
  const off = kind.label && nonceOff(kind.label, label);
  // With a nonce behind it, it would be what another object left half made.
  if (off !== undefined && isHalfMadeOfOther(context, label)) return true;
  const marks = off === undefined ? [label] : [label, off];
  const others = { key, kind: kind.kind, places: () => places(context) };
  return marks.some((mark) => mayBeMark(kind.label, { ...others, present: present(context) }, mark));
}

/** Copied out of the account while that other one was being made. */
function isHalfMadeOfOther({ engine, kind, key, object }: ClusterContext, label: string): boolean {
  for (const other of engine.objects.all(kind.kind)) {
    const isSame = other.metadata.uid === object.metadata.uid;
    if (!isSame && isHalfMadeLabel(kind.label, { key, name: objectName(naming(engine), other), object: other }, label)) return true;
  }
  return false;
}

/** The same for a step that would give a remote this label. */
export function renamesToAnothers(context: ClusterContext, step: UpdateStep): Outcome | undefined {
  const renames = 'changes' in step && step.changes.some(({ field }) => field === context.kind.label?.field);
  return renames ? labelOfAnother(context) : undefined;
}

function* present({ engine, kind }: ClusterContext): Others['present'] {
  for (const { metadata } of engine.objects.all(kind.kind)) yield metadata;
}

const places = (context: ClusterContext): Places => ({ installations: installationsOf(context), namespaces: namespacesOf(context) });

function installationsOf(context: ClusterContext): readonly string[] {
  const { engine, account } = context;
  const accounts = accountsOf(context);
  return [...new Set([account.installation, ...accounts.map(({ spec }) => String(spec['installation'] ?? engine.clusterUid))])];
}

/** Where objects of its kind are, or may come to be in its account. */
export function namespacesOf(context: ClusterContext): readonly string[] {
  const { engine, kind } = context;
  const namespaces = new Set<string>();
  for (const { metadata, spec } of accountsOf(context)) {
    const access = (spec['access'] ?? []) as readonly { readonly namespaces: readonly string[] }[];
    for (const namespace of [metadata.namespace, ...access.flatMap((entry) => entry.namespaces)]) namespaces.add(namespace);
  }
  for (const { metadata } of engine.objects.all(kind.kind)) namespaces.add(metadata.namespace);
  return [...namespaces];
}

/** One that was never connected to this account has marked nothing in it, and whoever writes one could name namespaces without end. */
function accountsOf({ engine, account }: ClusterContext): readonly Resource[] {
  const own = account.connection.identity.account;
  // What is connected by now stands in status a little later.
  const isOfAccount = (one: Resource): boolean =>
    (engine.accounts.get(keyOf(one))?.connection.identity.account ?? one.status?.['account']) === own;
  return [...engine.objects.all(engine.registry.connection.kind)].filter(isOfAccount);
}
