/** Objects whose held deletion, or held new remote, a person has released: what was held at that moment, and nothing later (design 4.6). */
export class Releases {
  readonly #uids = new Set<string>();
  add(uids: readonly string[]): void {
    for (const uid of uids) this.#uids.add(uid);
  }
  /** What was let go has come about. */
  end(uid: string): void {
    this.#uids.delete(uid);
  }
  has(uid: string): boolean {
    return this.#uids.has(uid);
  }
}
