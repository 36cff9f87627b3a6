import type { Millis } from '../../lib/clock.ts';
import { FifoMap } from '../../lib/fifo-map.ts';

/** One that waits for its turn. */
export interface Waiting {
  /** Whose it is: who has many gets no more turns of the shared ones than who has few. */
  readonly share: string;
  /** Monotonic; -Infinity: never. */
  readonly visitedAt: Millis;
}

/**
 * A line of places in which every second turn is of the longest unvisited, whoever has it, and every other one goes from share to
 * share: nobody waits long behind what somebody else has, and nobody for ever.
 */
export class SharedLine<T extends Waiting> {
  /** The share whose turn is longest ago comes first. */
  readonly #shares = new Map<string, FifoMap<string, T>>();
  #turns = 0;

  get shares(): number {
    return this.#shares.size;
  }

  /** To the end of its share. */
  set(name: string, one: T): void {
    const places = this.#shares.get(one.share) ?? new FifoMap<string, T>();
    this.#shares.set(one.share, places);
    places.delete(name);
    places.set(name, one);
  }

  delete(name: string, { share }: T): void {
    const places = this.#shares.get(share);
    places?.delete(name);
    if (places?.size === 0) this.#shares.delete(share);
  }

  /** When the longest unvisited was visited; undefined: nobody waits. */
  oldestAt(): Millis | undefined {
    return this.#oldest()?.[1].visitedAt;
  }

  /** Whose turn it is of those that were not visited since; it stays in line until it is visited. */
  next(since: Millis): readonly [string, T] | undefined {
    this.#turns += 1;
    const one = this.#turns % 2 === 0 ? this.#longestWithoutTurn(since) : this.#oldest();
    if (one !== undefined) this.#toTheEnd(one[1].share);
    return one;
  }

  #oldest(): readonly [string, T] | undefined {
    let oldest: readonly [string, T] | undefined;
    for (const one of this.#firsts()) if (oldest === undefined || one[1].visitedAt < oldest[1].visitedAt) oldest = one;
    return oldest;
  }

  #longestWithoutTurn(since: Millis): readonly [string, T] | undefined {
    for (const one of this.#firsts()) if (one[1].visitedAt <= since) return one;
    return undefined;
  }

  #toTheEnd(share: string): void {
    const places = this.#shares.get(share);
    if (places === undefined || this.#shares.size === 1) return;
    this.#shares.delete(share);
    this.#shares.set(share, places);
  }

  *#firsts(): Generator<readonly [string, T]> {
    for (const places of this.#shares.values()) {
      const name = places.oldest();
      const one = name === undefined ? undefined : places.get(name);
      if (name !== undefined && one !== undefined) yield [name, one];
    }
  }
}
