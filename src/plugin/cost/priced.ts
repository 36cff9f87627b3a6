import { isFree, type PriceList, pricing } from '../../kinds/for-plugin/prices.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { accountKey } from '../../engine/model/account.ts';
import { keyOf, nameOf } from '../../engine/model/object-id.ts';
import { type AnyKind, asSingleton, hasRemote, itemOf, collectionOf } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Remote } from '../dry/standing.ts';
import { registry } from '../command-line/kinds.ts';
import { idOf, isPart, remotesOf } from '../orphans/remotes.ts';
import type { UnreadLists } from '../orphans/unread.ts';
import type { CostData } from '../output/account-shapes.ts';

type Line = CostData['lines'][number];

/** Kinds that have a price, or of which nobody says that they have none. */
export const pricedKinds: readonly AnyKind[] = registry.kinds.filter((kind) => hasRemote(kind) && !isFree(kind.kind));

/** What the account has of these kinds, by path. Nodes that are paid with their pool are left out. */
export async function paidFor(
  account: AccountReader,
  kinds: readonly AnyKind[],
  unread: UnreadLists,
): Promise<ReadonlyMap<string, Remote>> {
  const covered = new Set(registry.kinds.flatMap(({ kind }) => pricing[kind]?.covers ?? []));
  const found = new Map<string, Remote>();
  for (const kind of kinds) {
    const remotes =
      asSingleton(kind) === undefined ? await remotesOf(account, kind, { unread: unread.of(kind) }) : await alwaysThere(account, kind);
    for (const remote of remotes) if (!isPart(remote) || !covered.has(kind.kind)) found.set(remote.path, remote);
  }
  return found;
}

/** What lies below something else is not looked for. */
async function alwaysThere(account: AccountReader, kind: AnyKind): Promise<readonly Remote[]> {
  if (kind.parent !== undefined) return [];
  const collection = collectionOf(kind, { name: '' });
  const row = await account.record(collection);
  return [{ kind, row, collection, path: itemOf(kind, row, collection) }];
}

interface Read {
  readonly paid: ReadonlyMap<string, Remote>;
  readonly unread: UnreadLists;
  readonly list: PriceList;
}
/** An object with what its remote costs. */
export function lineOf(object: Resource, { paid, unread, list }: Read): Line {
  const path = object.status?.['path'];
  const remote = typeof path === 'string' ? paid.get(path) : undefined;
  const labels = object.metadata.labels ?? {};
  const account = nameOf(accountKey(object));
  const about = { kind: object.kind, object: nameOf(keyOf(object)), namespace: object.metadata.namespace, account, labels };
  if (remote !== undefined) return { ...about, ...costOf(remote, list) };
  const isUnread = typeof path === 'string' && unread.has(registry.kind(object.kind), path);
  return {
    ...about,
    label: '',
    basis: isUnread ? 'the account does not give the list of its remote now' : 'the account does not show its remote',
  };
}

/** Kinds of what objects of these make besides. */
export const broughtBy = (kinds: readonly string[]): ReadonlySet<string> =>
  new Set(kinds.flatMap((kind) => pricing[kind]?.brings?.kind ?? []));

/** What is brought by an object of this kind, in a word. */
export const calledIn = (kind: string): string => pricing[kind]?.brings?.called ?? '';

/** What an object made besides its remote, as the pools in the spec of a cluster, by path. */
export function broughtOf({ kind, status = {} }: Resource, paid: ReadonlyMap<string, Remote>): ReadonlyMap<string, Remote> {
  const { brings } = pricing[kind] ?? {};
  const ids = new Set(brings?.ids(status).map(String));
  const below = `${String(status['path'])}/`;
  return new Map(
    [...paid].filter(
      ([path, remote]) => remote.kind.kind === brings?.kind && path.startsWith(below) && ids.has(String(idOf(remote.kind, remote.row))),
    ),
  );
}

/** What an object made besides: no object has its name. */
export function lineOfBrought(remote: Remote, { object, kind, namespace, account, labels }: Line, list: PriceList): Line {
  const owner = { ...(namespace !== undefined && { namespace }), ...(account !== undefined && { account }) };
  return { ...lineOfRemote(remote, list), of: `${kind} ${object}`, ...owner, labels };
}

/** What no object stands for. */
export const lineOfRemote = (remote: Remote, list: PriceList): Line => ({
  kind: remote.kind.kind,
  labels: {},
  ...costOf(remote, list),
});

function costOf({ kind, row }: Remote, list: PriceList): Pick<Line, 'id' | 'label' | 'monthly' | 'basis'> {
  const price = pricing[kind.kind];
  const monthly = price?.monthly(row, list);
  return {
    // What is always there has none.
    ...(asSingleton(kind) === undefined && { id: idOf(kind, row) }),
    label: String(row['label'] ?? ''),
    ...(monthly !== undefined && { monthly }),
    basis: price?.basis ?? 'this release does not know what it costs',
  };
}
