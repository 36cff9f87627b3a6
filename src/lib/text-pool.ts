/** What is longer is hardly said twice, and would be kept here when its object is gone: a script for an instance has kilobytes. */
const longest = 64;

/** Equal short texts become one: parsed JSON makes a new one of each, and thousands of objects say the same. */
export class TextPool {
  readonly #texts = new Map<string, string>();
  readonly #most: number;

  /** Begins anew when it holds `most`: texts that nobody repeats must not stay for ever. */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#texts.size;
  }

  /** The same object or list, in whose fields, at any depth, texts are replaced in place: for what was just parsed and belongs to nobody yet. */
  share<T>(value: T): T {
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      const field = fields[name];
      if (typeof field === 'string') fields[name] = this.#shared(field);
      else this.share(field);
    }
    return value;
  }

  #shared(text: string): string {
    if (text.length > longest) return text;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    if (this.#texts.size >= this.#most) this.#texts.clear();
    this.#texts.set(text, text);
    return text;
  }
}

/** Replaces texts of `fresh`, at any depth and in place, by the equal ones of `known`: a uid or an id that somebody noted from the version before is then held once. */
export function keepTexts(known: object, fresh: object): void {
  const [before, now] = [known as Record<string, unknown>, fresh as Record<string, unknown>];
  for (const name in now) {
    const [was, is] = [before[name], now[name]];
    if (typeof is === 'string' && was === is) now[name] = was;
    else if (isObject(was) && isObject(is) && !Object.isFrozen(is)) keepTexts(was, is);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
