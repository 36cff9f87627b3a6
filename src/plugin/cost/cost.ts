import { accountKey } from '../../engine/model/account.ts';
import { nameOf } from '../../engine/model/object-id.ts';
import { CloudError } from '../../engine/ports/index.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { ownPrices } from '../../kinds/for-plugin/prices.ts';
import { get } from '../../resource/index.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import { selected } from '../cluster/select.ts';
import type { Call, Verb } from '../command-line/command.ts';
import { invoiced, itemsOf } from './month.ts';
import { broughtBy, calledIn, broughtOf, lineOf, lineOfBrought, lineOfRemote, paidFor, pricedKinds } from './priced.ts';
import { pricesFor } from './prices.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';
import { kindsOfUser, standingOf } from '../orphans/cluster.ts';
import { UnreadLists, unreadText } from '../orphans/unread.ts';
import type { CostData, UnreadList } from '../output/account-shapes.ts';
import { table } from '../output/table.ts';

type Line = CostData['lines'][number];

/** What objects cost a month, or what was invoiced for them. */
export const cost: Verb = async (call) => {
  const { flags } = call;
  const by = groupBy(text(flags, 'by'));
  const priced = async (): Promise<readonly Resource[]> =>
    (await selected(call)).filter(({ kind }) => pricedKinds.some((one) => one.kind === kind));
  const whole =
    text(flags, 'by') === 'account' ? await ofAll(call, await priced()) : await ofOne(call, { name: text(flags, 'account'), priced });
  const month = text(flags, 'month');
  const data: CostData = {
    ...whole,
    ...(month !== undefined && { month }),
    groups: by === undefined ? [] : grouped(whole.lines, by),
    ...sumOf(whole.lines),
  };
  return { exit: 0, kind: 'Cost', data, lines: shown(data, text(flags, 'by')), wide: shown(data, text(flags, 'by'), true) };
};

type OfAccount = Pick<CostData, 'account' | 'lines' | 'rest' | 'uninvoiced' | 'elsewhere' | 'unread'>;

interface Asked {
  readonly name: string | undefined;
  readonly priced: () => Promise<readonly Resource[]>;
  /** CloudAccounts that lead to the same account. */
  readonly others?: readonly string[];
}
const ofOne = (call: Call, { name, priced, others = [] }: Asked): Promise<OfAccount> =>
  withAccount({ ...call, flags: { ...call.flags, account: name } }, 'cost', async (account) => {
    const objects = await priced();
    const known = new Set([account.shown.account, ...others.map(shownAccount)]);
    const mine = objects.filter((object) => known.has(accountOf(object)));
    const { lines, rest, unread } = await linesOf(call, account, mine);
    return {
      account: account.shown,
      lines: [...lines],
      ...(rest !== undefined && { rest }),
      unread: [...unread],
      elsewhere: objects.length - mine.length,
      ...(await uninvoiced(account)),
    };
  });
const shownAccount = (name: string): string => `${registry.connection.kind} ${name}`;
const accountOf = (object: Resource): string => shownAccount(nameOf(accountKey(object)));

/** Each account that an object has, one after the other, and the one that the line names. */
async function ofAll(call: Call, objects: readonly Resource[]): Promise<OfAccount> {
  const own = text(call.flags, 'account') ?? (objects.length === 0 ? 'default' : undefined);
  const names = [...new Set([...(own === undefined ? [] : [own]), ...objects.map((object) => nameOf(accountKey(object)))])];
  const byAccount = new Map<string, readonly string[]>();
  for (const name of names) {
    const id = await idOf(call, name);
    byAccount.set(id, [...(byAccount.get(id) ?? []), name]);
  }
  const all: OfAccount[] = [];
  for (const [name, ...others] of byAccount.values()) all.push(await ofOne(call, { name, others, priced: () => Promise.resolve(objects) }));
  const [first] = all;
  if (first === undefined) throw new Error('no account was read');
  const [rest, balance] = [all.flatMap((one) => one.rest ?? []), all.flatMap((one) => one.uninvoiced ?? [])];
  return {
    account: first.account,
    lines: all.flatMap(({ lines }) => lines),
    ...(rest.length > 0 && { rest: total(rest) }),
    ...(balance.length > 0 && { uninvoiced: total(balance) }),
    unread: all.flatMap(({ unread = [] }) => unread),
    elsewhere: 0,
  };
}
const total = (all: readonly number[]): number => all.reduce((sum, one) => sum + one, 0);

/** The account's own id, as its object shows it; two CloudAccounts may lead to one. */
async function idOf({ session }: Call, name: string): Promise<string> {
  const [first = '', second] = name.split('/');
  const key = second === undefined ? { namespace: await session.namespace(), name: first } : { namespace: first, name: second };
  const id = (await (await session.reader()).get(registry.connection, key))?.status?.['account'];
  return typeof id === 'string' ? id : nameOf(key);
}

