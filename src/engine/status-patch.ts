import type { Row } from '../resource/index.ts';
import { canonical } from './drift.ts';
import type { JsonPatchOp, Resource } from './ports.ts';

/** What changes between two statuses: new values, and null for what goes. Undefined where they are equal. */
export function statusPatch(old: Row, next: Row): Row | undefined {
  const changed = Object.entries(next).filter(([field, value]) => canonical(value) !== canonical(old[field]));
  const removed = Object.keys(old).filter((field) => !(field in next));
  if (changed.length === 0 && removed.length === 0) return undefined;
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((field) => [field, null])) };
}

/**
 * The same as operations on one very object: the API server ignores `metadata.uid` in a merge patch of a status, so only
 * a tested JSON patch keeps an object that was made anew under its old name from getting its forerunner's status.
 */
export function statusOps(object: Resource, patch: Row): readonly JsonPatchOp[] {
  const { status, metadata } = object;
  const start: JsonPatchOp[] = [
    { op: 'test', path: '/metadata/uid', value: metadata.uid },
    ...(status === undefined ? [{ op: 'add' as const, path: '/status', value: {} }] : []),
  ];
  return [
    ...start,
    ...Object.entries(patch).map(([field, value]): JsonPatchOp =>
      value === null ? { op: 'remove', path: `/status/${field}` } : { op: 'add', path: `/status/${field}`, value },
    ),
  ];
}
