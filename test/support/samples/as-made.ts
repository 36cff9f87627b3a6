import type { Row } from '../../../src/resource/index.ts';

const looks = new Set<unknown>(['pending', 'ok', 'problem']);
/**
 * Without whether what is watched is up: the service looks for itself, and nothing that anybody wants of the record depends on it.
 * `backedUp`: an object has a backup taken, which is listed a little before its database is said to be active again.
 */
export function asMade(collection: string, row: Row, backedUp = false): Row {
  if (collection === 'managed services' && looks.has(row['status'])) return { ...row, status: '<look>' };
  return backedUp && collection === 'databases' && row['status'] === 'backing_up' ? { ...row, status: 'active' } : row;
}
