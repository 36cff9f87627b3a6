/** Chunk size: small enough that lines are split across chunks now and then, as on a socket. */
const CHUNK = 16 * 1024;

/** The body of a watch: lines are pushed, chunks are pulled. Ends at once when the reader goes away. */
export class LineStream implements AsyncIterable<Buffer> {
  readonly #onClose: () => void;
  /** What came since, joined once somebody reads: thousands may come at once. */
  #pushed: Buffer[] = [];
  #pending = Buffer.alloc(0);
  #ended = false;
  #error: Error | undefined;
  #wake: (() => void) | undefined;

  constructor(onClose: () => void) {
    this.#onClose = onClose;
  }

  get ended(): boolean {
    return this.#ended;
  }

  push(lines: string): void {
    if (this.#ended) return;
    this.#pushed.push(Buffer.from(lines));
    this.#notify();
  }

  /** No more lines; what is pending is still delivered. With an error the connection breaks instead. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#onClose();
    this.#notify();
  }

  [Symbol.asyncIterator](): AsyncIterator<Buffer> {
    return {
      next: () => this.#next(),
      return: () => {
        this.#pushed = [];
        this.#pending = Buffer.alloc(0);
        this.end();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  async #next(): Promise<IteratorResult<Buffer>> {
    while (this.#pending.length + this.#pushed.length === 0 && !this.#ended) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#error) throw this.#error;
    if (this.#pushed.length > 0) this.#pending = Buffer.concat([this.#pending, ...this.#pushed.splice(0)]);
    if (this.#pending.length === 0) return { done: true, value: undefined };
    const chunk = this.#pending.subarray(0, CHUNK);
    this.#pending = this.#pending.subarray(CHUNK);
    return { done: false, value: chunk };
  }

  #notify(): void {
    this.#wake?.();
    this.#wake = undefined;
  }
}
