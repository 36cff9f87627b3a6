import { valueText } from '../../lib/value-text.ts';
import { digest, type Row, Sensitive } from '../../resource/index.ts';

export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** True when everything that `want` sets is so in `have`; what `want` leaves out does not count. Null, empty text and empty list are alike. */
export function covers(want: unknown, have: unknown): boolean {
  // Most that is asked are texts of thousands of rows.
  if (typeof want === 'string' && typeof have === 'string') return want === have;
  if (isEmpty(want) && isEmpty(have)) return true;
  if (Array.isArray(want))
    return Array.isArray(have) && want.length === have.length && want.every((item, index) => covers(item, have[index]));
  if (isRecord(want)) return isRecord(have) && coversFields(want, have);
  return want === have;
}

/** No pairs are made: it is asked of every row of a listing for each create. */
function coversFields(want: Row, have: Row): boolean {
  for (const field in want) if (want[field] !== undefined && !covers(want[field], have[field])) return false;
  return true;
}
export const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

/** JSON with sorted keys: equal values give equal texts. */
export function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      isRecord(part) && !(part instanceof Sensitive)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'null'
  );
}

/** A value as people see it in messages and in `status.drift`: secrets masked, long ones cut. */
export function shown(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Sensitive) return '[redacted]';
  const text = canonical(value);
  // Two that begin alike must not look alike: approvals are compared by what they show.
  if (text.length > 512) return `${text.slice(0, 480)}... (${digest(text)})`;
  // Of a list without a schema the API server keeps no members of its elements, so that status would be written for ever.
  return Array.isArray(value) && value.some((item) => typeof item === 'object') ? text : (JSON.parse(text) as unknown);
}
/** How a message says that there is no value. */
export const noValue = 'none';
/** The same for a message. */
export const shownText = (value: unknown): string => {
  const plain = shown(value);
  if (plain === null) return noValue;
  // A text that says the same must not look alike.
  if (plain === noValue) return JSON.stringify(plain);
  return valueText(typeof plain === 'string' ? plain : canonical(plain));
};
