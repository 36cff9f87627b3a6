import type { Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Answer } from '../command-line/command.ts';
import type { RowsData } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';

/** What the service gives out as a secret, by the name of its field. */
const secret = /^(api_key|install_code|secret|secret_key|client_secret|password|root_pass|kubeconfig|token_secret|private_key|upload_to)$/;

/** What people send may be one by any name like these: rather too much is hidden than one shown. */
const sentSecret = /pass|secret|token|key|private|card|cvv|code|stackscript_data|user_?data/i;

/** The rows without secrets, however deep they lie. */
export const withoutSecrets = (value: unknown): unknown => hidden(value, secret);
/** The same of a body that is about to be sent. */
export const bodyWithoutSecrets = (value: unknown): unknown => hidden(value, sentSecret);

function hidden(value: unknown, names: RegExp): unknown {
  if (Array.isArray(value)) return value.map((one) => hidden(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, names.test(name) ? '***' : hidden(one, names)]));
}

const fieldOf = (row: Row, name: string): unknown =>
  name.split('.').reduce<unknown>((at, step) => (typeof at === 'object' && at !== null ? (at as Row)[step] : undefined), row);

const padded = (part: number): string => String(part).padStart(2, '0');
/** `3m05s` of seconds. */
function lasting(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  if (hours > 0) return `${hours}h${padded(minutes)}m${padded(rest)}s`;
  return minutes > 0 ? `${minutes}m${padded(rest)}s` : `${rest}s`;
}
/** A bare number of seconds says nothing. */
const shownField = (row: Row, name: string): string => {
  const value = fieldOf(row, name);
  return name === 'duration' && typeof value === 'number' ? lasting(value) : cell(value);
};

/** One cell: lists with commas, what is not there as nothing. */
function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cell).join(',');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export const rowsTable = (columns: readonly string[], rows: readonly Row[]): readonly string[] =>
  rows.length === 0
    ? ['There are none.']
    : table(
        columns.map((name) => (name.split('.').at(-1) ?? name).toUpperCase()),
        rows.map((row) => columns.map((name) => shownField(row, name))),
      );

const recordTable = (row: Row): readonly string[] =>
  table(
    ['FIELD', 'VALUE'],
    Object.keys(row).map((name) => [name, shownField(row, name)]),
  );

type LinesOf = (rows: readonly Row[]) => readonly string[];

/** Rows as the service has them, secrets apart; `linesOf` shows the same, and `wideOf` with more columns. */
export function answered({ shown }: AccountReader, found: readonly Row[], linesOf: LinesOf, wideOf?: LinesOf): Answer {
  const rows = withoutSecrets(found) as Row[];
  const data = { account: shown, rows } satisfies RowsData;
  return { exit: 0, kind: 'Rows', data, lines: linesOf(rows), ...(wideOf && { wide: wideOf(rows) }) };
}

export const ofRows = (account: AccountReader, columns: readonly string[], rows: readonly Row[]): Answer =>
  answered(
    account,
    rows,
    (those) => rowsTable(columns, those),
    (those) => rowsTable(widened(columns, those), those),
  );

/** With all that is told in a word, or in a list of words, beside the columns that are chosen. */
export function widened(columns: readonly string[], rows: readonly Row[]): readonly string[] {
  const words = rows.flatMap((row) => Object.entries(row).flatMap(([name, value]) => namesBelow(name, value)));
  return [...new Set([...columns, ...words])];
}
const isWord = (value: unknown): boolean => typeof value !== 'object';
function namesBelow(name: string, value: unknown): readonly string[] {
  if (isWord(value) || (Array.isArray(value) && value.every(isWord))) return [name];
  if (Array.isArray(value) || value === null) return [];
  return Object.entries(value as Row).flatMap(([below, one]) => (isWord(one) ? [`${name}.${below}`] : []));
}

export const ofRecord = (account: AccountReader, row: Row): Answer => answered(account, [row], (those) => those.flatMap(recordTable));
