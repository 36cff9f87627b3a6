import { type AnyRule, parentOfItem } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import type { Remote, Standing } from '../dry/standing.ts';
import { registry } from '../command-line/kinds.ts';

interface Around {
  /** All that the account shows. */
  readonly remotes: readonly Remote[];
  /** Paths that get a manifest, which says that nothing below them follows. */
  readonly written: ReadonlySet<string>;
  readonly standing: Standing;
}
/** A field that changes with what the remote lies in, by no wish of its own, and why. */
export interface Follower {
  readonly field: string;
  readonly why: string;
}

/**
 * Written as a wish it would differ after a change of what is above, and ask to be set back: to a size that a new plan may not even
 * hold. So it is written, and left alone.
 */
export function followerOf(remote: Remote, { remotes, written, standing }: Around): Follower | undefined {
  const { kind, path } = remote;
  if (kind.parent === undefined) return undefined;
  const above = parentOfItem(kind, path);
  const object = standing.bound.find((one) => one.path === above)?.object;
  if (written.has(above)) return undefined;
  return rulesAbout(kind.kind).flatMap(([name, { beside }]) => {
    if (beside === undefined || object?.spec[name] === beside.says) return [];
    const rows = remotes.filter((one) => one.kind === kind && parentOfItem(kind, one.path) === above).map(({ row }) => row);
    if (beside.follows.among(rows) !== remote.row) return [];
    const { field } = beside.follows;
    return [
      {
        field,
        why: `${field} is left alone (lifecycle.ignoreFields), as ${beside.takes.replace(/; .*/, '')}. To set it yourself, write ${name}: ${String(beside.says)} ${object === undefined ? 'once that has an object' : `in ${shownName(object)}`}, and take it out of ignoreFields`,
      },
    ];
  })[0];
}

const rulesAbout = (kind: string): readonly (readonly [string, AnyRule])[] =>
  registry.kinds.flatMap(({ fields }) => Object.entries(fields).filter(([, { beside }]) => beside?.kind === kind));
