import type { Resource } from '../../engine/ports/kubernetes.ts';
import { type AccountReader } from '../account/account-reader.ts';
import type { Call } from '../command.ts';
import type { Remote, Standing } from '../dry/standing.ts';
import { kindsOfUser, standingOf } from '../orphans/cluster.ts';
import { idOf, isPart, partText, remotesOf } from '../orphans/remotes.ts';
import { registry } from '../kinds.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { commonOf, manifestText, proved } from './manifest.ts';
import { Names } from './names.ts';
import { wholeRow } from './rows.ts';
import { aboveOf, type Named, referenceBy } from './references.ts';
import { draftOf } from './spec-of.ts';
import type { Wishes } from './wishes.ts';

/** A remote that gets a manifest. */
interface Chosen extends Named {
  /** It has the tag of another installation. */
  readonly foreign: boolean;
  /** No object has it, and no tag says whose it is. */
  readonly unclaimed: boolean;
}

interface Exported {
  /** By kind and name. */
  readonly manifests: ReadonlyMap<string, string>;
  readonly kinds: ExportData['kinds'];
  readonly unproven: ExportData['unproven'];
  readonly skipped: ExportData['skipped'];
}

/** Everything that is asked for, as manifests that are proven against what the account has. */
export async function exported({ session }: Call, account: AccountReader, wishes: Wishes): Promise<Exported> {
  const standing = await standingOf(session, account, registry.kinds);
  const remotes: Remote[] = [];
  for (const kind of await kindsOfUser(session, account, wishes.kinds)) remotes.push(...(await remotesOf(account, kind)));
  const { chosen, skipped } = choose(remotes, standing, wishes);
  const refTo = referenceBy(chosen, standing.bound, { namespace: wishes.style.namespace, byId: wishes.byId });
  const manifests = new Map<string, string>();
  const unproven: ExportData['unproven'][number][] = [];
  for (const one of chosen) {
    const { kind, path } = one.remote;
    const row = await wholeRow(account, one.remote);
    const common = commonOf(kind, one.id, wishes.style);
    const adopt = one.foreign ? { ...common, adopt: { id: one.id, force: true } } : common;
    const draft = draftOf(kind, row, aboveOf(one.remote), refTo);
    const proof = proved({ kind, row, now: session.now }, draft, adopt, wishes.style.strict);
    if ('spec' in proof) manifests.set(`${kind.kind} ${one.name}`, manifestText(kind, one.name, proof.spec, wishes.style));
    else unproven.push({ kind: kind.kind, id: one.id, path, why: proof.why });
  }
  const kinds = wishes.kinds.map(({ kind }) => ({
    kind,
    found: remotes.filter((remote) => remote.kind.kind === kind).length,
    written: [...manifests.keys()].filter((key) => key.startsWith(`${kind} `)).length,
  }));
  return { manifests, kinds: kinds.filter(({ found }) => found > 0), unproven, skipped };
}

function choose(
  remotes: readonly Remote[],
  standing: Standing,
  wishes: Wishes,
): { chosen: readonly Chosen[]; skipped: ExportData['skipped'] } {
  const names = new Names();
  for (const { object } of standing.bound) names.take(object.kind, object.metadata.name);
  const chosen: Chosen[] = [];
  const skipped: ExportData['skipped'][number][] = [];
  for (const remote of remotes) {
    const id = idOf(remote.kind, remote.row);
    if (wishes.ids !== undefined && !wishes.ids.has(`${remote.kind.kind} ${id}`)) continue;
    const holder = standing.bound.find(({ object, path }) => object.kind === remote.kind.kind && path === remote.path)?.object;
    const { foreign, why } = judged(remote, { standing, holder }, wishes);
    if (why !== undefined) skipped.push({ kind: remote.kind.kind, id, path: remote.path, why });
    else {
      const unclaimed = standing.of(remote)?.tag === 'none';
      chosen.push({ remote, id, name: holder?.metadata.name ?? names.give(remote.kind.kind, remote.row, id), foreign, unclaimed });
    }
  }
  return withoutMembers(chosen, skipped);
}

/** What the manifest of something else names gets none of its own: it would have two owners. */
function withoutMembers(chosen: readonly Chosen[], skipped: ExportData['skipped']): ReturnType<typeof choose> {
  const lists = new Map(chosen.flatMap(({ remote, name }) => memberLists(remote, name)));
  const naming = ({ remote, unclaimed }: Chosen): string | undefined => (unclaimed ? lists.get(remote.collection) : undefined);
  const members = chosen.flatMap((one) => {
    const why = naming(one);
    return why === undefined ? [] : [{ kind: one.remote.kind.kind, id: one.id, path: one.remote.path, why }];
  });
  return { chosen: chosen.filter((one) => naming(one) === undefined), skipped: [...skipped, ...members] };
}
/** The lists of what it names, and why what stands in them gets no manifest. */
const memberLists = ({ kind, path, row }: Remote, name: string): readonly (readonly [string, string])[] =>
  Object.entries(kind.fields).flatMap(([field, { members, part = '' }]) => {
    const list = kind.parts?.[part]?.path(path, row);
    return members === undefined || list === undefined ? [] : [[list, `the manifest of ${kind.kind} ${name} names it in spec.${field}`]];
  });

interface Holders {
  readonly standing: Standing;
  /** The object that has it. */
  readonly holder: Resource | undefined;
}
/** Whether another installation has it, and why it gets no manifest. */
function judged(
  remote: Remote,
  { standing, holder }: Holders,
  wishes: Wishes,
): { readonly foreign: boolean; readonly why: string | undefined } {
  const ownerless = standing.of(remote);
  if (ownerless === undefined) return { foreign: false, why: wishes.all ? elsewhere(holder, wishes) : 'an object stands for it' };
  if (isPart(remote)) return { foreign: false, why: partText };
  const foreign = ownerless.tag === 'foreign';
  return { foreign, why: foreign && !wishes.foreign ? foreignText : undefined };
}
/** A second object for it, in another namespace, could never have it. */
const elsewhere = (holder: Resource | undefined, { style }: Wishes): string | undefined =>
  holder === undefined || holder.metadata.namespace === style.namespace
    ? undefined
    : `an object of namespace ${holder.metadata.namespace} stands for it: -n ${holder.metadata.namespace} writes its manifest`;
const foreignText = 'it has the tag of another installation; --include-foreign takes it over with adopt.force';
