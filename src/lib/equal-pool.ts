/** Characters, written out; what is longer is hardly there twice. */
const longest = 2048;

/** Equal lists and objects become one, which nobody may change: thousands of objects are in the same state since the same second. */
export class EqualPool {
  readonly #known = new Map<string, object>();
  readonly #most: number;

  /** Begins anew when it holds `most`. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#known.size;
  }

  /** A value equal to this one, as JSON writes it; frozen at any depth, so that it belongs to all who hold it. */
  share<T extends object>(value: T): T {
    const text = JSON.stringify(value);
    if (text.length > longest) return value;
    const known = this.#known.get(text);
    if (known !== undefined) return known as T;
    if (this.#known.size >= this.#most) this.#known.clear();
    this.#known.set(text, frozen(value));
    return value;
  }
}

function frozen<T extends object>(value: T): T {
  for (const field of Object.values(value)) if (typeof field === 'object' && field !== null) frozen(field as object);
  return Object.freeze(value);
}
