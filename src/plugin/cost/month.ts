import { path, type Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { CliError } from '../exit.ts';
import type { CostData } from '../output/account-shapes.ts';

type Line = CostData['lines'][number];

/** Items of all invoices that are for a month, whenever the invoice was made. */
export async function itemsOf(account: AccountReader, month: string): Promise<readonly Row[]> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new CliError(2, `--month ${month}: write a month as 2026-10`);
  const items: Row[] = [];
  const invoices = (await account.rows('/account/invoices')).filter(({ date }) => String(date).slice(0, 7) >= month);
  for (const { id } of invoices) items.push(...(await account.rows(path`/account/invoices/${Number(id)}/items`)));
  return items.filter(({ from }) => String(from).startsWith(month));
}

function amountOf({ amount, label }: Row): number {
  if (typeof amount === 'number' && Number.isFinite(amount)) return amount;
  throw new CliError(4, `item ${String(label)} of an invoice has no amount that can be read, so no sum would be right`);
}

/** The same lines with what was invoiced, and what is for none of them. */
export function invoiced(
  lines: readonly Line[],
  items: readonly Row[],
  month: string,
): { readonly lines: readonly Line[]; readonly rest: number } {
  const left = new Set(items);
  const found = lines.map((priced) => {
    const line = { ...priced, basis: `no item of ${month} is called after it` };
    delete line.monthly;
    const mine = line.label === '' ? [] : items.filter((item) => left.has(item) && isFor(item, line));
    for (const item of mine) left.delete(item);
    return mine.length === 0 ? line : { ...line, basis: `${mine.length} of the items of ${month}`, monthly: sum(mine.map(amountOf)) };
  });
  return { lines: found, rest: sum([...left].map(amountOf)) };
}

/** As the service calls an item: plan, label and id. */
const isFor = (item: Row, { label, id }: Line): boolean => String(item['label']).endsWith(` - ${label} (${id})`);
const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);
