interface Entry<T> {
  readonly group: string;
  readonly item: T;
}

/** Lists of the newest few by key. All together are no more than `most`: what is too much goes from the group that has most of it, its oldest first. */
export class NewestShared<T> {
  readonly #ofOne: number;
  readonly #most: number;
  readonly #lists = new Map<string, readonly Entry<T>[]>();
  readonly #counts = new Map<string, number>();
  #size = 0;
  constructor(ofOne: number, most: number) {
    this.#ofOne = ofOne;
    this.#most = most;
  }
  get size(): number {
    return this.#size;
  }
  of(key: string): readonly T[] {
    return (this.#lists.get(key) ?? []).map(({ item }) => item);
  }
  keys(): Iterable<string> {
    return this.#lists.keys();
  }
  /** In the place of those that are the same by `isSame`. */
  add(key: string, entry: Entry<T>, isSame: (other: T) => boolean): void {
    const others = (this.#lists.get(key) ?? []).filter(({ item }) => !isSame(item));
    this.#set(key, [...others, entry].slice(-this.#ofOne));
    if (this.#size > this.#most) this.#dropOne();
  }
  delete(key: string): void {
    this.#set(key, []);
  }
  #set(key: string, list: readonly Entry<T>[]): void {
    for (const { group } of this.#lists.get(key) ?? []) this.#count(group, -1);
    this.#lists.delete(key);
    for (const { group } of list) this.#count(group, 1);
    if (list.length > 0) this.#lists.set(key, list);
  }
  #count(group: string, by: 1 | -1): void {
    const count = (this.#counts.get(group) ?? 0) + by;
    if (count > 0) this.#counts.set(group, count);
    else this.#counts.delete(group);
    this.#size += by;
  }
  #dropOne(): void {
    const [largest] = [...this.#counts].reduce((a, b) => (b[1] > a[1] ? b : a));
    for (const [key, list] of this.#lists) {
      const at = list.findIndex(({ group }) => group === largest);
      if (at !== -1) return this.#set(key, list.toSpliced(at, 1));
    }
  }
}
