import type { CollectionDefinition, Key } from './collection.ts';
import type { GrantEntity, GrantLevel } from './grants.ts';
import type { ErrorItem } from './refusal.ts';
import type { World } from './world.ts';

/** The envelope of a collection (document 1, Shared conventions 7). */
export interface Page {
  readonly data: readonly unknown[];
  readonly page: number;
  readonly pages: number;
  readonly results: number;
}

export interface PageOptions<Row extends object> {
  /** Only rows whose field has this value (a parent id); fast where the definition indexes it. */
  readonly from?: Partial<Row>;
  readonly where?: (row: Row) => boolean;
  /** Default: the definition's view. */
  readonly view?: (row: Row) => unknown;
  /** Computed values that the filter may name, for example a caller's `seen` mark. */
  readonly columns?: (row: Row) => object;
  /** Order of the list where it is not the order of insertion; `+order_by` goes before it. */
  readonly compare?: (left: Row, right: Row) => number;
  /** `pages` of an empty answer: 1, but 0 for images. */
  readonly emptyPages?: 0 | 1;
}

/** A World plus the request. Path parameters are decoded; `body` is validated and typed by the operation's `body`. */
export interface Context<Body = Readonly<Record<string, unknown>>> extends World {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  /** The request's bytes, for operations with `raw: true`. */
  readonly raw: Buffer;
  /** A path parameter as a positive integer; anything else answers 404. */
  id(param: string): number;
  /** The row whose key is that path parameter (numeric where it looks numeric); 404 without one. */
  load<Row extends object>(definition: CollectionDefinition<Row>, param: string): Row;
  /** The row as the API shows it. */
  show<Row extends object>(definition: CollectionDefinition<Row>, row: Row): unknown;
  /** Page of a collection: pagination, X-Filter by the operation's `filterable`, grants and list lag are applied. */
  page<Row extends object>(definition: CollectionDefinition<Row>, options?: PageOptions<Row>): Page;
  /** Page of computed records. */
  pageOf(records: readonly object[], emptyPages?: 0 | 1): Page;
  /** May the caller do this to an object that the *body* names? (Path objects: the operation's `grant`.) */
  may(entity: GrantEntity, id: Key, need: GrantLevel): boolean;
  /** 400 `Linode busy.` when a job of this key is open. */
  requireFree(serialKey: string): void;
  /** Collects problems found by the handler; `refuseIfAny` answers 400 with all of them at once. */
  refuseIfAny(items: readonly ErrorItem[]): void;
}
