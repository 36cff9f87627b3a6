/** Something that is remembered by object: under its uid, or under its id where another one of that name takes its place. */
export interface Store {
  forget(key: string): void;
  /** Every uid or id of which something is remembered. */
  known(): Iterable<string>;
}
type KeyedBy = 'uid' | 'id';

/** Everything that this process remembers of objects; what is gone is forgotten by all of it at once. */
export class Memory {
  readonly #stores = new Map<string, { readonly by: KeyedBy; readonly store: Store }>();

  /** `id`: as in the queue, kind and key. */
  keep<S extends Store>(name: string, by: KeyedBy, store: S): S {
    this.#stores.set(name, { by, store });
    return store;
  }

  /** `id` is left out where another object stands under it by now, or may stand there still. */
  forget(uid: string, id?: string): void {
    const keys = { uid, id };
    for (const { by, store } of this.#stores.values()) {
      const key = keys[by];
      if (key !== undefined) store.forget(key);
    }
  }

  /** What each store still knows, by its name. */
  known(): ReadonlyMap<string, readonly string[]> {
    return new Map([...this.#stores].map(([name, { store }]) => [name, [...new Set(store.known())]]));
  }
}
