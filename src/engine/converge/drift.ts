import type { AnyKind, AnyRule, AnyWant, Row } from '../../resource/index.ts';
import { Sensitive } from '../../resource/index.ts';

/** One spec field whose value in the account is not what the spec asks for. */
export interface Difference {
  readonly field: string;
  readonly rule: AnyRule;
  readonly want: unknown;
  readonly have: unknown;
}

/** Tells whether the secret value of a field was applied already; undefined when nothing is remembered. */
export type Applied = (field: string, value: unknown) => boolean | undefined;

export const installationTagPrefix = 'co-';

/** Every field that differs, in the order of the kind's rules. Fields without a verdict (unread parts, states in between) are left out. */
export function differences(kind: AnyKind, want: AnyWant, remote: Row, applied: Applied): readonly Difference[] {
  return Object.entries(kind.fields).flatMap(([field, rule]) => difference({ kind, field, rule }, want, remote, applied) ?? []);
}

/** Parts that must be read before the fields that depend on them can be compared. */
export function unreadParts(kind: AnyKind, want: AnyWant, remote: Row): readonly string[] {
  const needed = Object.entries(kind.fields).flatMap(([field, rule]) =>
    rule.part !== undefined && (want[field] !== undefined || rule.unset === 'clear') ? [rule.part] : [],
  );
  return [...new Set(needed)].filter((part) => !(part in remote));
}

interface Place {
  readonly kind: AnyKind;
  readonly field: string;
  readonly rule: AnyRule;
}

function difference(place: Place, want: AnyWant, remote: Row, applied: Applied): Difference | undefined {
  const { field, rule } = place;
  const wanted = want[field];
  if (rule.local === true || (wanted === undefined && rule.unset !== 'clear')) return undefined;
  const have = haveOf(place, want, remote);
  if (rule.applied === true)
    return have === null || applied(field, wanted) === false ? { field, rule, want: wanted, have: new Sensitive('') } : undefined;
  return have === undefined || equal(wanted ?? null, have, rule) ? undefined : { field, rule, want: wanted, have };
}

/** What the account has in this field; undefined when that is not known now. */
function haveOf({ kind, field, rule }: Place, want: AnyWant, remote: Row): unknown {
  if (rule.read === undefined || (rule.part !== undefined && !(rule.part in remote))) return undefined;
  const read = rule.read(remote, want);
  return field === kind.tags ? withoutInstallationTags(read) : read;
}

function equal(want: unknown, have: unknown, rule: AnyRule): boolean {
  if (typeof rule.as === 'function') return covers(rule.as(want), rule.as(have));
  if (rule.as === 'set') return sameSet(want, have);
  return covers(want, have);
}

const isEmpty = (value: unknown): boolean =>
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

function sameSet(want: unknown, have: unknown): boolean {
  const left = new Set(list(want).map(canonical));
  const right = new Set(list(have).map(canonical));
  return left.size === right.size && [...left].every((item) => right.has(item));
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]);
const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value);

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

const withoutInstallationTags = (tags: unknown): unknown =>
  Array.isArray(tags) ? tags.filter((tag) => !String(tag).startsWith(installationTagPrefix)) : tags;

/** A PUT of tags replaces them all, so the marks of installations that are there must be sent along (design 4.2). */
export function keepInstallationTags(kind: AnyKind, body: Row, remote: Row): Row {
  const marks = list(remote['tags']).filter((tag) => String(tag).startsWith(installationTagPrefix));
  const sent = body['tags'];
  return kind.tags !== undefined && Array.isArray(sent) && marks.length > 0
    ? { ...body, tags: [...new Set([...(sent as unknown[]), ...marks])] }
    : body;
}

/** A value as people see it in messages and in `status.drift`: secrets masked, long ones cut. */
export function shown(value: unknown): unknown {
  if (value === undefined) return null;
  if (value instanceof Sensitive) return '[redacted]';
  const text = canonical(value);
  if (text.length > 512) return `${text.slice(0, 509)}...`;
  // Of a list without a schema the API server keeps no members of its elements, so that status would be written for ever.
  return Array.isArray(value) && value.some((item) => typeof item === 'object') ? text : (JSON.parse(text) as unknown);
}
export const shownText = (value: unknown): string => {
  const plain = shown(value);
  return typeof plain === 'string' ? plain : canonical(plain);
};
