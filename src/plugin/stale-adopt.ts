import type { Resource } from '../engine/ports/kubernetes.ts';
import { registry } from './kinds.ts';

/** What it adopted went, and another one has come in its place, which its spec does not name. */
export function staleAdopt({ kind, spec, status }: Resource): { readonly named: string; readonly has: string } | undefined {
  const named = (spec['adopt'] as { readonly id?: string | number } | undefined)?.id;
  const has = status?.['id'];
  if (named === undefined || has === undefined) return undefined;
  const { ids } = registry.kind(kind);
  return (ids?.plain?.(String(named)) ?? String(named)) === String(has) ? undefined : { named: String(named), has: String(has) };
}
