import { parse } from 'yaml';
import * as z from 'zod';
import { ownPrices, type PriceList, pricing } from '../../kinds/for-plugin/prices.ts';
import type { AnyKind, Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';

const ownFile = z.strictObject(Object.fromEntries(ownPrices.map((name) => [name, z.number().min(0).optional()])));

/** The prices of these kinds: catalogues of the account, and the person's own. */
export async function pricesFor(call: Call, account: AccountReader, kinds: readonly AnyKind[]): Promise<PriceList> {
  const own = await ownPricesOf(call);
  const catalogues = new Set(kinds.flatMap(({ kind }) => pricing[kind]?.catalogues ?? []));
  const rows = new Map<string, Row>();
  for (const catalogue of catalogues)
    for (const row of await account.catalogue(catalogue)) rows.set(`${catalogue} ${String(row['id'])}`, row);
  return { own: (name) => own[name], row: (catalogue, id) => rows.get(`${catalogue} ${String(id)}`) };
}

/** Those of `--prices`. */
export async function ownPricesOf({ session, flags }: Call): Promise<Readonly<Record<string, number | undefined>>> {
  const file = text(flags, 'prices');
  if (file === undefined) return {};
  const [read] = await session.host.readFiles(file, false);
  const prices = ownFile.safeParse(valueOf(read?.text ?? ''));
  if (prices.success) return prices.data;
  throw new CliError(
    2,
    `--prices ${file}: write prices in US dollars a month under these names: ${ownPrices.join(', ')}; for example volumeGiB: 0.10`,
  );
}

function valueOf(yaml: string): unknown {
  try {
    return parse(yaml);
  } catch {
    return undefined;
  }
}
