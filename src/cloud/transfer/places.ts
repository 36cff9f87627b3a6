import type { InLine, Uploader } from '../../engine/ports/index.ts';
import type { Clock, Millis, Timer } from '../../lib/clock.ts';

/** Streams at once, each with a socket at its source and one at the service. */
export const atOnce = 8;
/** So long a place is kept for who does nothing with it: it may be gone, paused or not served any more. */
const keptFor: Millis = 30_000;

interface Held {
  readonly namespace: string;
  /** Until its stream begins. */
  readonly lapse: Timer;
}

/** Who may bring something now: a namespace has no more places than it leaves, so that slow ones of one keep nobody else waiting. */
export class Places {
  readonly #clock: Clock;
  readonly #held = new Map<string, Held>();
  /** In order. */
  readonly #line = new Map<string, Uploader>();
  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Uids that have a place, or wait for one. */
  *known(): Iterable<string> {
    yield* this.#held.keys();
    yield* this.#line.keys();
  }

  /** Undefined: it has a place, until it leaves it. Else it is in line, and called when its place has come. */
  take(uid: string, who: Uploader): InLine | undefined {
    if (this.#held.has(uid)) return undefined;
    // What is free for somebody in line is given out at once, so nobody is passed by here.
    if (this.#isFree(who.namespace)) return this.#hold(uid, who);
    this.#line.set(uid, who);
    return { own: this.#of(who.namespace), atOnce };
  }

  begun(uid: string): void {
    this.#held.get(uid)?.lapse.cancel();
  }

  leave(uid: string): void {
    this.#line.delete(uid);
    this.begun(uid);
    if (!this.#held.delete(uid)) return;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [first, who] = next;
      this.#hold(first, who);
      who.come();
    }
  }

  close(): void {
    this.#line.clear();
    for (const { lapse } of this.#held.values()) lapse.cancel();
  }

  #hold(uid: string, { namespace }: Uploader): undefined {
    this.#line.delete(uid);
    this.#held.set(uid, { namespace, lapse: this.#clock.after(keptFor, () => this.leave(uid)) });
  }

  /** Of the namespaces that may have one more, one that has the fewest. */
  #next(): readonly [string, Uploader] | undefined {
    let best: readonly [string, Uploader] | undefined;
    for (const one of this.#line) {
      const { namespace } = one[1];
      if (this.#isFree(namespace) && (best === undefined || this.#of(namespace) < this.#of(best[1].namespace))) best = one;
    }
    return best;
  }

  #isFree(namespace: string): boolean {
    return this.#of(namespace) < atOnce - this.#held.size;
  }

  #of(namespace: string): number {
    return [...this.#held.values()].filter((held) => held.namespace === namespace).length;
  }
}
