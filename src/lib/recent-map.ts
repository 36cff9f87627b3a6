import type { Clock, Millis, Timer } from './clock.ts';
import { FifoMap } from './fifo-map.ts';

interface Entry<V> {
  readonly value: V;
  /** Monotonic. */
  readonly usedAt: Millis;
}

/** A map of what was used within `span`, at most the last `most` of it. Nothing stays in memory for more than twice the span. */
export class RecentMap<K, V> {
  readonly #entries = new FifoMap<K, Entry<V>>();
  readonly #clock: Clock;
  readonly #span: Millis;
  readonly #most: number;
  #timer: Timer | undefined;

  constructor(clock: Clock, span: Millis, most: number) {
    this.#clock = clock;
    this.#span = span;
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Its value, which is kept for another `span`. */
  use(key: K): V | undefined {
    this.#dropOld();
    const known = this.#entries.get(key);
    if (known !== undefined) this.set(key, known.value);
    return known?.value;
  }

  /** Its value, which is forgotten. */
  take(key: K): V | undefined {
    this.#dropOld();
    const known = this.#entries.get(key);
    this.#entries.delete(key);
    return known?.value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, usedAt: this.#clock.monotonic() });
    const oldest = this.#entries.oldest();
    if (this.#entries.size > this.#most && oldest !== undefined) this.#entries.delete(oldest);
    this.#later();
  }

  clear(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#entries.clear();
  }

  /** One timer for all: thousands that end one after the other would each wake the process. */
  #later(): void {
    this.#timer ??= this.#clock.after(this.#span, () => {
      this.#timer = undefined;
      this.#dropOld();
      if (this.size > 0) this.#later();
    });
  }

  #dropOld(): void {
    const until = this.#clock.monotonic() - this.#span;
    for (let oldest = this.#entries.oldest(); oldest !== undefined; oldest = this.#entries.oldest()) {
      if ((this.#entries.get(oldest)?.usedAt ?? until) > until) return;
      this.#entries.delete(oldest);
    }
  }
}
