import { pricing } from '../../kinds/prices.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Call } from '../command.ts';
import type { Remote } from '../dry/standing.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { lineOfRemote, pricedKinds } from './priced.ts';
import { pricesFor } from './prices.ts';

/** What these cost a month together; what nobody knows the price of is counted, and not as none. */
export async function paid(call: Call, account: AccountReader, remotes: readonly Remote[]): Promise<NonNullable<ExportData['monthly']>> {
  const priced = remotes.filter(({ kind }) => pricedKinds.includes(kind));
  const kinds = [...new Set(priced.map(({ kind }) => kind))].filter(({ kind }) => pricing[kind] !== undefined);
  const list = await pricesFor(call, account, kinds);
  const lines = priced.map((remote) => lineOfRemote(remote, list));
  return {
    usd: lines.reduce((sum, { monthly }) => sum + (monthly ?? 0), 0),
    unknown: lines.filter(({ monthly }) => monthly === undefined).length,
  };
}
