import type { Clock, Millis } from '../../lib/clock.ts';
import type { DataReader } from '../context.ts';
import type { DataObjects, DataRecord, Key } from '../ports/index.ts';

const freshFor: Millis = 5 * 60_000;

/** Secrets, or ConfigMaps, read by name, at most every five minutes, and when somebody asks for a look (README: secrets): there is no watch on them. */
export class DataCache<Value> implements DataReader<Value> {
  readonly #source: Pick<DataObjects<Value>, 'get'>;
  readonly #clock: Clock;
  readonly #read = new Map<string, { readonly at: Millis; readonly record: DataRecord<Value> | undefined }>();
  constructor(source: Pick<DataObjects<Value>, 'get'>, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }
  async record(key: Key, signal: AbortSignal, maxAge: Millis = freshFor): Promise<DataRecord<Value> | undefined> {
    const id = `${key.namespace}/${key.name}`;
    const known = this.#read.get(id);
    const now = this.#clock.monotonic();
    // An absent one is asked for again each time: somebody is about to create it.
    if (known?.record !== undefined && now - known.at < maxAge) return known.record;
    const record = await this.#source.get(key, signal);
    this.#drop(now - freshFor);
    this.#read.delete(id);
    this.#read.set(id, { at: now, record });
    return record;
  }
  /** What is too old to be used is not kept: contents of Secrets least of all. */
  #drop(before: Millis): void {
    for (const [id, { at }] of this.#read) {
      if (at > before) return;
      this.#read.delete(id);
    }
  }
  forget(key: Key): void {
    this.#read.delete(`${key.namespace}/${key.name}`);
  }
  forgetIn(namespace: string): void {
    for (const id of this.#read.keys()) if (id.startsWith(`${namespace}/`)) this.#read.delete(id);
  }
}
