import type { CollectionDefinition, Key } from '../contract/collection.ts';
import type { Context, Page, PageOptions } from '../contract/context.ts';
import type { GrantEntity, GrantLevel } from '../contract/grants.ts';
import type { Operation } from '../contract/operation.ts';
import type { ErrorItem } from '../contract/refusal.ts';
import { Refusal, busy, notFound } from '../contract/refusal.ts';
import type { Actor } from '../contract/world.ts';
import { AccountWorld } from './account-world.ts';
import type { Emulation } from './emulation.ts';
import type { Filter } from './filter.ts';
import { parseFilter, sortRows } from './filter.ts';
import { may } from './grants.ts';
import { cutPage, pageRequest } from './pagination.ts';
import type { StoredCollection } from './stored-collection.ts';

type Body = Readonly<Record<string, unknown>>;
type Columns = Readonly<Record<string, unknown>>;

/** One request after routing, authentication and parsing. */
export interface Incoming {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly raw: Buffer;
  readonly euuid: string;
  readonly actor: Actor | undefined;
}

export class RequestContext extends AccountWorld implements Context {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly raw: Buffer;
  readonly #operation: Operation;
  readonly #platform: Emulation['platform'];

  constructor(emulation: Emulation, incoming: Incoming) {
    super(emulation, incoming.euuid, incoming.actor);
    this.params = incoming.params;
    this.query = incoming.query;
    this.headers = incoming.headers;
    this.body = incoming.body;
    this.raw = incoming.raw;
    this.#operation = incoming.operation;
    this.#platform = emulation.platform;
  }

  id(param: string): number {
    const text = this.params[param] ?? '';
    if (!/^[1-9]\d{0,14}$/.test(text)) throw notFound();
    return Number(text);
  }

  load<Row extends object>(definition: CollectionDefinition<Row>, param: string): Row {
    const text = this.params[param] ?? '';
    const store = this.store(definition);
    const row = (/^[1-9]\d{0,14}$/.test(text) ? store.get(Number(text)) : undefined) ?? store.get(text);
    if (row === undefined) throw notFound();
    return row;
  }

  show<Row extends object>(definition: CollectionDefinition<Row>, row: Row): unknown {
    return definition.view === undefined ? row : definition.view(row);
  }

  page<Row extends object>(definition: CollectionDefinition<Row>, options: PageOptions<Row> = {}): Page {
    const collection = this.#platform.collection(this.euuid, definition);
    const view = options.view ?? ((row: Row) => this.show(definition, row));
    const filter = this.#filter();
    const rows = this.#visible(definition, candidates(collection, options, this.#lookUp(filter), this.knobs.listLagSeconds * 1000));
    const wanted = options.where === undefined ? rows : rows.filter(options.where);
    const kept = options.compare === undefined ? wanted : wanted.toSorted(options.compare);
    const columns = this.#columns(collection, options);
    return this.#cut(filter === undefined ? kept : applyFilter(kept, filter, columns), view, options.emptyPages ?? 1);
  }

  pageOf(records: readonly object[], emptyPages: 0 | 1 = 1): Page {
    const filter = this.#filter();
    return this.#cut(filter === undefined ? records : applyFilter(records, filter), (record) => record, emptyPages);
  }

  may(entity: GrantEntity, id: Key, need: GrantLevel): boolean {
    return may(this.actor, entity, id, need);
  }

  requireFree(serialKey: string): void {
    if (this.busy(serialKey)) throw busy();
  }

  refuseIfAny(items: readonly ErrorItem[]): void {
    if (items.length > 0) throw new Refusal(400, items);
  }

  #visible<Row extends object>(definition: CollectionDefinition<Row>, rows: readonly Row[]): readonly Row[] {
    const { grant } = definition;
    if (grant === undefined || this.actor?.grants === undefined) return rows;
    return rows.filter((row) => may(this.actor, grant, definition.key?.(row) ?? (row as { id: Key }).id, 'read_only'));
  }

  /** What filters see of a row, where that is not the row itself. */
  #columns<Row extends object>(collection: StoredCollection<Row>, options: PageOptions<Row>): ((row: Row) => Columns) | undefined {
    const { columns: computed } = options;
    if (this.knobs.filterLagSeconds === 0) return computed && ((row) => ({ ...row, ...computed(row) }) as Columns);
    const lagged = this.#laggedColumns(collection);
    return (row) => ({ ...lagged(row), ...computed?.(row) });
  }

  /** Filters see label and tags as they were (knob `filterLagSeconds`). */
  #laggedColumns<Row extends object>(collection: StoredCollection<Row>): (row: Row) => Columns {
    const former = collection.changedWithin(this.knobs.filterLagSeconds * 1000);
    return (row) => {
      const key = collection.keyOf(row);
      if (!former.has(key)) return row as Columns;
      const before = former.get(key)?.row as Columns | undefined;
      return { ...row, label: before?.['label'], tags: before?.['tags'] };
    };
  }

  #filter(): Filter | undefined {
    const { filterable = [], notOrderable = [] } = this.#operation;
    return parseFilter(this.headers['x-filter'], { filterable, notOrderable });
  }

  /** Short cuts hold only while rows and filters are current. */
  #lookUp(filter: Filter | undefined): Filter['hints'] | undefined {
    return this.knobs.filterLagSeconds > 0 ? undefined : filter?.hints;
  }

  #cut<Row extends object>(rows: readonly Row[], view: (row: Row) => unknown, emptyPages: 0 | 1): Page {
    return cutPage(rows, pageRequest(this.query), { emptyPages, pastEnd: this.knobs.pastEndPage }, view);
  }
}

function applyFilter<Row extends object>(rows: readonly Row[], filter: Filter, columns?: (row: Row) => Columns): readonly Row[] {
  const kept = rows.filter((row) => filter.matches(columns === undefined ? (row as Columns) : columns(row)));
  return filter.order === undefined ? kept : sortRows(kept, filter.order);
}

type Wanted = readonly (readonly [string, unknown])[];

/** The rows of `from`, by the shortest way; filters are applied afterwards all the same. */
function candidates<Row extends object>(
  collection: StoredCollection<Row>,
  options: PageOptions<Row>,
  hints: Filter['hints'] | undefined,
  lag: number,
): readonly Row[] {
  const wanted: Wanted = Object.entries(options.from ?? {});
  const rows =
    collection.changedWithin(lag).size > 0
      ? collection.listed(lag)
      : direct(collection, [...wanted, ...(hints?.equal ?? [])], hints?.idFrom);
  return wanted.length === 0 ? rows : rows.filter((row) => wanted.every(([field, value]) => row[field as keyof Row] === value));
}

function direct<Row extends object>(collection: StoredCollection<Row>, wanted: Wanted, idFrom: number | undefined): readonly Row[] {
  for (const [field, value] of wanted) if (collection.indexed(field)) return collection.by(field, value as Row[keyof Row & string]);
  if (idFrom !== undefined && collection.definition.ascending === true) return collection.from(idFrom);
  return [...collection.values()];
}
