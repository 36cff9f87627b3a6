import { refusal } from '../contract/refusal.ts';

type Row = Readonly<Record<string, unknown>>;
type Predicate = (row: Row) => boolean;

export interface Filter {
  readonly matches: Predicate;
  /** What every match must fulfil, for look-ups without a scan. */
  readonly hints: { readonly equal: readonly (readonly [string, string | number])[]; readonly idFrom?: number };
  readonly order?: { readonly by: string; readonly descending: boolean };
}

interface FilterRules {
  readonly filterable: readonly string[];
  readonly notOrderable?: readonly string[];
}

const header = 'X-Filter';
const wrong = (): Error => refusal(400, 'Could not apply filter', header);

/** The value under a dotted key; fields that hold a dot do not exist. */
function valueAt(row: Row, key: string): unknown {
  if (!key.includes('.')) return row[key];
  return key.split('.').reduce<unknown>((value, part) => (value as Row | null | undefined)?.[part], row);
}

/** Numbers compare as numbers, dates (which sort as text) and other strings as text; mixed kinds never. */
function compare(left: unknown, right: unknown): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left !== 'string' || typeof right !== 'string') return undefined;
  return left < right ? -1 : Number(left > right);
}

const contains = (value: unknown, needle: unknown): boolean =>
  typeof value === 'string' && value.toLowerCase().includes(String(needle).toLowerCase());

const operators: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  '+gt': (value, wanted) => (compare(value, wanted) ?? -1) > 0,
  '+gte': (value, wanted) => (compare(value, wanted) ?? -1) >= 0,
  '+lt': (value, wanted) => (compare(value, wanted) ?? 1) < 0,
  '+lte': (value, wanted) => (compare(value, wanted) ?? 1) <= 0,
  '+neq': (value, wanted) => value !== wanted,
  '+contains': contains,
};

/** A list matches when one of its items does. */
const anyItem = (value: unknown, test: (item: unknown) => boolean): boolean => (Array.isArray(value) ? value.some(test) : test(value));

function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function onField(key: string, wanted: unknown): Predicate {
  if (key === 'tags' && Array.isArray(wanted)) throw refusal(400, 'Tags filter must be a string or dict', header);
  if (!isObject(wanted)) return (row) => anyItem(valueAt(row, key), (item) => item === wanted);
  const tests = Object.entries(wanted).map(([name, operand]): Predicate => {
    if (name === '+and' || name === '+or') return combine(name, operand, (part) => onField(key, part));
    const operator = operators[name];
    if (operator === undefined || (key === 'tags' && name !== '+contains')) throw wrong();
    return (row) => anyItem(valueAt(row, key), (item) => operator(item, operand));
  });
  return (row) => tests.every((test) => test(row));
}

function combine(name: string, parts: unknown, predicate: (part: unknown) => Predicate): Predicate {
  if (!Array.isArray(parts)) throw wrong();
  const tests = parts.map(predicate);
  return name === '+or' ? (row) => tests.some((test) => test(row)) : (row) => tests.every((test) => test(row));
}

function onObject(filter: unknown, rules: FilterRules): Predicate {
  if (!isObject(filter)) throw wrong();
  const tests = Object.entries(filter).flatMap(([key, wanted]): Predicate[] => {
    if (key === '+order_by' || key === '+order') return [];
    if (key === '+and' || key === '+or') return [combine(key, wanted, (part) => onObject(part, rules))];
    if (!rules.filterable.includes(key)) throw refusal(400, `Cannot filter on ${key}`, header);
    return [onField(key, wanted)];
  });
  return (row) => tests.every((test) => test(row));
}

function orderOf(filter: Row, rules: FilterRules): Filter['order'] {
  const by = filter['+order_by'];
  const direction = filter['+order'];
  if (by === undefined) {
    if (direction !== undefined) throw wrong();
    return undefined;
  }
  if (typeof by !== 'string' || !rules.filterable.includes(by) || rules.notOrderable?.includes(by) === true) {
    throw refusal(400, `Cannot order by ${JSON.stringify(by)}`, header);
  }
  if (!['asc', 'desc', undefined].includes(direction as string | undefined)) throw wrong();
  return { by, descending: direction === 'desc' };
}

function hintsOf(filter: Row): Filter['hints'] {
  const equal = Object.entries(filter).filter((entry): entry is [string, string | number] =>
    ['string', 'number'].includes(typeof entry[1]),
  );
  const id = filter['id'];
  const from = isObject(id) ? (id['+gte'] ?? id['+gt']) : id;
  return { equal, ...(typeof from === 'number' ? { idFrom: from } : {}) };
}

/** Parses the header; `Cannot filter on x` and its relatives are thrown. */
export function parseFilter(text: string | undefined, rules: FilterRules): Filter | undefined {
  if (text === undefined || text.trim() === '') return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw wrong();
  }
  if (!isObject(parsed)) throw wrong();
  const order = orderOf(parsed, rules);
  return { matches: onObject(parsed, rules), hints: hintsOf(parsed), ...(order === undefined ? {} : { order }) };
}

const rank = (left: unknown, right: unknown): number => compare(left, right) ?? Number(left !== null) - Number(right !== null);

/** Stable; rows without the field come first. */
export function sortRows<T extends object>(rows: readonly T[], order: NonNullable<Filter['order']>): readonly T[] {
  const sign = order.descending ? -1 : 1;
  return rows.toSorted((left, right) => sign * rank(valueAt(left as Row, order.by), valueAt(right as Row, order.by)));
}
