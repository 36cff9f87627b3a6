import type { Row } from '../../src/resource/index.ts';

const looks = new Set<unknown>(['pending', 'ok', 'problem']);
/** Without whether what is watched is up: the service looks for itself, and nothing that anybody wants of the record depends on it. */
export const asMade = (collection: string, row: Row): Row =>
  collection === 'managed services' && looks.has(row['status']) ? { ...row, status: '<look>' } : row;
