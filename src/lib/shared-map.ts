import { FifoMap } from './fifo-map.ts';

/**
 * A map of at most `most` entries, each of an owner. Where one is too many, whoever has most of them loses its oldest: what one owner
 * puts in, however much, makes room of nobody's who has less.
 */
export class SharedMap<V> {
  readonly #owners = new Map<string, FifoMap<string, true>>();
  readonly #entries = new Map<string, { readonly owner: string; readonly value: V }>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** As the newest of this owner's, whoever had it before. */
  set(key: string, owner: string, value: V): void {
    this.delete(key);
    this.#entries.set(key, { owner, value });
    const own = this.#owners.get(owner) ?? new FifoMap<string, true>();
    own.set(key, true);
    this.#owners.set(owner, own);
    if (this.size > this.#most) this.#makeRoom();
  }

  delete(key: string): void {
    const owner = this.#entries.get(key)?.owner;
    if (owner === undefined) return;
    this.#entries.delete(key);
    const own = this.#owners.get(owner);
    own?.delete(key);
    if (own?.size === 0) this.#owners.delete(owner);
  }

  #makeRoom(): void {
    let largest: FifoMap<string, true> | undefined;
    for (const own of this.#owners.values()) if (own.size > (largest?.size ?? 0)) largest = own;
    const oldest = largest?.oldest();
    if (oldest !== undefined) this.delete(oldest);
  }
}
