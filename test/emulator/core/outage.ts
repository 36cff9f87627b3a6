import type { Clock } from '../clock.ts';

type Listener = (refusing: boolean) => void;

/** A time in which nobody listens: connections are refused. */
export class Outage {
  readonly #clock: Clock;
  readonly #listeners: Listener[] = [];
  #until = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get refusing(): boolean {
    return this.#clock.monotonic() < this.#until;
  }

  /** From now on for so many seconds of the emulator's clock; a second one that ends later prolongs the first. */
  begin(seconds: number): void {
    this.#until = Math.max(this.#until, this.#clock.monotonic() + seconds * 1000);
    this.#tell(true);
    this.#openInTime();
  }

  end(): void {
    this.#until = -Infinity;
    this.#tell(false);
  }

  /** Whoever holds a port is told to close it (true) and to open it again. */
  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  #openInTime(): void {
    this.#clock.after(this.#until - this.#clock.monotonic(), () => {
      if (this.refusing) this.#openInTime();
      else this.#tell(false);
    });
  }

  #tell(refusing: boolean): void {
    for (const listener of this.#listeners) listener(refusing);
  }
}
