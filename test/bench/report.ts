import { isOk, type Figure } from './figure.ts';

/** One row of `--json`; null where nothing is promised. */
export interface Row {
  readonly name: string;
  readonly objects: number;
  readonly value: number;
  readonly unit: string;
  readonly limit: number | null;
  readonly ok: boolean | null;
  readonly formula: string;
}

const rounded = (value: number): number => (Number.isInteger(value) ? value : Number(value.toPrecision(4)));

export const rowOf = (figure: Figure): Row => ({
  name: figure.name,
  objects: figure.objects,
  value: rounded(figure.value),
  unit: figure.unit,
  limit: figure.limit === undefined ? null : rounded(figure.limit),
  ok: figure.limit === undefined && isOk(figure) ? null : isOk(figure),
  formula: figure.formula,
});

const verdict = ({ ok }: Row): string => (ok === null ? '' : ok ? 'ok' : 'MISSED');

/** Columns as wide as their widest cell; the last one is left as it is. */
function columns(lines: readonly (readonly string[])[]): string {
  const widths = lines[0]?.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0))) ?? [];
  const pad = (line: readonly string[]): string => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ');
  return lines.map((line) => pad(line).trimEnd()).join('\n');
}

/** For people. */
export const table = (rows: readonly Row[]): string =>
  columns([
    ['objects', 'figure', 'value', 'limit', '', 'how'],
    ...rows.map((row) => [
      String(row.objects),
      row.name,
      `${row.value} ${row.unit}`,
      row.limit === null ? '' : `${row.limit}`,
      verdict(row),
      row.formula,
    ]),
  ]);

/** What changed since an earlier `--json`: figures by name and number of objects. */
export function comparison(before: readonly Row[], after: readonly Row[]): string {
  const key = ({ name, objects }: Row): string => `${objects} ${name}`;
  const old = new Map(before.map((row) => [key(row), row]));
  const lines = after.flatMap((row) => {
    const was = old.get(key(row));
    if (was === undefined) return [[String(row.objects), row.name, '', `${row.value} ${row.unit}`, 'new']];
    const change = was.value === 0 ? (row.value === 0 ? '=' : '+') : `${((row.value / was.value - 1) * 100).toFixed(0)} %`;
    return [[String(row.objects), row.name, `${was.value}`, `${row.value} ${row.unit}`, change]];
  });
  return columns([['objects', 'figure', 'before', 'now', 'change'], ...lines]);
}
