import type { Row } from '../../src/resource/index.ts';

const looks = new Set<unknown>(['pending', 'ok', 'problem']);
/** Without whether what is watched is up: the service looks for itself, and nothing that anybody wants of the record depends on it. */
export function asMade(collection: string, row: Row): Row {
  if (collection === 'managed services' && looks.has(row['status'])) return { ...row, status: '<look>' };
  // A backup is listed a little before its database is said to be active again.
  return collection === 'databases' && row['status'] === 'backing_up' ? { ...row, status: 'active' } : row;
}
