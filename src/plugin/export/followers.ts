import { type AnyKind, type AnyRule, parentOfItem, type Row } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import type { Bound, Remote } from '../dry/standing.ts';
import { registry } from '../command-line/kinds.ts';

/** What stands for something of the account, or will once the manifests are applied. */
export interface Above {
  readonly spec: Row;
  /** As it is shown. */
  readonly name: string;
}
export const standingAt = ({ object, path }: Bound): readonly [path: string, above: Above] => [
  path,
  { spec: object.spec, name: shownName(object) },
];
interface Around {
  /** All that may lie beside it. */
  readonly remotes: readonly Remote[];
  readonly above: (path: string) => Above | undefined;
}
/** A field that changes with what the remote lies in, by no wish of its own, and why. */
export interface Follower {
  readonly field: string;
  /** Its value is nobody's wish, so that the manifest does not say it at all. */
  readonly leftOut?: true;
  readonly why: string;
}

/**
 * Written as a wish it would differ after a change of what is above, and ask to be set back: to a size that a new plan may not even
 * hold. So it is written, and left alone.
 */
export function followerOf(remote: Remote, { remotes, above }: Around): Follower | undefined {
  const { kind, path } = remote;
  if (kind.parent === undefined) return undefined;
  const at = parentOfItem(kind, path);
  const object = above(at);
  return rulesAbout(kind.kind).flatMap(([name, { beside }]) => {
    if (beside === undefined || object?.spec[name] === beside.says) return [];
    const rows = remotes.filter((one) => one.kind === kind && parentOfItem(kind, one.path) === at).map(({ row }) => row);
    if (beside.follows.among(rows) !== remote.row) return [];
    const { field } = beside.follows;
    return [
      {
        field,
        why: `${field} is left alone (lifecycle.ignoreFields), as ${beside.takes.replace(/; .*/, '')}. To set it yourself, write ${name}: ${String(beside.says)} ${object === undefined ? 'once that has an object' : `in ${object.name}`}, and take it out of ignoreFields`,
      },
    ];
  })[0];
}

const rulesAbout = (kind: string): readonly (readonly [string, AnyRule])[] =>
  registry.kinds.flatMap(({ fields }) => Object.entries(fields).filter(([, { beside }]) => beside?.kind === kind));

/** Something of it may change with what it lies in. */
export const mayFollow = ({ kind }: AnyKind): boolean => rulesAbout(kind).length > 0;
export const isFollowed = ({ fields }: AnyKind): boolean => Object.values(fields).some(({ beside }) => beside !== undefined);

/** What a manifest says because things of these kinds below it get manifests of their own: that they follow nothing. */
export const apartFrom = ({ fields }: AnyKind, below: ReadonlySet<string>): Row =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([field, { beside }]) => (beside !== undefined && below.has(beside.kind) ? [[field, beside.says]] : [])),
  );
