import { FifoMap } from '../../lib/fifo-map.ts';
import { Heap } from '../../lib/heap.ts';

/**
 * Keys that are due, each of a namespace, in order. The next one is of a namespace that has the fewest at work, and of these of the one
 * that came first: in turn, where all are alike. Nothing here walks over namespaces or keys.
 */
export class FairLine<V> {
  readonly #entries = new Map<string, V>();
  readonly #keys = new Map<string, FifoMap<string, true>>();
  /** Namespaces with keys, by how many of theirs are at work. */
  readonly #byLoad = new Map<number, FifoMap<string, true>>();
  /** Each number of `#byLoad` once. */
  readonly #loads = new Heap<number>((a, b) => a < b);

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): V | undefined {
    return this.#entries.get(key);
  }

  /** `load`: how many of this namespace are at work. */
  add(key: string, value: V, { namespace, load }: { readonly namespace: string; readonly load: number }): void {
    this.#entries.set(key, value);
    const keys = this.#keys.get(namespace);
    if (keys !== undefined) return keys.set(key, true);
    this.#keys.set(namespace, filled(key));
    this.#join(namespace, load);
  }

  delete(key: string, { namespace, load }: { readonly namespace: string; readonly load: number }): void {
    const keys = this.#keys.get(namespace);
    if (!this.#entries.delete(key) || keys === undefined) return;
    keys.delete(key);
    if (keys.size > 0) return;
    this.#keys.delete(namespace);
    this.#byLoad.get(load)?.delete(namespace);
  }

  /** More or fewer of this namespace are at work than before. */
  moved(namespace: string, from: number, to: number): void {
    if (!this.#keys.has(namespace)) return;
    this.#byLoad.get(from)?.delete(namespace);
    this.#join(namespace, to);
  }

  /** The key whose turn is next, and how many of its namespace are at work. */
  first(): { readonly key: string; readonly namespace: string; readonly load: number } | undefined {
    for (let load = this.#loads.peek(); load !== undefined; load = this.#loads.peek()) {
      const namespace = this.#byLoad.get(load)?.oldest();
      const key = namespace === undefined ? undefined : this.#keys.get(namespace)?.oldest();
      if (namespace !== undefined && key !== undefined) return { key, namespace, load };
      this.#byLoad.delete(load);
      this.#loads.pop();
    }
    return undefined;
  }

  #join(namespace: string, load: number): void {
    const those = this.#byLoad.get(load);
    if (those !== undefined) return those.set(namespace, true);
    this.#byLoad.set(load, filled(namespace));
    this.#loads.push(load);
  }
}

function filled(key: string): FifoMap<string, true> {
  const map = new FifoMap<string, true>();
  map.set(key, true);
  return map;
}
