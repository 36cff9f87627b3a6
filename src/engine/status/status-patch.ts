import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../../resource/index.ts';
import type { JsonPatchOp, Resource } from '../ports/index.ts';

/** What changes between two statuses: new values, and null for what goes. Undefined where they are equal. */
export function statusPatch(old: Row, next: Row): Row | undefined {
  const changed = Object.entries(next).filter(([field, value]) => !isDeepStrictEqual(value, old[field]));
  const removed = Object.keys(old).filter((field) => !(field in next));
  if (changed.length === 0 && removed.length === 0) return undefined;
  return { ...Object.fromEntries(changed), ...Object.fromEntries(removed.map((field) => [field, null])) };
}

/**
 * The same as operations on one very object in the very state that was seen. The API server ignores `metadata.uid` in a
 * merge patch of a status, so only a test keeps an object that was made anew under its old name from getting its
 * forerunner's status; and only a test of the conditions keeps a process that was suspended from writing back the past.
 */
export function statusOps({ status, metadata }: Resource, patch: Row): readonly JsonPatchOp[] {
  const changes = Object.entries(patch).map(([field, value]): JsonPatchOp =>
    value === null ? { op: 'remove', path: `/status/${field}` } : { op: 'add', path: `/status/${field}`, value },
  );
  return [{ op: 'test', path: '/metadata/uid', value: metadata.uid }, ...asSeen(status), ...changes];
}

/** Words and times only: the API server compares texts as it stores them, where `&`, `<` and `>` of a message are escaped. */
const tested = ['status', 'reason', 'observedGeneration', 'lastTransitionTime'] as const;

/** Only the words of the conditions differ, if anything. */
export const sameVerdicts = (old: Row, next: Row): boolean => isDeepStrictEqual(verdictsOf(old), verdictsOf(next));
const verdictsOf = ({ conditions = [] }: Row): unknown =>
  (conditions as readonly Row[]).map((condition) => tested.map((field) => condition[field]));

function asSeen(status: Row | undefined): readonly JsonPatchOp[] {
  if (status === undefined) return [{ op: 'add', path: '/status', value: {} }];
  const conditions = status['conditions'] as readonly Row[] | undefined;
  if (conditions !== undefined)
    return conditions.flatMap((condition, at) =>
      tested.map((field): JsonPatchOp => ({ op: 'test', path: `/status/conditions/${at}/${field}`, value: condition[field] })),
    );
  const generation = status['observedGeneration'];
  return generation === undefined ? [] : [{ op: 'test', path: '/status/observedGeneration', value: generation }];
}
