/** The body of a watch that a test writes line by line. */
export class Feed implements AsyncIterable<string> {
  readonly #lines: string[] = [];
  #end: { readonly error?: Error } | undefined;
  #wake: (() => void) | undefined;

  push(...events: readonly object[]): this {
    this.#lines.push(...events.map((event) => `${JSON.stringify(event)}\n`));
    this.#wake?.();
    return this;
  }

  end(error?: Error): void {
    this.#end = error ? { error } : {};
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (;;) {
      while (this.#lines.length > 0) yield this.#lines.splice(0).join('');
      if (this.#end?.error) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
