import type { Clock, Millis } from '../../../src/lib/clock.ts';
import type { KubeObject } from './kube-object.ts';
import { objectKey } from './kube-object.ts';

export interface Change {
  readonly revision: number;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly key: string;
  readonly object: KubeObject;
  readonly previous?: KubeObject;
}

/** Thrown when a revision is asked for that compaction has forgotten. */
export class CompactedError extends Error {
  readonly oldest: number;

  constructor(oldest: number) {
    super(`revisions before ${oldest} are compacted`);
    this.oldest = oldest;
  }
}

interface Table {
  readonly objects: Map<string, KubeObject>;
  log: Change[];
  /** The objects in order; absent after a write until somebody asks. */
  sorted: KubeObject[] | undefined;
}

export interface StoreOptions {
  readonly clock: Clock;
  /** How often history is forgotten; what is younger than one interval always stays. Default: 5 minutes, as in etcd's set-up by the API server. */
  readonly compactionInterval?: Millis;
}

/** One history of all objects: every write takes the next revision. Tables are named by `group/resource`. */
export class Store {
  readonly #tables = new Map<string, Table>();
  readonly #listeners = new Set<(table: string, change: Change) => void>();
  readonly #clock: Clock;
  readonly #interval: Millis;
  #revision = 1;
  #oldest = 1;
  #mark: { at: Millis; revision: number };

  constructor(options: StoreOptions) {
    this.#clock = options.clock;
    this.#interval = options.compactionInterval ?? 300_000;
    this.#mark = { at: options.clock.monotonic(), revision: 1 };
  }

  get revision(): number {
    return this.#revision;
  }

  get(table: string, namespace: string | undefined, name: string): KubeObject | undefined {
    return this.#tables.get(table)?.objects.get(objectKey(namespace, name));
  }

  /** All objects of a table in the order of their keys. */
  list(table: string): KubeObject[] {
    const found = this.#tables.get(table);
    return found ? (found.sorted ??= sortedValues(found.objects)) : [];
  }

  tables(): string[] {
    return [...this.#tables.keys()];
  }

  /** Stores `object` as a new revision and stamps it; returns the stored object. */
  put(table: string, object: KubeObject): KubeObject {
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const previous = this.#table(table).objects.get(key);
    const stored = this.#stamp(object);
    this.#table(table).objects.set(key, stored);
    this.#commit(table, {
      revision: this.#revision,
      type: previous ? 'MODIFIED' : 'ADDED',
      key,
      object: stored,
      ...(previous ? { previous } : {}),
    });
    return stored;
  }

  /** Removes an object. Watchers are shown its last stored state, with the revision of its removal. */
  remove(table: string, object: KubeObject): KubeObject {
    const key = objectKey(object.metadata.namespace, object.metadata.name);
    const last = this.#stamp(object);
    this.#table(table).objects.delete(key);
    this.#commit(table, { revision: this.#revision, type: 'DELETED', key, object: last, previous: object });
    return last;
  }

  /** Replaces stored objects without a new revision: what a changed schema does to objects when they are read. */
  rewrite(table: string, change: (object: KubeObject) => KubeObject): void {
    const objects = this.#table(table).objects;
    for (const [key, object] of objects) objects.set(key, change(object));
    this.#table(table).sorted = undefined;
  }

  /** The table as it was at `revision`. Throws CompactedError. */
  at(table: string, revision: number): KubeObject[] {
    this.#compactByTime();
    if (revision < this.#oldest && revision < this.#revision) throw new CompactedError(this.#oldest);
    const { objects, log } = this.#table(table);
    if ((log.at(-1)?.revision ?? 0) <= revision) return this.list(table);
    const then = new Map(objects);
    for (const change of log.toReversed()) {
      if (change.revision <= revision) break;
      if (change.previous) then.set(change.key, change.previous);
      else then.delete(change.key);
    }
    return sortedValues(then);
  }

  /** Changes after `revision`, oldest first. Throws CompactedError. */
  since(table: string, revision: number): Change[] {
    this.#compactByTime();
    if (revision < this.#oldest - 1) throw new CompactedError(this.#oldest);
    const log = this.#table(table).log;
    let from = log.length;
    while (from > 0 && (log[from - 1]?.revision ?? 0) > revision) from -= 1;
    return log.slice(from);
  }

  /** Forgets history up to `revision` (default: all of it). Current objects stay. */
  compact(revision: number = this.#revision): void {
    this.#oldest = Math.max(this.#oldest, revision);
    for (const table of this.#tables.values()) table.log = table.log.filter((change) => change.revision >= this.#oldest);
  }

  /** Calls back after each write. Returns what ends it. */
  subscribe(listener: (table: string, change: Change) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #table(name: string): Table {
    let table = this.#tables.get(name);
    if (!table) this.#tables.set(name, (table = { objects: new Map(), log: [], sorted: undefined }));
    return table;
  }

  #stamp(object: KubeObject): KubeObject {
    this.#revision += 1;
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#revision) } };
  }

  #commit(table: string, change: Change): void {
    this.#compactByTime();
    this.#table(table).log.push(change);
    this.#table(table).sorted = undefined;
    for (const listener of this.#listeners) listener(table, change);
  }

  #compactByTime(): void {
    const now = this.#clock.monotonic();
    if (now - this.#mark.at < this.#interval) return;
    this.compact(this.#mark.revision);
    this.#mark = { at: now, revision: this.#revision };
  }
}

function sortedValues(objects: ReadonlyMap<string, KubeObject>): KubeObject[] {
  return [...objects].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, object]) => object);
}
