export type JsonObject = { [field: string]: unknown };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Deep copy of JSON data. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map((item: unknown) => clone(item)) as T;
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) copy[key] = clone(value[key]);
  return copy as T;
}

/** Deep equality of JSON data; an absent field equals an undefined one, the order of fields does not count. */
export function equal(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, at) => equal(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => equal(a[key], b[key]));
}

/** Where two documents differ, as dotted paths to the deepest objects; a changed list counts as one place. */
export function changedPaths(before: unknown, after: unknown, path = ''): string[] {
  if (equal(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [path];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return keys.flatMap((key) => changedPaths(before[key], after[key], path === '' ? key : `${path}.${key}`));
}

/** The object at `key`, or an empty one. Reads only: the result is not attached to the parent. */
export function child(parent: unknown, key: string): JsonObject {
  const value = isObject(parent) ? parent[key] : undefined;
  return isObject(value) ? value : {};
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}
