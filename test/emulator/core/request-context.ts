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
    const rows = this.#visible(definition, candidates(collection, options, this.knobs.listLagSeconds * 1000));
    const kept = options.where === undefined ? rows : rows.filter(options.where);
    const lagged = this.knobs.filterLagSeconds > 0 ? this.#laggedColumns(collection) : undefined;
    return this.#cut(kept, view, options.emptyPages ?? 1, lagged);
  }

  pageOf(records: readonly object[], emptyPages: 0 | 1 = 1): Page {
    return this.#cut(records, (record) => record, emptyPages);
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

  /** Filters see label and tags as they were (knob `filterLagSeconds`). */
  #laggedColumns<Row extends object>(collection: StoredCollection<Row>): (row: object) => Columns {
    const former = collection.changedWithin(this.knobs.filterLagSeconds * 1000);
    return (row) => {
      const key = collection.keyOf(row as Row);
      if (!former.has(key)) return row as Columns;
      const before = former.get(key)?.row as Columns | undefined;
      return { ...row, label: before?.['label'], tags: before?.['tags'] };
    };
  }

  #cut<Row extends object>(rows: readonly Row[], view: (row: Row) => unknown, emptyPages: 0 | 1, columns?: (row: object) => Columns): Page {
    const request = pageRequest(this.query);
    const filter = parseFilter(this.headers['x-filter'], {
      filterable: this.#operation.filterable ?? [],
      ...(this.#operation.notOrderable === undefined ? {} : { notOrderable: this.#operation.notOrderable }),
    });
    const chosen = filter === undefined ? rows : applyFilter(rows, filter, columns ?? ((row) => row as Columns));
    return cutPage(chosen, request, { emptyPages, pastEnd: this.knobs.pastEndPage }, view);
  }
}

function applyFilter<Row extends object>(rows: readonly Row[], filter: Filter, columns: (row: object) => Columns): readonly Row[] {
  const kept = rows.filter((row) => filter.matches(columns(row)));
  return filter.order === undefined ? kept : sortRows(kept, filter.order);
}

function candidates<Row extends object>(collection: StoredCollection<Row>, options: PageOptions<Row>, lag: number): readonly Row[] {
  const wanted = Object.entries(options.from ?? {}) as [keyof Row & string, Row[keyof Row & string]][];
  const first = wanted[0];
  if (first === undefined) return collection.listed(lag);
  const rows = collection.changedWithin(lag).size === 0 ? collection.by(first[0], first[1]) : collection.listed(lag);
  return rows.filter((row) => wanted.every(([field, value]) => row[field] === value));
}
