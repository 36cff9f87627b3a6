import { pricing } from '../../kinds/for-plugin/prices.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Call } from '../command-line/command.ts';
import type { Remote } from '../dry/standing.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { lineOfRemote, pricedKinds } from './priced.ts';
import { pricesFor } from './prices.ts';

/** What each of these costs a month, where somebody says it. */
export async function pricesOf(
  call: Call,
  account: AccountReader,
  remotes: readonly Remote[],
): Promise<(remote: Remote) => number | undefined> {
  const priced = remotes.filter(({ kind }) => pricedKinds.includes(kind));
  const kinds = [...new Set(priced.map(({ kind }) => kind))].filter(({ kind }) => pricing[kind] !== undefined);
  const list = await pricesFor(call, account, kinds);
  return (remote) => (pricedKinds.includes(remote.kind) ? lineOfRemote(remote, list).monthly : 0);
}

/** Together; what nobody knows the price of is counted, and not as none. */
export function sumOf(prices: readonly (number | undefined)[]): NonNullable<ExportData['monthly']> {
  return {
    usd: prices.reduce<number>((sum, price) => sum + (price ?? 0), 0),
    unknown: prices.filter((price) => price === undefined).length,
  };
}

/** The same at once. */
export async function paid(call: Call, account: AccountReader, remotes: readonly Remote[]): Promise<NonNullable<ExportData['monthly']>> {
  const priceOf = await pricesOf(call, account, remotes);
  return sumOf(remotes.map(priceOf));
}
