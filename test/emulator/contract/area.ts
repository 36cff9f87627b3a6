import type { CollectionDefinition } from './collection.ts';
import type { Operation } from './operation.ts';
import type { World } from './world.ts';

/** What happens in one area when a row of another area changes (an instance goes: its volumes are detached). */
export interface Reaction {
  readonly collection: CollectionDefinition<object>;
  readonly on: 'insert' | 'update' | 'remove';
  /** `before` is the former row of an update, otherwise the row itself. */
  readonly react: (world: World, row: object, before: object) => void;
}

export interface Area {
  readonly name: string;
  readonly operations: readonly Operation[];
  readonly reactions?: readonly Reaction[];
  /** Rows that exist from the start: once per platform, and once per account. Not in the ledger as requests. */
  readonly seedPlatform?: (world: World) => void;
  readonly seedAccount?: (world: World) => void;
}

/** Types the reaction's rows by the collection. */
export function reaction<Row extends object>(
  on: Reaction['on'],
  collection: CollectionDefinition<Row>,
  react: (world: World, row: Row, before: Row) => void,
): Reaction {
  return { on, collection, react } as unknown as Reaction;
}
