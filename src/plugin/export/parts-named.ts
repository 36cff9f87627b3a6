import { type AnyKind, asCollection, idsIn } from '../../resource/index.ts';
import type { AccountReader } from '../account/account-reader.ts';
import { PathRefused } from '../account/told.ts';
import { registry } from '../command-line/kinds.ts';
import type { Remote } from '../dry/standing.ts';
import { idOf, isPart, remotesOf } from '../orphans/remotes.ts';
import type { Session } from '../session.ts';
import type { Follower } from './followers.ts';
import type { Draft } from './spec-of.ts';

/**
 * Fields that name a part of something else, as the node at which a volume is. That comes and goes without this object, and whoever
 * has it (the cluster) brings there what is to be there: as a wish it would be taken back to a node that nobody means, or that is gone.
 */
export class PartsNamed {
  readonly #account: AccountReader;
  readonly #session: Pick<Session, 'warn'>;
  readonly #parts = new Map<string, Promise<ReadonlySet<string>>>();

  /** `remotes`: all of these kinds that the account has. */
  constructor(account: AccountReader, session: Pick<Session, 'warn'>, kinds: readonly AnyKind[], remotes: readonly Remote[]) {
    this.#account = account;
    this.#session = session;
    for (const kind of kinds) this.#parts.set(kind.kind, Promise.resolve(partsIn(remotes.filter((remote) => remote.kind === kind))));
  }

  async followers(kind: AnyKind, { want }: Draft): Promise<readonly Follower[]> {
    const found: Follower[] = [];
    for (const [field, { immutable, local }] of Object.entries(kind.fields)) {
      if (want[field] === undefined || immutable === true || local === true) continue;
      const sites = registry.sites(kind.kind).filter(({ at, what }) => at[0] === field && what.is === 'ref');
      for (const [target, ids] of idsIn(sites, [{ field, value: want[field] }]))
        if (!ids.isDisjointFrom(await this.#of(target))) found.push(followerAt(field));
    }
    return found;
  }

  #of(name: string): Promise<ReadonlySet<string>> {
    const known = this.#parts.get(name) ?? this.#read(registry.kind(name));
    this.#parts.set(name, known);
    return known;
  }

  async #read(kind: AnyKind): Promise<ReadonlySet<string>> {
    if (asCollection(kind)?.isPart === undefined || kind.parent !== undefined) return new Set();
    try {
      return partsIn(await remotesOf(this.#account, kind));
    } catch (error) {
      if (!(error instanceof PathRefused)) throw error;
      this.#session.warn(`which ${kind.kind} goes with something else, as a node with its cluster, is not known: ${error.message}`);
      return new Set();
    }
  }
}

const partsIn = (remotes: readonly Remote[]): ReadonlySet<string> =>
  new Set(remotes.filter(isPart).map(({ kind, row }) => String(idOf(kind, row))));

const followerAt = (field: string): Follower => ({
  field,
  leftOut: true,
  why: `${field} is left out and left alone (lifecycle.ignoreFields), as it names a part of something else in the account, such as a node of a Kubernetes cluster, which comes and goes with that. To set it yourself, write ${field} and take it out of ignoreFields in one edit`,
});
