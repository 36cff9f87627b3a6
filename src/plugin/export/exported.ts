import { collectionOf, type AnyWant, type Row } from '../../resource/index.ts';
import { type AccountReader } from '../account/account-reader.ts';
import type { Call } from '../command.ts';
import type { Remote, Standing } from '../dry/standing.ts';
import { kindsOfUser, standingOf } from '../orphans/cluster.ts';
import { idOf, isPart, remotesOf } from '../orphans/remotes.ts';
import { registry } from '../kinds.ts';
import type { ExportData } from '../output/account-shapes.ts';
import { commonOf, manifestText, proved } from './manifest.ts';
import { Names } from './names.ts';
import { wholeRow } from './rows.ts';
import { draftOf, type RefTo } from './spec-of.ts';
import type { Wishes } from './wishes.ts';

/** A remote that gets a manifest. */
interface Chosen {
  readonly remote: Remote;
  readonly id: string | number;
  readonly name: string;
  /** It has the tag of another installation. */
  readonly foreign: boolean;
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
  const refTo = referenceBy(chosen, standing, wishes);
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
    const { foreign, why } = judged(remote, standing, wishes);
    if (why !== undefined) skipped.push({ kind: remote.kind.kind, id, path: remote.path, why });
    else chosen.push({ remote, id, name: names.give(remote.kind.kind, remote.row, id), foreign });
  }
  return { chosen, skipped };
}

/** Whether another installation has it, and why it gets no manifest. */
function judged(remote: Remote, standing: Standing, wishes: Wishes): { readonly foreign: boolean; readonly why: string | undefined } {
  const ownerless = standing.of(remote);
  if (ownerless === undefined) return { foreign: false, why: wishes.all ? undefined : 'an object stands for it' };
  if (isPart(remote)) return { foreign: false, why: partText };
  const foreign = ownerless.tag === 'foreign';
  return { foreign, why: foreign && !wishes.foreign ? foreignText : undefined };
}
const partText = 'it is a part of something else in the account, such as a node of a Kubernetes cluster, and goes with that';
const foreignText = 'it has the tag of another installation; --include-foreign takes it over with adopt.force';

/** By the name of what is exported beside it or stands for it in this namespace; by its id where there is neither. */
function referenceBy(chosen: readonly Chosen[], standing: Standing, { style, byId }: Wishes): RefTo {
  const known = new Map<string, string>();
  for (const { object, path } of standing.bound)
    if (object.metadata.namespace === style.namespace) known.set(`${object.kind} ${path}`, object.metadata.name);
  for (const { remote, name } of chosen) known.set(`${remote.kind.kind} ${remote.path}`, name);
  const paths = new Map(chosen.map(({ remote, id }) => [`${remote.kind.kind} ${id}`, remote.path]));
  return (kind, id) => {
    const path = paths.get(`${kind} ${id}`) ?? pathOf(kind, id);
    const name = byId || path === undefined ? undefined : known.get(`${kind} ${path}`);
    return name === undefined ? { external: id } : { name };
  };
}

/** Of a kind whose items lie in one list. */
function pathOf(name: string, id: string | number): string | undefined {
  const kind = registry.kind(name);
  return kind.parent === undefined ? `${collectionOf(kind, nobody)}/${id}` : undefined;
}
const nobody: AnyWant = { name: '' };

/** The field that leads to what it lies below, by the path of its list. */
function aboveOf({ kind, collection }: Remote): Row {
  if (kind.parent === undefined) return {};
  const [, ...pieces] = collection.split('/');
  const below = collectionOf(kind, { name: '', [kind.parent.ref]: marked });
  const at = below.split('/').indexOf(encodeURIComponent(marked));
  const id = decodeURIComponent(pieces[at - 1] ?? '');
  return { [kind.parent.ref]: /^\d+$/.test(id) ? Number(id) : id };
}
const marked = 'the-id';
