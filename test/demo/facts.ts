import { sleep, systemClock, type Millis } from '../../src/lib/clock.ts';

/** What the demo tells the person who watches. */
export class Narrator {
  readonly #begun = systemClock.monotonic();
  facts = 0;

  get seconds(): number {
    return (systemClock.monotonic() - this.#begun) / 1000;
  }

  title(text: string): void {
    process.stdout.write(`\n${text}\n`);
  }

  say(text: string): void {
    for (const line of text.split('\n')) process.stdout.write(`${this.seconds.toFixed(1).padStart(7)} s  ${line}\n`);
  }

  /**
   * Looks until `evidence` finds what it looks for, and prints that; throws when it has not been seen within `limit`.
   * Nothing is printed as a fact that was not read back.
   */
  async fact(what: string, evidence: () => Promise<string | undefined>, limit: Millis = 5_000): Promise<void> {
    const begun = systemClock.monotonic();
    for (;;) {
      const seen = await evidence();
      if (seen !== undefined) {
        this.facts += 1;
        return this.say(`✓ ${what}: ${seen}`);
      }
      if (systemClock.monotonic() - begun > limit) throw new Error(`not seen within ${limit / 1000} s: ${what}`);
      await sleep(systemClock, 200);
    }
  }
}
