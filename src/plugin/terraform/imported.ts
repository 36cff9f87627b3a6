import { type AnyKind, asCollection, type Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Call } from '../command-line/command.ts';
import { disagreement } from '../dry/agrees.ts';
import type { Remote, Standing } from '../dry/standing.ts';
import { accountIn } from '../account/shown.ts';
import { admissible, commonOf, filtered, importedText, type Proof, proved, type Style } from '../export/files/manifest.ts';
import { distinct, keyOf } from '../export/placing/names.ts';
import { aboveOf, type Named, referenceBy } from '../export/references.ts';
import { wholeRow } from '../export/rows.ts';
import { type NeededSecret, secretsIn, withImage } from '../export/secrets.ts';
import type { Follower } from '../export/followers.ts';
import { type Draft, draftOf, draftOfWant, type RefTo, saying } from '../export/spec-of.ts';
import { registry } from '../command-line/kinds.ts';
import { kindsOfUser, standingOf } from '../orphans/cluster.ts';
import { idOf } from '../orphans/remotes.ts';
import { Apart, type Placed, saidToBe } from './apart.ts';
import { Finder } from './found.ts';
import type { Item } from './items.ts';
import { linking } from './linked.ts';
import type { Wishes } from './wishes.ts';

export interface Written {
  readonly manifest: string;
  readonly secrets: readonly NeededSecret[];
  /** Why the state is not what the account has. */
  readonly differs: string | undefined;
  readonly proven: boolean;
  /** What it leaves alone. */
  readonly follower: Follower | undefined;
  /** Why the file that is there stays as it is. */
  readonly kept?: string;
}
/** What one object came to. */
export type Brought = {
  readonly item: Item;
  readonly name: string;
  readonly namespace: string;
} & (Written | { readonly why: string });

/** Each as a manifest that is proven against what the account has; where the state says something else, the account is right unless the line says otherwise. */
export async function imported(
  { session }: Call,
  account: AccountReader,
  items: readonly Item[],
  wishes: Wishes,
): Promise<readonly Brought[]> {
  const standing = await standingOf(session, account, registry.kinds);
  const finder = new Finder(account, standing, await kindsOfUser(session, account, registry.kinds));
  const { here, brought } = await foundOf({ items, finder, standing, home: accountIn(account.shown.account).namespace }, wishes);
  const refsFrom = referenceBy(here, standing.bound, false);
  const rows: (Here & { readonly row: Row })[] = [];
  for (const one of here) rows.push({ ...one, row: await wholeRow(account, one.remote) });
  const link = linking(wishes.links ? rows.map((one) => ({ ...one, kind: one.remote.kind })) : []);
  const apart = new Apart(here, standing.bound);
  for (const one of rows) {
    const { item, remote, name, namespace, row } = one;
    const { kind } = remote;
    const style = styleOf(item, wishes.styleOf(namespace, accountIn(account.shown.account).written));
    const how = { ...style, follower: apart.follower(one, await finder.beside(remote)) };
    const refTo = refsFrom(namespace);
    const bare = { said: draftOfWant(kind, item.want, refTo), shown: draftOf(kind, row, placeOf(item, remote), refTo) };
    const full = (draft: Draft): Draft => {
      const linked = saying(link(kind, draft, namespace) ?? draft, apart.says(one));
      return wishes.withImage ? withImage(kind, linked, name) : linked;
    };
    const about = { kind, row, now: session.now };
    const result = attempts(about, item, { said: full(bare.said), shown: full(bare.shown), prefersState: wishes.prefersState }, how);
    brought.push(broughtOf(kind, { item, name, namespace }, result, how));
  }
  return brought;
}

/** The fields that say where it is; of what has no id, those that nothing of it tells. */
const placeOf = ({ want }: Item, remote: Remote): Row =>
  asCollection(remote.kind) === undefined
    ? Object.fromEntries(Object.entries(want).filter(([field]) => remote.kind.fields[field]?.read === undefined))
    : aboveOf(remote);

