const every = 10;

/** A line now and then while a long campaign runs: cases done, how many in a second, violations so far. */
export class Progress {
  readonly #elapsed: () => number;
  readonly #write: (line: string) => void;
  #done = 0;
  #violated = 0;
  #told = 0;

  constructor(elapsed: () => number, write: (line: string) => void) {
    this.#elapsed = elapsed;
    this.#write = write;
  }

  note(violations: number): void {
    this.#done += 1;
    if (violations > 0) this.#violated += 1;
    const seconds = this.#elapsed();
    if (seconds - this.#told < every) return;
    this.#told = seconds;
    this.#write(`${seconds.toFixed(0)} s: ${this.#done} cases, ${(this.#done / seconds).toFixed(1)} a second, ${this.#violated} violated`);
  }
}
