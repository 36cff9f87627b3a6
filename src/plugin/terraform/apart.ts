import { asCollection, collectionOf, itemOf, parentOfItem, type Row } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import type { Bound, Remote } from '../dry/standing.ts';
import { type Above, apartFrom, type Follower, followerOf, isFollowed, mayFollow, standingAt } from '../export/followers.ts';
import { registry } from '../command-line/kinds.ts';
import type { Item } from './items.ts';

/** An item, where it is in the account, and the object that it becomes. */
export interface Placed {
  readonly item: Item;
  readonly remote: Remote;
  readonly name: string;
  readonly namespace: string;
}

/** What is imported together, as far as one of it decides whether another follows it. */
export class Apart {
  readonly #below: ReadonlyMap<string, readonly Placed[]>;
  readonly #above: ReadonlyMap<string, Above>;

  constructor(placed: readonly Placed[], bound: readonly Bound[]) {
    this.#below = Map.groupBy(
      placed.filter(({ remote: { kind } }) => kind.parent !== undefined),
      ({ remote: { kind, path } }) => parentOfItem(kind, path),
    );
    const imported = placed.map((one): readonly [string, Above] => [one.remote.path, { spec: this.says(one), name: shown(one) }]);
    this.#above = new Map([...bound.map(standingAt), ...imported]);
  }

  /** That what is imported below it follows nothing, unless the state says that it does. */
  says({ item, remote: { kind, path } }: Placed): Row {
    const below = new Set(this.#below.get(path)?.map(({ remote }) => remote.kind.kind));
    return Object.fromEntries(Object.entries(apartFrom(kind, below)).map(([field, value]) => [field, item.want[field] ?? value]));
  }

  /** `remotes`: all that may lie beside it. */
  follower({ remote }: Placed, remotes: readonly Remote[]): Follower | undefined {
    return followerOf(remote, { remotes, above: (path) => this.#above.get(path) });
  }
}
const shown = ({ remote: { kind }, ...metadata }: Placed): string => shownName({ kind: kind.kind, metadata });

/** Where the state says that it is, as a create would have made it, of what follows something or is followed; else undefined. */
export function saidToBe({ kind: called, id, want, sought, name }: Item): Remote | undefined {
  const kind = registry.kinds.find((one) => one.kind === called);
  if (kind === undefined || sought !== undefined || !(mayFollow(kind) || isFollowed(kind))) return undefined;
  const all = { name, ...want };
  const [collection, row] = [collectionOf(kind, all), { id, ...(mayFollow(kind) && asCollection(kind)?.create(all)) }];
  return { kind, row, collection, path: itemOf(kind, row, collection) };
}