interface Here extends Named {
  readonly item: Item;
}
interface Looking {
  readonly items: readonly Item[];
  readonly finder: Finder;
  readonly standing: Standing;
  /** Namespace of the account. */
  readonly home: string;
}
async function foundOf({ items, finder, standing, home }: Looking, wishes: Wishes): Promise<{ here: readonly Here[]; brought: Brought[] }> {
  const taken = new Set(standing.objects.map(({ kind, metadata }) => keyOf({ kind, ...metadata })));
  const here: Here[] = [];
  const brought: Brought[] = [];
  for (const item of items) {
    const isShared = registry.kinds.find(({ kind }) => kind === item.kind)?.accountLevel === true;
    const namespace = isShared && wishes.placing !== undefined ? home : namespaceOf(item, wishes);
    const found: { readonly remote: Remote } | { readonly why: string } =
      isShared && namespace !== home ? { why: notHere(home) } : await finder.find(item);
    const isTaken = taken.has(keyOf({ kind: item.kind, namespace, name: item.name }));
    const name = isTaken && !isAlwaysThere(item) ? distinct(item.name, String(item.id)) : item.name;
    if ('why' in found) brought.push({ item, name, namespace, why: found.why });
    else
      here.push({
        item: completed(item, found.remote),
        remote: found.remote,
        id: idOf(found.remote.kind, found.remote.row),
        name,
        namespace,
      });
  }
  return { here, brought };
}

/** An object that is called so stands for the very same, and for nothing else: the account has it once. */
const isAlwaysThere = ({ kind }: Item): boolean =>
  registry.kinds.some((one) => one.kind === kind && asCollection(one) === undefined && one.parent === undefined);

const styleOf = ({ observed }: Item, style: Style): Style => (observed ? { ...style, management: 'Observe' } : style);

/** With what only the account knew of it. */
const completed = (item: Item, { kind, row }: Remote): Item =>
  item.sought === undefined ? item : { ...item, id: idOf(kind, row), want: { ...item.want, ...item.sought.lacks(row) } };

const namespaceOf = ({ addresses }: Item, { placing, namespace }: Pick<Wishes, 'namespace' | 'placing'>): string =>
  placing?.(addresses[0] ?? '') ?? namespace;

/** What all namespaces share is asked for in that of the account. */
const notHere = (home: string): string =>
  `an object of this kind must be in the namespace of the account: import it with -n ${home} and --include`;

interface Result {
  readonly proof: Proof;
  readonly proven: boolean;
  readonly differs: string | undefined;
}
type About = Parameters<typeof proved>[0];
interface How extends Style {
  readonly follower: Follower | undefined;
}
interface Drafts {
  readonly said: Draft;
  readonly shown: Draft;
  readonly prefersState: boolean;
}

/** What the state says; else its fields with what the account has; else all that the account shows. */
function attempts(about: About, item: Item, { said, shown, prefersState }: Drafts, how: How): Result {
  const common = commonFor(about.kind, item, how);
  const prove = (draft: Draft): Proof => proved(about, draft, common, how.strict);
  const first: Proof | undefined = item.whole ? undefined : prove(said);
  if (first !== undefined && 'spec' in first) return { proof: first, proven: true, differs: undefined };
  const preferred = first !== undefined && prefersState ? asSaid(about, said, common) : undefined;
  if (preferred !== undefined) return preferred;
  const open = withCreated(
    filtered(shown, (_, field) => !item.held.has(field)),
    said,
    item,
  );
  const named = filtered(open, (_, field) => field in said.spec || isRequired(about.kind, field));
  const second = prove(item.whole ? open : named);
  const proof = 'spec' in second ? second : prove(open);
  return { proof, proven: 'spec' in proof, differs: first?.why };
}

