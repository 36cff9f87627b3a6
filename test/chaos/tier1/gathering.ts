import { sleep, systemClock, type Millis } from '../../../src/lib/clock.ts';

/** How long the first to come waits for the others. */
const patience: Millis = 5_000;

interface Guest {
  readonly fallen: () => void;
  readonly over: () => void;
  readonly failed: (error: unknown) => void;
}

/** What befalls a control plane befalls all lanes on it: they wait at their steps for each other, and one fault serves them all. */
export class Gathering {
  readonly #fault: (fallen: () => void) => Promise<void>;
  /** Whose step may still come. */
  readonly #expected = new Set<object>();
  #guests: Guest[] = [];
  #running = false;
  #spared = 0;

  /** `fault` says when it has fallen, and resolves when it is over. */
  constructor(fault: (fallen: () => void) => Promise<void>) {
    this.#fault = fault;
  }

  expect(lane: object): void {
    this.#expected.add(lane);
  }
  /** Its step has come, or never will. */
  forget(lane: object): void {
    this.#expected.delete(lane);
  }

  /** No fault falls while this is done; it begins when nobody waits for one, so that nobody waits for many of it. */
  async spare<T>(work: () => Promise<T>): Promise<T> {
    while (this.#running) await sleep(systemClock, 20);
    this.#spared += 1;
    try {
      return await work();
    } finally {
      this.#spared -= 1;
    }
  }

  /** Resolves when the fault is over; `fallen` is called when it falls. */
  join(lane: object, fallen: () => void): Promise<void> {
    this.forget(lane);
    return new Promise((over, failed) => {
      this.#guests.push({ fallen, over, failed });
      if (!this.#running) void this.#run();
    });
  }

  /** One fault after the other, as long as somebody waits for one. */
  async #run(): Promise<void> {
    this.#running = true;
    while (this.#guests.length > 0) {
      const end = systemClock.monotonic() + patience;
      while (this.#spared > 0 || (this.#expected.size > 0 && systemClock.monotonic() < end)) await sleep(systemClock, 20);
      const guests = this.#guests;
      this.#guests = [];
      const each = (tell: (guest: Guest) => void): void => {
        for (const guest of guests) tell(guest);
      };
      await this.#fault(() => each(({ fallen }) => fallen())).then(
        () => each(({ over }) => over()),
        (error: unknown) => each(({ failed }) => failed(error)),
      );
    }
    this.#running = false;
  }
}
