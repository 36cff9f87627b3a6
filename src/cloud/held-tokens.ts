import type { Sensitive } from '../resource/index.ts';

/** Tokens of those who share a connection, all of one user and of equal scopes. One is in use; a bad one stops nobody else's. */
export class HeldTokens {
  readonly #held = new Map<object, Sensitive>();
  #current: Sensitive;

  constructor(first: Sensitive) {
    this.#current = first;
  }

  get current(): Sensitive {
    return this.#current;
  }

  hold(holder: object, token: Sensitive): void {
    this.#held.set(holder, token);
  }

  /** Verified in the place of what the holder had. */
  rotate(holder: object, token: Sensitive): void {
    this.hold(holder, token);
    this.#current = token;
  }

  /** Nobody's token is used longer than its holder is there. */
  drop(holder: object): void {
    this.#held.delete(holder);
    if (!this.#texts().includes(this.#current.reveal())) this.next();
  }

  /** The one in use was refused: the turn of the next. */
  next(): void {
    const all = [...this.#held.values()];
    const at = this.#texts().lastIndexOf(this.#current.reveal());
    this.#current = all[(at + 1) % all.length] ?? this.#current;
  }

  #texts(): readonly string[] {
    return [...this.#held.values()].map((token) => token.reveal());
  }
}
