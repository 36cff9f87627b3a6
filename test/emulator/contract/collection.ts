import type { GrantEntity } from './grants.ts';

export type Key = number | string;

/** A typed name of a collection; `world.store(definition)` gives the rows. Rows are immutable values: `update` replaces. */
export interface CollectionDefinition<Row extends object> {
  /** Shown in the ledger, for example `volumes`. Ids are counted per name over all accounts, as the service does. */
  readonly name: string;
  /** The row's key; default its `id`. */
  readonly key?: (row: Row) => Key;
  /** The kind of grant that a restricted user needs to see a row; without it restricted users see all rows. */
  readonly grant?: GrantEntity;
  /** `platform`: one set of rows for all accounts (catalogues, things unique on the whole platform). */
  readonly scope?: 'account' | 'platform';
  readonly firstId?: number;
  /** Ids grow with insertion: filters with a lower bound on `id` read only the tail. */
  readonly ascending?: boolean;
  /** Kept out of the ledger of objects: bookkeeping, not things. */
  readonly unlisted?: boolean;
  /** Fields that `by` looks up without a scan. */
  readonly indexes?: readonly (keyof Row & string)[];
  /** What the API shows of a row; default the row itself. Hidden fields stay out here. */
  readonly view?: (row: Row) => unknown;
}

/** Rows of one account in order of insertion. Every change goes to the ledger and wakes the areas' reactions. */
export interface Collection<Row extends object> {
  readonly size: number;
  get(key: Key): Row | undefined;
  /** Allocates an id and stores what `make` returns. A restricted user who inserts gets read_write on the row. */
  insert(make: (id: number) => Row): Row;
  /** Replaces the row with a changed copy. A row that is gone meanwhile stays gone; the copy is returned all the same. */
  update(row: Row, change: Partial<Row>): Row;
  remove(row: Row): void;
  values(): Iterable<Row>;
  /** Rows whose field equals the value; by index where the definition has one. */
  by<Field extends keyof Row & string>(field: Field, value: Row[Field]): readonly Row[];
  /** How many `by` would give; without building them where the definition indexes the field. */
  count<Field extends keyof Row & string>(field: Field, value: Row[Field]): number;
}

const defined = new Map<string, CollectionDefinition<object>>();

/** Defines a collection; the identity of the returned object matters, so define each once, in `records/`. */
export function defineCollection<Row extends object>(definition: CollectionDefinition<Row>): CollectionDefinition<Row> {
  const frozen = Object.freeze(definition);
  defined.set(definition.name, frozen as unknown as CollectionDefinition<object>);
  return frozen;
}

/** The definition of that name, of those that the loaded areas define. */
export function collectionNamed(name: string): CollectionDefinition<object> | undefined {
  return defined.get(name);
}
