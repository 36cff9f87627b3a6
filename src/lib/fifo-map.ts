/**
 * A map whose oldest entry is found in constant time, however many entries were taken out before it: one iterator lives
 * as long as there are entries, because a new one would walk over the holes that removed entries leave.
 */
export class FifoMap<K, V> {
  readonly #entries = new Map<K, V>();
  #rest: Iterator<[K, V]> | undefined;
  #oldest: { readonly key: K } | undefined;

  get size(): number {
    return this.#entries.size;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  /** A key that is there keeps its place. */
  set(key: K, value: V): void {
    this.#entries.set(key, value);
  }

  delete(key: K): boolean {
    if (this.#oldest?.key === key) this.#oldest = undefined;
    const had = this.#entries.delete(key);
    if (this.#entries.size === 0) this.clear();
    return had;
  }

  clear(): void {
    this.#entries.clear();
    this.#rest = undefined;
    this.#oldest = undefined;
  }

  oldest(): K | undefined {
    if (this.#entries.size === 0) return undefined;
    this.#rest ??= this.#entries.entries();
    if (this.#oldest === undefined) {
      const next = this.#rest.next();
      if (next.done !== true) this.#oldest = { key: next.value[0] };
    }
    return this.#oldest?.key;
  }
}
