import { createHash } from 'node:crypto';

const SUFFIX_LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Uids and generated names: random to look at, the same in every run with the same seed. */
export class Identifiers {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  uid(): string {
    const hex = this.#next().toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  }

  /** Completes a `generateName` with five letters, cutting it so that the result stays a valid name. */
  generatedName(prefix: string): string {
    const letters = [...this.#next().subarray(0, 5)].map((byte) => SUFFIX_LETTERS[byte % SUFFIX_LETTERS.length]);
    return prefix.slice(0, 58) + letters.join('');
  }

  /** A number in [0, 1). */
  fraction(): number {
    return this.#next().readUInt32BE(0) / 2 ** 32;
  }

  #next(): Buffer {
    this.#count += 1;
    return createHash('sha256').update(`${this.#seed}/${this.#count}`).digest();
  }
}
