import { accountKey } from '../../engine/model/account.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { ownPrices } from '../../kinds/prices.ts';
import { get } from '../../resource/index.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import { selected } from '../cluster/select.ts';
import type { Call, Verb } from '../command.ts';
import { invoiced, itemsOf } from '../cost/month.ts';
import { lineOf, lineOfRemote, paidFor, pricedKinds } from '../cost/priced.ts';
import { pricesFor } from '../cost/prices.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../flag.ts';
import { registry } from '../kinds.ts';
import { kindsOfUser, standingOf } from '../orphans/cluster.ts';
import type { CostData } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';

type Line = CostData['lines'][number];

/** What objects cost a month, or what was invoiced for them. */
export const cost: Verb = (call) => {
  const by = groupBy(text(call.flags, 'by'));
  return withAccount(call, 'cost', async (account) => {
    const objects = (await selected(call)).filter(({ kind }) => pricedKinds.some((priced) => priced.kind === kind));
    const mine = objects.filter((object) => `${registry.connection.kind} ${nameOf(accountKey(object))}` === account.shown.account);
    const { lines, rest } = await linesOf(call, account, mine);
    const data: CostData = {
      account: account.shown,
      ...(text(call.flags, 'month') !== undefined && { month: text(call.flags, 'month') }),
      lines: [...lines],
      groups: by === undefined ? [] : grouped(lines, by),
      ...sumOf(lines),
      ...(rest !== undefined && { rest }),
      elsewhere: objects.length - mine.length,
      ...(await uninvoiced(account)),
    };
    return { exit: 0, kind: 'Cost', data, text: textOf(data, text(call.flags, 'by')) };
  });
};

async function linesOf(
  call: Call,
  account: AccountReader,
  mine: readonly Resource[],
): Promise<{ readonly lines: readonly Line[]; readonly rest?: number }> {
  const all = on(call.flags, 'unmanaged');
  const kinds = await kindsOfUser(
    call.session,
    account,
    all ? pricedKinds : pricedKinds.filter(({ kind }) => mine.some((object) => object.kind === kind)),
  );
  const paid = await paidFor(account, kinds);
  const list = await pricesFor(call, account, kinds);
  const lines = mine.map((object) => lineOf(object, paid, list));
  if (all) {
    const standing = await standingOf(call.session, account, registry.kinds);
    lines.push(...[...paid.values()].filter((remote) => standing.of(remote) !== undefined).map((remote) => lineOfRemote(remote, list)));
  }
  const month = text(call.flags, 'month');
  return month === undefined ? { lines } : invoiced(lines, await itemsOf(account, month), month);
}

/** What the account itself says of the month that runs; not every user may see it. */
async function uninvoiced(account: AccountReader): Promise<Pick<CostData, 'uninvoiced'>> {
  try {
    const { balance_uninvoiced: balance } = await account.send(get('/account'));
    return typeof balance === 'number' ? { uninvoiced: balance } : {};
  } catch (error) {
    if (error instanceof CloudError && error.fault === 'Forbidden') return {};
    throw error;
  }
}

function groupBy(word: string | undefined): ((line: Line) => string) | undefined {
  if (word === undefined) return undefined;
  if (word === 'namespace') return ({ namespace }) => namespace ?? unmanaged;
  if (word === 'kind') return ({ kind }) => kind;
  const [, key] = /^label:(.+)$/.exec(word) ?? [];
  if (key === undefined) throw new CliError(2, `--by ${word}: write namespace, kind, or label:KEY`);
  return ({ labels, object }) => labels[key] ?? (object === undefined ? unmanaged : '(none)');
}
const unmanaged = '(unmanaged)';

/** An unknown price is none of 0: the sum is then at least this. */
const sumOf = (lines: readonly Line[]): Pick<CostData, 'monthly' | 'unknown'> => ({
  monthly: lines.reduce((sum, { monthly }) => sum + (monthly ?? 0), 0),
  unknown: lines.filter(({ monthly }) => monthly === undefined).length,
});

const grouped = (lines: readonly Line[], by: (line: Line) => string): CostData['groups'] =>
  [...Map.groupBy(lines, by)]
    .map(([group, those]) => ({ group, count: those.length, ...sumOf(those) }))
    .toSorted((a, b) => b.monthly - a.monthly || (a.group < b.group ? -1 : 1));

const money = (value: number | undefined): string => value?.toFixed(2) ?? '?';
const atLeast = ({ monthly, unknown }: Pick<CostData, 'monthly' | 'unknown'>): string => `${unknown > 0 ? '>= ' : ''}${money(monthly)}`;

function textOf(data: CostData, by: string | undefined): string {
  const rows =
    by === undefined
      ? data.lines.map(({ kind, object, id, label, monthly, basis }) => [
          `${kind} ${object ?? [id, label, unmanaged].filter((word) => word !== undefined && word !== '').join(' ')}`,
          money(monthly),
          basis,
        ])
      : data.groups.map((group) => [group.group, String(group.count), atLeast(group)]);
  const head = by === undefined ? ['OBJECT', '$/MONTH', 'BASIS'] : [by.toUpperCase(), 'COUNT', '$/MONTH'];
  const names = ownPrices.filter((name) => data.lines.some(({ monthly, basis }) => monthly === undefined && basis.includes(name)));
  return [
    data.lines.length === 0 ? 'Nothing here costs anything, as far as this release knows.' : table(head, rows),
    `${data.month === undefined ? 'Together' : `Invoiced for ${data.month}`}: ${atLeast(data)} $${data.month === undefined ? ' a month' : ''}.`,
    ...(names.length > 0 ? [`No catalogue tells ${names.join(', ')}: --prices FILE does.`] : []),
    ...(data.rest === undefined ? [] : [`For nothing of the above: ${money(data.rest)} $.`]),
    ...(data.uninvoiced === undefined ? [] : [`The account has ${money(data.uninvoiced)} $ for its next invoice by now.`]),
    ...(data.elsewhere > 0 ? [`${data.elsewhere} objects are of other accounts: name one with --account.`] : []),
  ].join('\n');
}
