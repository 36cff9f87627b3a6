import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { accountIn } from '../account/shown.ts';
import { shownName } from '../cluster/naming.ts';
import type { Ownerless, Remote, Standing } from '../dry/standing.ts';
import { idOf, isPart, partText } from '../orphans/remotes.ts';
import { parentOfItem, type Row } from '../../resource/index.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { type Lineage, lineageOf } from './lineage.ts';
import { calledIn, Names } from './placing/names.ts';
import { isNamespace, noting, reservedText } from './placing/placing.ts';
import type { Named } from './references.ts';
import type { Wishes } from './wishes.ts';

/** A remote that gets a manifest. */
export interface Chosen extends Named {
  /** It has the tag of another installation. */
  readonly foreign: boolean;
  /** No object has it, and no tag says whose it is. */
  readonly unclaimed: boolean;
}
export type Skipped = ExportData['skipped'][number];
/** What the manifest of something else names; `by`: the path of that. */
interface MemberOf extends Skipped {
  readonly remote: Remote;
  readonly by: string;
}
export interface Choice {
  readonly chosen: readonly Chosen[];
  /** `--namespace-by` fits nothing of it. */
  readonly isUnplaced: boolean;
  readonly skipped: readonly Skipped[];
  readonly members: readonly MemberOf[];
}

/** Of everything that the account has what the line asks for; `account` is its CloudAccount, as NAMESPACE/NAME. */
export async function chosenOf(
  account: AccountReader,
  { remotes, standing }: { readonly remotes: readonly Remote[]; readonly standing: Standing },
  wishes: Wishes,
): Promise<Choice> {
  const needsAbove = wishes.fits !== undefined || wishes.placing !== undefined;
  const lineage: Lineage = needsAbove ? await lineageOf(account, remotes) : (remote) => [remote];
  const names = new Names(wishes.namesById);
  for (const { kind, metadata } of standing.objects) names.take({ kind, ...metadata });
  const home = accountIn(account.shown.account).namespace;
  const chosen: Chosen[] = [];
  const skipped: Skipped[] = [];
  const asked = remotes.filter((one) => isAsked(one, lineage, wishes));
  const above = ambiguousBelow(asked, remotes);
  const { placing, fitsNothing } = noting(wishes.placing);
  for (const remote of asked) {
    const { kind, row, path } = remote;
    const id = idOf(kind, row);
    const holder = standing.objectOf(remote);
    const place = placeOf(remote, { holder, home, lineage }, { ...wishes, placing });
    const { namespace } = place;
    const { foreign, why = misplaced(remote, place, home), ...claim } = judged(remote, { standing, holder, namespace }, wishes);
    if (why !== undefined) skipped.push({ kind: kind.kind, id, path, why, ...claim });
    else {
      const name = holder?.metadata.name ?? names.give({ kind: kind.kind, namespace }, row, id, above(remote));
      chosen.push({ remote, id, name, namespace, foreign, unclaimed: standing.of(remote)?.tag === 'none' });
    }
  }
  return { ...withoutMembers(chosen, skipped), isUnplaced: fitsNothing() };
}

const isAsked = (remote: Remote, lineage: Lineage, { ids, fits }: Wishes): boolean =>
  ids?.has(`${remote.kind.kind} ${idOf(remote.kind, remote.row)}`) !== false && fits?.(lineage(remote)) !== false;

/** Of what is called as something below another thing is, what it lies below: a `www` of one domain is told from that of another. */
function ambiguousBelow(asked: readonly Remote[], all: readonly Remote[]): (remote: Remote) => Row | undefined {
  const rows = new Map(all.map(({ path, row }) => [path, row]));
  const parents = new Map<string, Set<string | undefined>>();
  for (const one of asked) parents.set(wordOf(one), (parents.get(wordOf(one)) ?? new Set()).add(parentOf(one)));
  return (remote) => ((parents.get(wordOf(remote))?.size ?? 0) > 1 ? rows.get(parentOf(remote) ?? '') : undefined);
}

const parentOf = ({ kind, path }: Remote): string | undefined => (kind.parent === undefined ? undefined : parentOfItem(kind, path));
const wordOf = ({ kind, row }: Remote): string => `${kind.kind} ${calledIn(row).toLowerCase()}`;

interface Around {
  readonly holder: Resource | undefined;
  readonly home: string;
  readonly lineage: Lineage;
}
interface Placed {
  readonly namespace: string;
  /** Why nothing is written there. */
  readonly unfit?: string;
}
/** What has an object stays where that is, and what all namespaces share is asked for in that of the account. */
function placeOf(remote: Remote, { holder, home, lineage }: Around, { placing, isReserved, namespace }: Wishes): Placed {
  if (placing === undefined) return { namespace };
  if (remote.kind.accountLevel === true) return { namespace: home };
  if (holder !== undefined) return { namespace: holder.metadata.namespace };
  const told = placing(lineage(remote));
  return { namespace: told ?? namespace, ...(told !== undefined && isReserved(told) && { unfit: reservedText(told) }) };
}

