import type { Row } from '../../../resource/index.ts';
import type { AccountReader } from '../../account/account-reader.ts';
import { rowsTable, withoutSecrets } from '../../look/shown.ts';
import { begunText, type Entry } from './journal.ts';

/** Clocks differ, and the service took its time. */
const before = 5 * 60_000;

/** What the account shows of a change whose outcome is not known, for a person to judge. */
export async function lookedAt(account: AccountReader, entry: Entry): Promise<readonly string[]> {
  const { at, look } = entry;
  const rows = await shown(account, look.path);
  const { since } = look;
  const recent = since === undefined ? rows : rows.filter((row) => Date.parse(`${String(row[since])}Z`) >= Date.parse(at) - before);
  const title = `${begunText(entry)}: the account shows at ${look.path}${since === undefined ? '' : ' since then'}:`;
  return [title, ...rowsTable(look.columns, withoutSecrets(recent) as readonly Row[])];
}

/** A record alone, or the rows of a page of records. */
async function shown(account: AccountReader, path: string): Promise<readonly Row[]> {
  const record = await account.record(path);
  if (!Array.isArray(record['data']) || typeof record['pages'] !== 'number') return [record];
  return account.rows(path);
}
