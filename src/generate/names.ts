import type { AnyKind } from '../resource/index.ts';

export const group = 'cloudhosting.dev';
export const version = 'v1alpha1';

/** `CloudAddress` -> `cloudaddresses`: the rule of English that `kubectl` users expect. */
export function plural(kind: string): string {
  const singular = kind.toLowerCase();
  if (/(s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  return /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

export const crdName = (kind: AnyKind): string => `${plural(kind.kind)}.${group}`;
export const byName = (kinds: readonly AnyKind[]): readonly AnyKind[] => kinds.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
