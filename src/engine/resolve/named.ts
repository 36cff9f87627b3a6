import { own } from '../../lib/own.ts';
import { type AnyKind, asOperation, numberId, type ReferenceSite, type Row, targetOf } from '../../resource/index.ts';
import type { ClusterEngine } from '../context.ts';
import type { Key, Resource } from '../ports/index.ts';

/** Which object a reference in this one means: one of the same namespace, unless it says otherwise. */
export function keyFrom({ metadata }: Resource, reference: Row): Key {
  const { name = '', namespace = metadata.namespace } = reference as { name?: string; namespace?: string };
  return { namespace, name };
}

/** Of which kind the target of a top-level reference is. */
export function kindReferred({ registry }: ClusterEngine, { kind }: AnyKind, field: string): AnyKind | undefined {
  const site = registry.sites(kind).find(({ at }) => at.length === 1 && at[0] === field);
  const target = site && targetOf(site.what);
  return target === undefined ? undefined : registry.kind(target);
}

/** Of which kind the target of an operation is follows from its action. */
export function operatedSite(kind: AnyKind, { action }: Readonly<Record<string, unknown>>): readonly ReferenceSite[] {
  const operated = own(asOperation(kind)?.operates ?? {}, String(action));
  return operated === undefined
    ? []
    : [{ at: ['target'], what: { is: 'ref', target: { kind: operated.on, shared: false, ids: numberId } } }];
}
