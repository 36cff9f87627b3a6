import { type Clock, sleep, systemClock, type Millis } from '../../src/lib/clock.ts';

/** Who watches is told what is waited for once it takes longer than this, and again after the second time. */
const [unsaid, silence]: readonly [Millis, Millis] = [1000, 10_000];

interface Surroundings {
  readonly clock?: Clock;
  readonly write?: (text: string) => void;
}

/** What the demo tells the person who watches. */
export class Narrator {
  readonly #clock: Clock;
  readonly #write: (text: string) => void;
  readonly #begun: Millis;
  facts = 0;

  constructor({ clock = systemClock, write = (text) => void process.stdout.write(text) }: Surroundings = {}) {
    this.#clock = clock;
    this.#write = write;
    this.#begun = clock.monotonic();
  }

  get seconds(): number {
    return (this.#clock.monotonic() - this.#begun) / 1000;
  }

  title(text: string): void {
    this.#write(`\n${text}\n`);
  }

  say(text: string): void {
    for (const line of text.split('\n')) this.#write(`${this.seconds.toFixed(1).padStart(7)} s  ${line}\n`);
  }

  /** `what`: what is waited for, as `the build`. */
  during<T>(what: string, work: Promise<T>): Promise<T> {
    return this.#waiting(`waits for ${what}`, work);
  }

  /**
   * Looks until `evidence` finds what it looks for, and prints that; throws when it has not been seen within `limit`.
   * Nothing is printed as a fact that was not read back.
   */
  async fact(what: string, evidence: () => Promise<string | undefined>, limit: Millis = 5_000): Promise<void> {
    const seen = await this.#waiting(`waits to see that ${what}`, this.#evident(what, evidence, limit));
    this.facts += 1;
    this.say(`✓ ${what}: ${seen}`);
  }

  async #evident(what: string, evidence: () => Promise<string | undefined>, limit: Millis): Promise<string> {
    const begun = this.#clock.monotonic();
    for (;;) {
      const seen = await evidence();
      if (seen !== undefined) return seen;
      if (this.#clock.monotonic() - begun > limit) throw new Error(`not seen within ${limit / 1000} s: ${what}`);
      await sleep(this.#clock, 200);
    }
  }

  async #waiting<T>(line: string, work: Promise<T>): Promise<T> {
    const begun = this.#clock.monotonic();
    const still = (): void => {
      this.say(`... still ${line} (${((this.#clock.monotonic() - begun) / 1000).toFixed(0)} s)`);
      timer = this.#clock.after(silence, still);
    };
    let timer = this.#clock.after(unsaid, () => {
      this.say(`... ${line}`);
      timer = this.#clock.after(silence, still);
    });
    try {
      return await work;
    } finally {
      timer.cancel();
    }
  }
}
