import { type AnyKind, type Row, targetOf } from '../../resource/index.ts';
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