async function linesOf(
  call: Call,
  account: AccountReader,
  mine: readonly Resource[],
): Promise<{ readonly lines: readonly Line[]; readonly rest?: number; readonly unread: readonly UnreadList[] }> {
  const all = on(call.flags, 'unmanaged');
  const month = text(call.flags, 'month');
  const asked = new Set(mine.map(({ kind }) => kind));
  const kinds = await kindsOfUser(
    call.session,
    account,
    all ? pricedKinds : pricedKinds.filter(({ kind }) => asked.has(kind) || broughtBy([...asked]).has(kind)),
  );
  const unread = new UnreadLists(call.session);
  const paid = await paidFor(account, kinds, unread);
  const list = await pricesFor(call, account, kinds);
  // Nodes are invoiced, and not their pools.
  const brought = new Map(month === undefined ? mine.map((object) => [object, broughtOf(object, paid)]) : []);
  const known = new Set([...brought.values()].flatMap((remotes) => [...remotes.keys()]));
  const lines = mine.flatMap((object) => {
    const line = lineOf(object, { paid, unread, list });
    return [line, ...[...(brought.get(object)?.values() ?? [])].map((remote) => lineOfBrought(remote, line, list))];
  });
  if (all) {
    const standing = await standingOf(call.session, account, registry.kinds);
    lines.push(
      ...[...paid.values()]
        .filter((remote) => !known.has(remote.path) && standing.of(remote) !== undefined)
        .map((remote) => lineOfRemote(remote, list)),
    );
  }
  return { unread: unread.all, ...(month === undefined ? { lines } : invoiced(lines, await itemsOf(account, month), month)) };
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
  if (word === 'account') return ({ account }) => account ?? unmanaged;
  const [, key] = /^label:(.+)$/.exec(word) ?? [];
  if (key === undefined) throw new CliError(2, `--by ${word}: write namespace, kind, account, or label:KEY`);
  return ({ labels, object, of }) => labels[key] ?? (object === undefined && of === undefined ? unmanaged : '(none)');
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

/** What only a person can say. */
const lackOf = ([first, ...more]: readonly string[]): readonly string[] =>
  first === undefined
    ? []
    : [
        `No catalogue tells a price of ${[first, ...more].join(', ')}. Write ${more.length === 0 ? 'it' : 'them'} into a file, as ${first}: 0.10, and add --prices FILE.`,
      ];
const basisText = ({ monthly, basis }: Pick<Line, 'monthly' | 'basis'>): string =>
  monthly === undefined && ownPrices.some((name) => name === basis) ? `no price of ${basis} is known` : basis;

const money = (value: number | undefined): string => value?.toFixed(2) ?? '?';
/** What stands in a list that was not read is in no line, whatever the sum is of. */
const atLeast = ({ monthly, unknown }: Pick<CostData, 'monthly' | 'unknown'>, unread: CostData['unread'] = []): string =>
  `${unknown > 0 || unread.length > 0 ? '>= ' : ''}${money(monthly)}`;

/** Of each object, or of each group. */
function tableOf({ lines, groups, unread }: CostData, by: string | undefined, isWide: boolean): readonly string[] {
  if (by !== undefined)
    return table(
      [by.toUpperCase(), 'COUNT', '$/MONTH'],
      groups.map((group) => [group.group, String(group.count), atLeast(group, unread)]),
    );
  return table(
    ['OBJECT', ...(isWide ? ['ID', 'LABEL', 'ACCOUNT'] : []), '$/MONTH', 'BASIS'],
    lines.map((line) => [
      nameOfLine(line),
      ...(isWide ? [String(line.id ?? ''), line.label, line.account ?? ''] : []),
      money(line.monthly),
      basisText(line),
    ]),
  );
}

function nameOfLine({ kind, object, of, id, label }: Line): string {
  if (of !== undefined) return `${calledIn(of.split(' ')[0] ?? '')} ${String(id)} of ${of}`;
  return `${kind} ${object ?? [id, label, unmanaged].filter((word) => word !== undefined && word !== '').join(' ')}`;
}

function shown(data: CostData, by: string | undefined, isWide = false): readonly string[] {
  const names = ownPrices.filter((name) => data.lines.some(({ monthly, basis }) => monthly === undefined && basis.includes(name)));
  return [
    ...(data.lines.length === 0 ? ['Nothing here costs anything, as far as this release knows.'] : tableOf(data, by, isWide)),
    `${data.month === undefined ? 'Together' : `Invoiced for ${data.month}`}: ${atLeast(data, data.unread)} $${data.month === undefined ? ' a month' : ''}.`,
    ...(data.unread ?? []).map((list) => `Not all was read: ${unreadText(list)}`),
    ...lackOf(names),
    ...(data.rest === undefined ? [] : [`For nothing of the above: ${money(data.rest)} $.`]),
    ...(data.uninvoiced === undefined ? [] : [`The account has ${money(data.uninvoiced)} $ for its next invoice by now.`]),
    ...(data.elsewhere > 0 ? [`${data.elsewhere} objects are of other accounts: name one with --account.`] : []),
  ];
}
