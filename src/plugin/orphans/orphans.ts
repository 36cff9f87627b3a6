import { shellWord } from '../../lib/shell-word.ts';
import { shownTime } from '../../lib/utc-time.ts';
import type { AnyKind } from '../../resource/index.ts';
import { type AccountReader, withAccount } from '../account/account-reader.ts';
import { shownName } from '../cluster/naming.ts';
import { whereabouts } from '../account/typed-again.ts';
import { tellSkew } from '../cluster/skew.ts';
import type { Call, Verb } from '../command-line/command.ts';
import type { Bound, Ownerless, Remote, Standing } from '../dry/standing.ts';
import { pricesOf, sumOf } from '../cost/paid.ts';
import { stateOf } from '../objects/facts.ts';
import { on, text } from '../command-line/flag.ts';
import { ownersAbove } from './above.ts';
import { kindsOfUser, standingOf } from './cluster.ts';
import { idOf, isPart, remotesOf } from './remotes.ts';
import { linesOf } from './text.ts';
import { settings } from './settings.ts';
import { carried, notLookedAt, type Wishes, wishesOf } from './wishes.ts';
import { registry } from '../command-line/kinds.ts';
import { UnreadLists } from './unread.ts';
import type { OrphansData, UnreadList } from '../output/account-shapes.ts';

/** What exists in the account that no object stands for, and objects whose remote is not there. */
export const orphans: Verb = (call) => {
  const wishes = wishesOf(call);
  return withAccount(call, 'orphans', async (account) => {
    const { session, flags } = call;
    const kinds = await kindsOfUser(session, account, wishes.kinds);
    await tellSkew(
      session,
      kinds.map(({ kind }) => kind),
    );
    const found = await compared(call, account, kinds);
    const data = await dataOf(call, account, { found, wishes });
    const hints = {
      unlooked:
        text(flags, 'kinds') === undefined ? { below: notLookedAt, carried, settings: settings.map(({ kind }) => kind) } : undefined,
      all: wishes.isWhole ? `kubectl cloud export --to fleet/${whereabouts(flags)}` : undefined,
    };
    const listed = data.orphans.length + data.missing.length > 0;
    return {
      // A part of the answer is never a "no", and never an "all is well".
      exit: (data.unread ?? []).length > 0 ? 4 : listed && on(flags, 'fail') ? 1 : 0,
      kind: 'Orphans',
      data,
      lines: linesOf(data, hints),
      wide: linesOf(data, hints, true),
    };
  });
};

interface Orphan {
  readonly remote: Remote;
  readonly ownerless: Ownerless;
}
interface Compared {
  readonly orphans: readonly Orphan[];
  readonly missing: readonly Bound[];
  readonly unread: readonly UnreadList[];
}

/** The objects are read before and after the account, so that nothing counts that was made or deleted meanwhile. */
async function compared({ session }: Call, account: AccountReader, kinds: readonly AnyKind[]): Promise<Compared> {
  const before = await standingOf(session, account, kinds);
  const remotes: Remote[] = [];
  const unread = new UnreadLists(session);
  for (const kind of kinds) remotes.push(...(await remotesOf(account, kind, { unread: unread.of(kind) })));
  const after = await standingOf(session, account, kinds);
  if (account.isRestricted)
    session.warn(
      `user ${account.shown.user} is restricted, so the account shows it only what it was granted: there may be more that has no object, and whether remotes of objects are missing is not told`,
    );
  return {
    orphans: remotes.flatMap((remote) => {
      const ownerless = before.of(remote) && after.of(remote);
      return ownerless === undefined || isPart(remote) ? [] : [{ remote, ownerless }];
    }),
    missing: account.isRestricted
      ? []
      : missingIn(remotes, before, after).filter(
          ({ object, path }) => kinds.includes(registry.kind(object.kind)) && !unread.has(registry.kind(object.kind), path),
        ),
    unread: unread.all,
  };
}

function missingIn(remotes: readonly Remote[], before: Standing, after: Standing): readonly Bound[] {
  const there = new Set(remotes.map(({ path }) => path));
  const earlier = new Map(before.bound.map(({ object, path }) => [object.metadata.uid, path]));
  return after.bound.filter(({ object, path }) => !there.has(path) && earlier.get(object.metadata.uid) === path);
}

async function dataOf(
  call: Call,
  account: AccountReader,
  { found: { orphans, missing, unread }, wishes: { shown: wanted, before } }: { readonly found: Compared; readonly wishes: Wishes },
): Promise<OrphansData> {
  const old = orphans.filter(({ ownerless: { madeAt } }) => before === undefined || madeAt === undefined || madeAt <= before);
  const count = (one: Ownerless['is']): number => old.filter(({ ownerless }) => ownerless.is === one).length;
  const listed = old.filter(({ ownerless }) => wanted.includes(ownerless.is));
  const remotes = listed.map(({ remote }) => remote);
  const above = await ownersAbove(call.session, account, [...new Set(remotes.map(({ kind }) => kind))]);
  const priceOf = on(call.flags, 'cost') ? await pricesOf(call, account, remotes) : undefined;
  return {
    account: account.shown,
    orphans: listed.map((one) => orphanRow(one, call, { monthly: priceOf?.(one.remote), above: above(one.remote) })),
    ...(priceOf && { monthly: sumOf(remotes.map(priceOf)) }),
    missing: wanted.includes('missing') ? missing.map(missingRow) : [],
    unread: [...unread],
    counts: {
      unmanaged: count('unmanaged'),
      retained: count('retained'),
      lost: count('lost'),
      foreign: count('foreign'),
      missing: missing.length,
    },
  };
}

function orphanRow(
  { remote: { kind, row, path }, ownerless: { is, tag, like, claimedBy, madeAt } }: Orphan,
  call: Call,
  { monthly, above }: { readonly monthly: number | undefined; readonly above: string | undefined },
): OrphansData['orphans'][number] {
  const id = idOf(kind, row);
  const region = row['region'] ?? row['cluster'];
  return {
    class: is,
    kind: kind.kind,
    id,
    label: labelIn(row),
    ...(typeof region === 'string' && { region }),
    ...(madeAt !== undefined && { created: shownTime(madeAt) }),
    path,
    ...(like && { like: shownName(like) }),
    ...(claimedBy && { claimedBy: shownName(claimedBy) }),
    ...(above !== undefined && { in: above }),
    ...bringing(kind, id, tag === 'foreign', call),
    ...(monthly !== undefined && { monthly }),
  };
}
const labelIn = ({ label, domain, summary, name }: Remote['row']): string => String(label ?? domain ?? summary ?? name ?? '');
const bringing = ({ shortName }: AnyKind, id: string | number, isForeign: boolean, call: Call) => ({
  adopt: `adopt: {id: ${JSON.stringify(id)}${isForeign ? ', force: true' : ''}}`,
  export: `kubectl cloud export --to - --id ${shellWord(`${shortName}/${id}`)}${isForeign ? ' --include-foreign' : ''}${whereabouts(call.flags)}`,
});
const missingRow = ({ object, path }: Bound): OrphansData['missing'][number] => {
  const { reason } = stateOf(object);
  return { object: shownName(object), path, ...(reason !== undefined && { reason }) };
};
