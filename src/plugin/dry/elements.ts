import { covers, isEmpty, isRecord } from '../../engine/model/values.ts';
import { type AnyRule, type Row, Sensitive } from '../../resource/index.ts';

type As = AnyRule['as'];
interface Element {
  readonly at: number;
  readonly row: Row;
}
interface Pair {
  readonly have: Element;
  readonly want: Element;
}

/**
 * How what is there differs from a wished record, a line for each field of that, also where there is only one of them, or two lists of records, a line for each that is added (+), removed (-) or
 * changed (~), by its place in its list; undefined: they are none.
 */
export const elementsOf = (have: unknown, want: unknown, as?: As): readonly string[] | undefined =>
  ofRecords(have, want) ?? ofLists(have, want, as);

function ofRecords(have: unknown, want: unknown): readonly string[] | undefined {
  const [former, latter] = [recordIn(have), recordIn(want)];
  if (former !== undefined && latter !== undefined) {
    const lines = changesBetween(said(former, latter), latter).map((change) => `~ ${change}`);
    return lines.length === 0 ? undefined : lines;
  }
  if (latter !== undefined && isNothing(have)) return linesOf('+', latter);
  return former !== undefined && isNothing(want) ? linesOf('-', former) : undefined;
}

function ofLists(have: unknown, want: unknown, as: As): readonly string[] | undefined {
  const [before, after] = [recordsIn(have), recordsIn(want)];
  if (before === undefined || after === undefined || before.length + after.length === 0) return undefined;
  const same = paired(before, after, (a, b) => isAlike(a, b, as));
  const named = paired(
    without(before, same, 'have'),
    without(after, same, 'want'),
    (a, b) => nameOf(a) !== undefined && nameOf(a) === nameOf(b),
  );
  const kept = [...same, ...named];
  return [
    ...without(before, kept, 'have').map(({ at, row }) => `- [${at}] ${textOf(row)}`),
    ...named.map((pair) => `~ [${pair.want.at}] ${changesIn(pair)}`),
    ...without(after, kept, 'want').map(({ at, row }) => `+ [${at}] ${textOf(row)}`),
    ...(isInOrder(kept) ? [] : ['~ those that stay stand in another order']),
  ];
}

const isNothing = (value: unknown): boolean => value === null || value === undefined;
function linesOf(sign: '+' | '-', row: Row): readonly string[] | undefined {
  const lines = Object.entries(row).flatMap(([field, value]) => (isEmpty(value) ? [] : [`${sign} ${field}: ${flow(value)}`]));
  return lines.length === 0 ? undefined : lines;
}

/** What a wish does not say is left alone, whatever is there. */
const said = (have: Row, want: Row): Row => Object.fromEntries(Object.entries(have).filter(([field]) => want[field] !== undefined));

/** As it is compared, or as status has it: as text. */
function recordsIn(value: unknown): readonly Element[] | undefined {
  const list = typeof value === 'string' ? parsed(value, '[') : (value ?? []);
  return Array.isArray(list) && list.every(isRecord) ? list.map((row, at) => ({ at, row })) : undefined;
}

function recordIn(value: unknown): Row | undefined {
  const record = typeof value === 'string' ? parsed(value, '{') : value;
  return isRecord(record) && !(record instanceof Sensitive) ? record : undefined;
}

/** A long one was cut. */
function parsed(text: string, start: string): unknown {
  if (!text.startsWith(start)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function paired(before: readonly Element[], after: readonly Element[], fits: (have: Row, want: Row) => boolean): readonly Pair[] {
  const free = new Set(before);
  return after.flatMap((want) => {
    const have = [...free].find(({ row }) => fits(row, want.row));
    if (have === undefined) return [];
    free.delete(have);
    return [{ have, want }];
  });
}

const without = (all: readonly Element[], pairs: readonly Pair[], side: keyof Pair): readonly Element[] =>
  all.filter((one) => !pairs.some((pair) => pair[side] === one));

const isAlike = (have: Row, want: Row, as: As): boolean => (typeof as === 'function' ? covers(as([want]), as([have])) : covers(want, have));

const nameOf = ({ name, label }: Row): string | undefined =>
  [name, label].find((one) => typeof one === 'string' && one !== '') as string | undefined;

function isInOrder(pairs: readonly Pair[]): boolean {
  const places = pairs.toSorted((a, b) => a.want.at - b.want.at).map(({ have }) => have.at);
  return places.every((at, index) => index === 0 || at > (places[index - 1] ?? 0));
}

const changesIn = ({ have, want }: Pair): string => `${nameOf(want.row)}: ${changesBetween(have.row, want.row).join(', ')}`;

const changesBetween = (have: Row, want: Row): readonly string[] =>
  [...new Set([...Object.keys(have), ...Object.keys(want)])]
    .filter((field) => !covers(want[field], have[field]) || (isEmpty(want[field]) && !isEmpty(have[field])))
    .map((field) => `${field}: ${flow(have[field])} -> ${flow(want[field])}`);

function textOf(row: Row): string {
  const name = nameOf(row);
  return name === undefined ? flow(row) : `${name}: ${flow({ ...row, name: undefined, label: undefined })}`;
}

/** As YAML is written in one line, without what is not set. */
function flow(value: unknown): string {
  if (value instanceof Sensitive) return '[redacted]';
  if (isEmpty(value)) return 'none';
  if (Array.isArray(value)) return `[${value.map(flow).join(', ')}]`;
  if (!isRecord(value)) return typeof value === 'string' && /[\s,:{}[\]#"']/.test(value) ? quoted(value) : String(value);
  const fields = Object.entries(value)
    .filter(([, one]) => !isEmpty(one))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([field, one]) => `${field}: ${flow(one)}`).join(', ')}}`;
}

/** A network or a list of ports reads better without. */
const quoted = (text: string): string => (/^[\w./:, -]+$/.test(text) && !/: |^ | $/.test(text) ? text : JSON.stringify(text));
