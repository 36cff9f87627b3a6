/** Shares a read among all who ask before it begins: no answer is older than its question, and at most one read runs at a time. */
export class SharedRead<T> {
  readonly #read: () => Promise<T>;
  #next: Promise<T> | undefined;
  #running: Promise<unknown> = Promise.resolve();
  constructor(read: () => Promise<T>) {
    this.#read = read;
  }

  ask(): Promise<T> {
    this.#next ??= this.#begin();
    return this.#next;
  }

  async #begin(): Promise<T> {
    await this.#running;
    this.#next = undefined;
    const answer = this.#read();
    this.#running = answer.then(
      () => undefined,
      () => undefined,
    );
    return answer;
  }
}
