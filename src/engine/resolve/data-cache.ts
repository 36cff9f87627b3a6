import type { Clock, Millis } from '../../lib/clock.ts';
import { FifoMap } from '../../lib/fifo-map.ts';
import type { DataReader } from '../context.ts';
import type { DataObjects, DataRecord, Key } from '../ports/index.ts';

const freshFor: Millis = 5 * 60_000;
/** How long what nobody asks for may be kept beyond that. */
const sweptEvery: Millis = 60_000;
/** Of all that one cache keeps, in bytes: what tenants name may be many times the operator's memory. */
const mostKept = 16 * 2 ** 20;
/** What an entry, and each text in it, takes besides its characters. */
const besides = { entry: 512, text: 256 };

interface Entry<Value> {
  readonly at: Millis;
  readonly record: DataRecord<Value>;
  readonly bytes: number;
}
/** What is kept of one namespace, the oldest first. */
interface Share<Value> {
  readonly entries: FifoMap<string, Entry<Value>>;
  bytes: number;
}

/**
 * Secrets, or ConfigMaps, read by name, at most every five minutes, and when somebody asks for a look (README: secrets): there is no
 * watch on them. What does not fit is read again when it is needed; whose namespace has most of it gives way.
 */
export class DataCache<Value> implements DataReader<Value> {
  readonly #source: Pick<DataObjects<Value>, 'get'>;
  readonly #clock: Clock;
  readonly #bytesOf: (value: Value) => number;
  readonly #shares = new Map<string, Share<Value>>();
  #bytes = 0;
  #sweptAt: Millis = -Infinity;
  constructor(source: Pick<DataObjects<Value>, 'get'>, clock: Clock, bytesOf: (value: Value) => number) {
    this.#source = source;
    this.#clock = clock;
    this.#bytesOf = bytesOf;
  }
  /** Of all that is kept. */
  get bytes(): number {
    return this.#bytes;
  }
  async record(key: Key, signal: AbortSignal, maxAge: Millis = freshFor): Promise<DataRecord<Value> | undefined> {
    const now = this.#clock.monotonic();
    this.#sweep(now);
    const known = this.#shares.get(key.namespace)?.entries.get(key.name);
    if (known !== undefined && now - known.at < maxAge) return known.record;
    const record = asBefore(known?.record, await this.#source.get(key, signal));
    this.forget(key);
    // An absent one is asked for again each time: somebody is about to create it.
    if (record !== undefined) this.#keep(key, { at: now, record, bytes: this.#sizeOf(record) });
    return record;
  }
  forget({ namespace, name }: Key): void {
    const share = this.#shares.get(namespace);
    const entry = share?.entries.get(name);
    if (share === undefined || entry === undefined) return;
    share.entries.delete(name);
    share.bytes -= entry.bytes;
    this.#bytes -= entry.bytes;
    if (share.entries.size === 0) this.#shares.delete(namespace);
  }
  forgetIn(namespace: string): void {
    this.#bytes -= this.#shares.get(namespace)?.bytes ?? 0;
    this.#shares.delete(namespace);
  }
  #keep({ namespace, name }: Key, entry: Entry<Value>): void {
    const share = this.#shares.get(namespace) ?? { entries: new FifoMap<string, Entry<Value>>(), bytes: 0 };
    this.#shares.set(namespace, share);
    share.entries.set(name, entry);
    share.bytes += entry.bytes;
    this.#bytes += entry.bytes;
    while (this.#bytes > mostKept) this.#makeRoom();
  }
  /** One namespace names what it likes: others must not have to read theirs anew for it. */
  #makeRoom(): void {
    const [namespace, { entries }] = [...this.#shares].reduce((most, one) => (one[1].bytes > most[1].bytes ? one : most));
    this.forget({ namespace, name: entries.oldest() ?? '' });
  }
  /** What is too old to be used is not kept: contents of Secrets least of all. */
  #sweep(now: Millis): void {
    if (now - this.#sweptAt < sweptEvery) return;
    this.#sweptAt = now;
    for (const [namespace, { entries }] of this.#shares)
      for (let name = entries.oldest(); name !== undefined; name = entries.oldest()) {
        if (now - (entries.get(name)?.at ?? 0) < freshFor) break;
        this.forget({ namespace, name });
      }
  }
  #sizeOf({ data, binaryData = {}, labels }: DataRecord<Value>): number {
    return besides.entry + sum(data, this.#bytesOf) + sum(binaryData, (text) => text.length) + sum(labels, (text) => text.length);
  }
}

function sum<Value>(of: Readonly<Record<string, Value>>, bytesOf: (value: Value) => number): number {
  return Object.entries(of).reduce((total, [name, value]) => total + besides.text + name.length + bytesOf(value), 0);
}

/** The same version is the same object: thousands that wait hold it once. */
const asBefore = <Value>(known: DataRecord<Value> | undefined, read: DataRecord<Value> | undefined): DataRecord<Value> | undefined =>
  known?.uid === read?.uid && known?.resourceVersion === read?.resourceVersion ? known : read;