function misplaced({ kind }: Remote, { namespace, unfit }: Placed, home: string): string | undefined {
  if (unfit !== undefined) return unfit;
  if (!isNamespace(namespace)) return `${namespace} is no name of a namespace: lower-case letters, digits and -, at most 63`;
  if (kind.accountLevel !== true || namespace === home) return undefined;
  return `an object of this kind must be in the namespace of the account: -n ${home} writes its manifest`;
}

/** What the manifest of something else names gets none of its own: it would have two owners. */
function withoutMembers(chosen: readonly Chosen[], skipped: readonly Skipped[]): Omit<Choice, 'isUnplaced'> {
  const lists = new Map(chosen.flatMap(({ remote, name }) => memberLists(remote, name)));
  const naming = ({ remote, unclaimed }: Chosen): List | undefined => {
    const list = unclaimed ? lists.get(remote.collection) : undefined;
    return list?.names(remote.row) === true ? list : undefined;
  };
  const members = chosen.flatMap((one) => {
    const list = naming(one);
    return list === undefined
      ? []
      : [{ remote: one.remote, kind: one.remote.kind.kind, id: one.id, path: one.remote.path, why: list.why, by: list.by }];
  });
  return { chosen: chosen.filter((one) => naming(one) === undefined), skipped, members };
}
interface List {
  /** The path of what has it. */
  readonly by: string;
  /** Why what it names gets no manifest. */
  readonly why: string;
  readonly names: (row: Row) => boolean;
}
/** The lists of which it names what is nobody's, by their paths. */
const memberLists = ({ kind, path, row }: Remote, name: string): readonly (readonly [string, List])[] =>
  Object.entries(kind.fields).flatMap(([field, { members, part = '' }]) => {
    const list = kind.parts?.[part]?.path(path, row);
    if (members?.found === undefined || list === undefined) return [];
    const { found } = members;
    const names = (one: Row): boolean => (found({ ...row, [part]: [one] }) ?? []).length > 0;
    return [[list, { by: path, why: `the manifest of ${kind.kind} ${name} names it in spec.${field}`, names }] as const];
  });

interface Holders {
  readonly standing: Standing;
  /** The object that has it. */
  readonly holder: Resource | undefined;
  /** Where its manifest would be. */
  readonly namespace: string;
}
/** Whether another installation has it, and why it gets no manifest. */
interface Judged extends Pick<Skipped, 'claimedBy' | 'object'> {
  readonly foreign: boolean;
  readonly why: string | undefined;
}
function judged(remote: Remote, { standing, holder, namespace }: Holders, wishes: Wishes): Judged {
  const member = standing.memberOf(remote);
  if (holder === undefined && member !== undefined)
    return {
      foreign: false,
      why: `${shownName(member.object)} names it in spec.${member.field}`,
      object: shownName(member.object),
    };
  const ownerless = standing.of(remote);
  if (ownerless === undefined) return { foreign: false, ...taken(holder, namespace, wishes) };
  if (isPart(remote)) return { foreign: false, why: partText };
  const foreign = ownerless.tag === 'foreign';
  return { foreign, ...(foreign && !wishes.foreign ? { why: foreignText } : claimed(ownerless, wishes)) };
}
/** Of one that is named by its id, which object it is; of many one text, as reasons are told together. */
function taken(holder: Resource | undefined, namespace: string, { all, ids }: Wishes): Omit<Judged, 'foreign'> {
  const object = holder === undefined ? {} : { object: shownName(holder) };
  if (all) return { why: elsewhere(holder, namespace), ...object };
  if (ids === undefined || holder === undefined) return { why: 'an object stands for it', ...object };
  return { why: `${shownName(holder)} stands for it already; with --all its manifest is written under that name`, ...object };
}
/** Whoever names it by its id has decided whose it is. */
function claimed({ claimedBy }: Ownerless, { ids }: Wishes): Omit<Judged, 'foreign'> {
  return claimedBy === undefined || ids !== undefined
    ? { why: undefined }
    : { why: claimedText(claimedBy.metadata.namespace), claimedBy: shownName(claimedBy) };
}
/** One text for all of a namespace: reasons are told together. */
const claimedText = (namespace: string): string =>
  `an object of namespace ${namespace} names it in annotation cloudhosting.dev/remote, and its status does not, so that it may have been restored from a backup, or anybody wrote that: kubectl cloud orphans says which object. If it is that one's, the operator proves it, or that object adopts it; if not, --id writes its manifest`;
/** A second object for it, in another namespace, could never have it. */
const elsewhere = (holder: Resource | undefined, namespace: string): string | undefined =>
  holder === undefined || holder.metadata.namespace === namespace
    ? undefined
    : `an object of namespace ${holder.metadata.namespace} stands for it: -n ${holder.metadata.namespace} writes its manifest`;
const foreignText = 'it has the tag of another installation; --include-foreign takes it over with adopt.force';
