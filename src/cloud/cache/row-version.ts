import type { Row } from '../../resource/index.ts';

/** When the service changed this row the last time, by its own clock; empty where it does not say. */
function updatedAt(text: string): string {
  const { updated } = JSON.parse(text) as Row;
  return typeof updated === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(updated) ? updated : '';
}

/** However late a listing is, it has no row from before our change that is of a later time than the answer to the change. Both are JSON. */
export const isLaterVersion = (row: string, known: string | undefined): boolean =>
  known !== undefined && updatedAt(known) !== '' && updatedAt(row) > updatedAt(known);