/** Unproven, as far as the API server takes it. */
function asSaid({ kind, row, now }: About, said: Draft, common: Row): Result | undefined {
  const taken = admissible(kind, said, common);
  if ('why' in taken) return undefined;
  const differs = disagreement({ kind, row, now }, taken.want);
  return { proof: { spec: { ...common, ...taken.spec } }, proven: differs === undefined, differs };
}
const isRequired = (kind: AnyKind, field: string): boolean => kind.spec.shape[field]?.safeParse(undefined).success === false;

/** What only the state tells, because the account does not: how something was made. */
const withCreated = (draft: Draft, said: Draft, { whole, want }: Item): Draft => {
  const created = Object.keys(want).filter((field) => whole && !(field in draft.want));
  const of = (from: Row): Row => Object.fromEntries(created.flatMap((field) => (field in from ? [[field, from[field]]] : [])));
  return { want: { ...draft.want, ...of(said.want) }, spec: { ...draft.spec, ...of(said.spec) } };
};

function broughtOf(kind: AnyKind, of: Pick<Brought, 'item' | 'name' | 'namespace'>, { proof, proven, differs }: Result, how: How): Brought {
  if ('why' in proof) return { ...of, why: proof.why };
  const manifest = importedText(kind, { name: of.name, address: of.item.addresses[0] ?? '', observed: of.item.observed }, proof.spec, how);
  return { ...of, manifest, secrets: secretsIn({ ...of, kind: kind.kind, spec: proof.spec }), differs, proven, follower: how.follower };
}

/** What is always there has nothing to adopt, and would be reset with its object, where it can be reset. */
function commonFor(kind: AnyKind, { id }: Item, { follower, ...style }: How): Row {
  if (asCollection(kind) !== undefined) return commonOf(kind, id, style, follower && [follower.field]);
  const { onDelete = 'Retain', ...bare } = style;
  const { adopt: _, ...common } = commonOf(kind, id, kind.deletion === undefined ? bare : { ...bare, onDelete });
  return common;
}

/** As the state says it, with nobody asked; what the API server would refuse is left out. `account`: as the line names it. */
export function offline(
  items: readonly Item[],
  account: string,
  wishes: Pick<Wishes, 'namespace' | 'placing' | 'styleOf' | 'withImage'>,
): readonly Brought[] {
  const home = account.includes('/') ? account : `${wishes.namespace}/${account}`;
  const placed = items.map((item) => ({ item, name: item.name, namespace: namespaceOf(item, wishes), remote: saidToBe(item) }));
  const there = new Map(placed.map((one) => [`${one.item.kind} ${one.item.id}`, one]));
  const known = placed.flatMap(({ remote, ...one }): readonly Placed[] => (remote === undefined ? [] : [{ ...one, remote }]));
  const remotes = known.map(({ remote }) => remote);
  const apart = new Apart(known, []);
  return placed.map(({ remote, ...of }): Brought => {
    const { item } = of;
    const refTo: RefTo = ({ kind }, id) => {
      const target = there.get(`${kind} ${id}`);
      return target?.namespace === of.namespace ? { name: target.name } : { external: id };
    };
    const kind = registry.kinds.find((one) => one.kind === item.kind);
    if (kind === undefined) return { ...of, why: `this release has no ${item.kind}; keep it in Terraform` };
    if (item.whole || item.sought !== undefined) return { ...of, why: 'only the account says what it is: leave out --verify=none' };
    const one = remote && { ...of, remote };
    const how = { ...styleOf(item, wishes.styleOf(of.namespace, home)), follower: one && apart.follower(one, remotes) };
    const common = commonFor(kind, item, how);
    const said = saying(draftOfWant(kind, item.want, refTo), one === undefined ? {} : apart.says(one));
    const draft = admissible(kind, wishes.withImage ? withImage(kind, said, item.name) : said, common);
    if ('why' in draft) return { ...of, why: draft.why };
    return broughtOf(kind, of, { proof: { spec: { ...common, ...draft.spec } }, proven: false, differs: undefined }, how);
  });
}
