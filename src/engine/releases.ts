/** Objects whose held deletion a person has released: what was pending at that moment, and nothing later (design 4.6). */
export class Releases {
  readonly #uids = new Set<string>();
  add(uids: readonly string[]): void {
    for (const uid of uids) this.#uids.add(uid);
  }
  has(uid: string): boolean {
    return this.#uids.has(uid);
  }
}
