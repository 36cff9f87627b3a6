import { type AnyKind, asCollection, type Row } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Call } from '../command.ts';
import { admissible, commonOf, filtered, importedText, type Proof, proved, type Style } from '../export/manifest.ts';
import { aboveOf, type Named, referenceBy } from '../export/references.ts';
import { wholeRow } from '../export/rows.ts';
import { type Draft, draftOf, draftOfWant, type RefTo } from '../export/spec-of.ts';
import { registry } from '../kinds.ts';
import { kindsOfUser, standingOf } from '../orphans/cluster.ts';
import { distinct } from './address.ts';
import { Finder } from './found.ts';
import type { Item } from './items.ts';

/** What one object came to. */
export type Brought = {
  readonly item: Item;
  readonly name: string;
} & (
  | {
      readonly manifest: string;
      /** Why the state is not what the account has. */ readonly differs: string | undefined;
      readonly proven: boolean;
    }
  | { readonly why: string }
);

/** Each as a manifest that is proven against what the account has; where the state says something else, the account is right. */
export async function imported(
  { session }: Call,
  account: AccountReader,
  items: readonly Item[],
  style: Style,
): Promise<readonly Brought[]> {
  const standing = await standingOf(session, account, registry.kinds);
  const finder = new Finder(account, standing, await kindsOfUser(session, account, registry.kinds));
  const taken = new Set(
    standing.bound
      .filter(({ object }) => object.metadata.namespace === style.namespace)
      .map(({ object }) => `${object.kind} ${object.metadata.name}`),
  );
  const here: (Named & { readonly item: Item })[] = [];
  const brought: Brought[] = [];
  for (const item of items) {
    const found = elsewhere(item, style) ?? (await finder.find(item));
    const name = taken.has(`${item.kind} ${item.name}`) ? distinct(item.name, String(item.id)) : item.name;
    if ('why' in found) brought.push({ item, name, why: found.why });
    else here.push({ item, remote: found.remote, id: item.id, name, namespace: style.namespace });
  }
  const refTo = referenceBy(here, standing.bound, false)(style.namespace);
  for (const { item, remote, name } of here) {
    const { kind } = remote;
    const row = await wholeRow(account, remote);
    const shown = draftOf(kind, row, aboveOf(remote), refTo);
    const result = attempts({ kind, row, now: session.now }, item, { said: draftOfWant(kind, item.want, refTo), shown }, style);
    const { proof, differs } = result;
    if ('spec' in proof) brought.push({ item, name, manifest: textOf(kind, { item, name }, proof.spec, style), differs, proven: true });
    else brought.push({ item, name, why: proof.why });
  }
  return brought;
}

/** What all namespaces share is asked for in that of the account. */
function elsewhere({ kind }: Item, { accountRef }: Style): { readonly why: string } | undefined {
  const namespace = accountRef?.['namespace'];
  if (typeof namespace !== 'string' || registry.kinds.find((one) => one.kind === kind)?.accountLevel !== true) return undefined;
  return { why: `an object of this kind must be in the namespace of the account: import it with -n ${namespace} and --include` };
}

interface Result {
  readonly proof: Proof;
  readonly differs: string | undefined;
}
type About = Parameters<typeof proved>[0];

/** What the state says; else its fields with what the account has; else all that the account shows. */
function attempts(about: About, item: Item, { said, shown }: { readonly said: Draft; readonly shown: Draft }, style: Style): Result {
  const common = commonFor(about.kind, item, style);
  const prove = (draft: Draft): Proof => proved(about, draft, common, style.strict);
  const first: Proof | undefined = item.whole ? undefined : prove(said);
  if (first !== undefined && 'spec' in first) return { proof: first, differs: undefined };
  const open = filtered(shown, (_, field) => !item.held.has(field));
  const named = filtered(open, (_, field) => field in said.spec || isRequired(about.kind, field));
  const second = prove(item.whole ? open : named);
  const proof = 'spec' in second ? second : prove(open);
  return { proof, differs: first?.why };
}
const isRequired = (kind: AnyKind, field: string): boolean => kind.spec.shape[field]?.safeParse(undefined).success === false;

/** What is always there has nothing to adopt, and would be reset with its object. */
function commonFor(kind: AnyKind, { id }: Item, style: Style): Row {
  if (asCollection(kind) !== undefined) return commonOf(kind, id, style);
  const { adopt: _, ...common } = commonOf(kind, id, { ...style, onDelete: style.onDelete ?? 'Retain' });
  return common;
}

/** As the state says it, with nobody asked; what the API server would refuse is left out. */
export function offline(items: readonly Item[], style: Style): readonly Brought[] {
  const names = new Map(items.map(({ kind, id, name }) => [`${kind} ${id}`, name]));
  const refTo: RefTo = ({ kind }, id) => {
    const name = names.get(`${kind} ${id}`);
    return name === undefined ? { external: id } : { name };
  };
  return items.map((item) => {
    const { name } = item;
    const kind = registry.kinds.find((one) => one.kind === item.kind);
    if (kind === undefined) return { item, name, why: `this release has no ${item.kind}; keep it in Terraform` };
    if (item.whole) return { item, name, why: 'only the account says what it is: leave out --verify=none' };
    const common = commonFor(kind, item, style);
    const draft = admissible(kind, draftOfWant(kind, item.want, refTo), common);
    if ('why' in draft) return { item, name, why: draft.why };
    return {
      item,
      name,
      manifest: textOf(kind, { item, name }, { ...common, ...draft.spec }, style),
      differs: undefined,
      proven: false,
    };
  });
}

const textOf = (kind: AnyKind, { item, name }: { readonly item: Item; readonly name: string }, spec: Row, style: Style): string =>
  importedText(kind, { name, address: item.addresses[0] ?? '' }, spec, style);
