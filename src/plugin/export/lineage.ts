import { parentOfItem } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import type { Remote } from '../dry/standing.ts';
import { parentOf, remotesOf } from '../orphans/remotes.ts';

/** A remote, and above it what it lies below. */
export type Lineage = (remote: Remote) => readonly Remote[];

/** Of these remotes; what they lie below is read where it is not among them. */
export async function lineageOf(account: AccountReader, remotes: readonly Remote[]): Promise<Lineage> {
  const known = new Map(remotes.map((remote) => [remote.path, remote]));
  const kinds = new Set(remotes.map(({ kind }) => kind));
  for (const kind of kinds) {
    if (kind.parent === undefined) continue;
    const above = parentOf(kind, kind.parent.ref);
    if (!kinds.has(above)) for (const remote of await remotesOf(account, above)) known.set(remote.path, remote);
  }
  return (remote) => {
    const above = remote.kind.parent === undefined ? undefined : known.get(parentOfItem(remote.kind, remote.path));
    return above === undefined ? [remote] : [remote, above];
  };
}
