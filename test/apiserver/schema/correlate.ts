import { equal, isObject } from '../storage/json.ts';
import type { Structural } from './structural.ts';

/**
 * The old value beside a new one on an update. Fields of objects and items of `map` lists have a counterpart, items of
 * other lists have none: there the nearest ancestor that has one decides about ratcheting.
 */
export interface Correlation {
  readonly old: unknown;
  /** The value, or the nearest ancestor with a counterpart, is the same as before: its old faults are forgiven. */
  readonly unchanged: boolean;
}

export function correlateRoot(value: unknown, old: unknown): Correlation {
  return { old, unchanged: old !== undefined && equal(value, old) };
}

export function correlateField(parent: Correlation, key: string, value: unknown): Correlation {
  if (!isObject(parent.old)) return { old: undefined, unchanged: parent.unchanged };
  const old = parent.old[key];
  return { old, unchanged: parent.unchanged || (old !== undefined && equal(value, old)) };
}

export function correlateItem(parent: Correlation, schema: Structural, value: unknown): Correlation {
  const keys = schema['x-kubernetes-list-type'] === 'map' ? (schema['x-kubernetes-list-map-keys'] ?? []) : [];
  if (keys.length === 0 || !Array.isArray(parent.old) || !isObject(value)) return { old: undefined, unchanged: parent.unchanged };
  const old: unknown = parent.old.find((item: unknown) => isObject(item) && keys.every((key) => equal(item[key], value[key])));
  return { old, unchanged: parent.unchanged || (old !== undefined && equal(value, old)) };
}
