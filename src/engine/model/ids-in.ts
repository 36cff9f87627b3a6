import { own } from '../../lib/own.ts';
import { targetOf } from '../../resource/index.ts';
import type { Registry } from './kind-registry.ts';
import { isRecord } from './values.ts';

/** A value of this field, in the form of the spec: what it has or wants. */
export interface FieldValue {
  readonly field: string;
  readonly value: unknown;
}

/** The ids of others that these values name where their kind has a reference, by the kind that is referred to. */
export function idsIn(registry: Registry, kind: string, values: readonly FieldValue[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const site of registry.sites(kind)) {
    const target = targetOf(site.what);
    if (target === undefined || site.what.is === 'output') continue;
    const [field = '', ...inner] = site.at;
    const ids = values.filter((one) => one.field === field).flatMap(({ value }) => idsAt(value, inner));
    if (ids.length > 0) found.set(target, new Set([...(found.get(target) ?? []), ...ids]));
  }
  return found;
}

/** The ids at the place of a reference, or in the list in whose place a selector stands. */
function idsAt(value: unknown, [step, ...inner]: readonly string[]): readonly string[] {
  if (typeof value === 'number' || typeof value === 'string') return step === undefined || step === '*' ? [String(value)] : [];
  if (Array.isArray(value)) return value.flatMap((element) => idsAt(element, step === '*' ? inner : [step ?? [], inner].flat()));
  return isRecord(value) && step !== undefined ? idsAt(own(value, step), inner) : [];
}

/** Behind a text, what its ids are called. */
export const legend = (names: readonly string[] = []): string => (names.length === 0 ? '' : ` (${names.join(', ')})`);
