import type { Sensitive } from '../../resource/index.ts';

/** Tokens of those who share a connection, all of one user and of equal scopes. One is in use; a bad one stops only its own holders. */
export class TokenPool {
  readonly #held = new Map<object, Sensitive>();
  readonly #refused = new Set<string>();
  #current: Sensitive;

  constructor(first: Sensitive) {
    this.#current = first;
  }

  get current(): Sensitive {
    return this.#current;
  }

  hold(holder: object, token: Sensitive): void {
    this.#held.set(holder, token);
    this.#refused.delete(token.reveal());
  }

  /** Verified in the place of what the holder had. */
  rotate(holder: object, token: Sensitive): void {
    this.hold(holder, token);
    this.#current = token;
  }

  /** Nobody's token is used longer than its holder is there. */
  drop(holder: object): void {
    this.#held.delete(holder);
    if (!this.#distinct().some((token) => token.reveal() === this.#current.reveal())) this.#choose();
  }

  /** The one in use was refused: the turn of the next. */
  next(): void {
    this.#refused.add(this.#current.reveal());
    this.#choose();
  }

  /** The holder's own token was refused, and another's is in use, with which nothing of this holder may be done. */
  isRefused(holder: object): boolean {
    const own = this.#held.get(holder)?.reveal();
    return own !== undefined && own !== this.#current.reveal() && this.#refused.has(own);
  }

  /** The one in use was accepted. */
  verified(): void {
    this.#refused.delete(this.#current.reveal());
  }

  /** The one in use was accepted; now the next. Each is used for a while, so that one that is refused shows although another would do. */
  takeTurns(): void {
    this.verified();
    this.#choose();
  }

  /** A refused one only where there is no other: its holders try it anew themselves (see {@link isRefused}). */
  #choose(): void {
    const all = this.#distinct();
    const at = all.findIndex((token) => token.reveal() === this.#current.reveal());
    const inTurn = [...all.slice(at + 1), ...all.slice(0, at + 1)];
    this.#current = inTurn.find((token) => !this.#refused.has(token.reveal())) ?? inTurn[0] ?? this.#current;
  }

  #distinct(): readonly Sensitive[] {
    return [...new Map([...this.#held.values()].map((token) => [token.reveal(), token])).values()];
  }
}
