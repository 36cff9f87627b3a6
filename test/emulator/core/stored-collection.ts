import type { Collection, CollectionDefinition, Key } from '../contract/collection.ts';

/** One change of one row; `before` is absent on insert, `after` on remove. */
export interface Change {
  readonly definition: CollectionDefinition<object>;
  readonly key: Key;
  readonly before?: object;
  readonly after?: object;
}

export interface CollectionPorts {
  monotonic(): number;
  nextId(name: string, first: number): number;
  changed(change: Change): void;
}

interface Entry<Row> {
  readonly row: Row;
  /** Order of insertion; a changed row keeps its place. */
  readonly place: number;
}

interface JournalItem<Row> {
  readonly at: number;
  readonly key: Key;
  readonly before: Entry<Row> | undefined;
}

/** Longest list lag that can be answered, in milliseconds. */
const journalSpan = 120_000;

export class StoredCollection<Row extends object> implements Collection<Row> {
  readonly definition: CollectionDefinition<Row>;
  readonly #ports: CollectionPorts;
  readonly #entries = new Map<Key, Entry<Row>>();
  readonly #indexes = new Map<string, Map<unknown, Set<Key>>>();
  /** Keys in order of insertion; those of removed rows stay. */
  readonly #ascending: number[] = [];
  #journal: JournalItem<Row>[] = [];
  #places = 0;

  constructor(definition: CollectionDefinition<Row>, ports: CollectionPorts) {
    this.definition = definition;
    this.#ports = ports;
    for (const field of definition.indexes ?? []) this.#indexes.set(field, new Map());
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: Key): Row | undefined {
    return this.#entries.get(key)?.row;
  }

  keyOf(row: Row): Key {
    return this.definition.key?.(row) ?? (row as { id: Key }).id;
  }

  insert(make: (id: number) => Row): Row {
    const row = make(this.#ports.nextId(this.definition.name, this.definition.firstId ?? 1000));
    const key = this.keyOf(row);
    if (this.#entries.has(key)) throw new Error(`${this.definition.name} ${key} exists already`);
    if (this.definition.ascending === true && typeof key === 'number') this.#ascending.push(key);
    this.#put(key, { row, place: (this.#places += 1) }, undefined);
    return row;
  }

  update(row: Row, change: Partial<Row>): Row {
    const key = this.keyOf(row);
    const before = this.#entries.get(key);
    const after = { ...(before?.row ?? row), ...change };
    if (before !== undefined) this.#put(key, { row: after, place: before.place }, before);
    return after;
  }

  remove(row: Row): void {
    const key = this.keyOf(row);
    const before = this.#entries.get(key);
    if (before === undefined) return;
    this.#entries.delete(key);
    this.#unindex(key, before.row);
    this.#record(key, before);
    this.#ports.changed({ definition: this.#erased(), key, before: before.row });
  }

  *values(): Iterable<Row> {
    for (const entry of this.#entries.values()) yield entry.row;
  }

  by<Field extends keyof Row & string>(field: Field, value: Row[Field]): readonly Row[] {
    const index = this.#indexes.get(field);
    if (index === undefined) return [...this.values()].filter((row) => row[field] === value);
    const entries = [...(index.get(value) ?? [])].map((key) => this.#entries.get(key)).filter((entry) => entry !== undefined);
    return entries.toSorted((left, right) => left.place - right.place).map((entry) => entry.row);
  }

  /** Has `by` an index for the field? */
  indexed(field: string): field is keyof Row & string {
    return this.#indexes.has(field);
  }

  /** Rows of an ascending collection from that id on. */
  from(id: number): readonly Row[] {
    let [low, high] = [0, this.#ascending.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ascending[middle] ?? 0) < id) low = middle + 1;
      else high = middle;
    }
    return this.#ascending
      .slice(low)
      .map((key) => this.#entries.get(key)?.row)
      .filter((row) => row !== undefined);
  }

  count<Field extends keyof Row & string>(field: Field, value: Row[Field]): number {
    return this.#indexes.get(field)?.get(value)?.size ?? this.by(field, value).length;
  }

  /** The rows as they were so many milliseconds ago. */
  listed(lag: number): readonly Row[] {
    const changed = this.changedWithin(lag);
    if (changed.size === 0) return [...this.values()];
    const entries = new Map(this.#entries);
    for (const [key, before] of changed) {
      if (before === undefined) entries.delete(key);
      else entries.set(key, before);
    }
    return [...entries.values()].toSorted((left, right) => left.place - right.place).map((entry) => entry.row);
  }

  /** Keys that changed within the last `lag` milliseconds, with what they were before. */
  changedWithin(lag: number): Map<Key, Entry<Row> | undefined> {
    const since = this.#ports.monotonic() - lag;
    const former = new Map<Key, Entry<Row> | undefined>();
    for (const item of lag > 0 ? this.#journal.toReversed() : []) {
      if (item.at <= since) break;
      former.set(item.key, item.before);
    }
    return former;
  }

  #put(key: Key, entry: Entry<Row>, before: Entry<Row> | undefined): void {
    if (before !== undefined) this.#unindex(key, before.row);
    this.#entries.set(key, entry);
    for (const [field, index] of this.#indexes) {
      const value = entry.row[field as keyof Row];
      const keys = index.get(value) ?? new Set<Key>();
      index.set(value, keys.add(key));
    }
    this.#record(key, before);
    this.#ports.changed({ definition: this.#erased(), key, after: entry.row, ...(before === undefined ? {} : { before: before.row }) });
  }

  #unindex(key: Key, row: Row): void {
    for (const [field, index] of this.#indexes) {
      const value = row[field as keyof Row];
      const keys = index.get(value);
      keys?.delete(key);
      if (keys?.size === 0) index.delete(value);
    }
  }

  #record(key: Key, before: Entry<Row> | undefined): void {
    const at = this.#ports.monotonic();
    const oldest = this.#journal[0];
    if (oldest !== undefined && oldest.at < at - 2 * journalSpan)
      this.#journal = this.#journal.filter((item) => item.at >= at - journalSpan);
    this.#journal.push({ at, key, before });
  }

  #erased(): CollectionDefinition<object> {
    return this.definition as unknown as CollectionDefinition<object>;
  }
}
