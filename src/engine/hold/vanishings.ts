import type { Millis } from '../../lib/clock.ts';
import { actWindow } from './crowd.ts';

/**
 * Remotes that went missing without our doing, by place (account and kind). Once too many of a place went within one act,
 * they stand until a person lets them go or they are there again: a stop that time alone ended would only be a delay.
 */
export class Vanishings {
  readonly #recent = new Map<string, Map<string, Millis>>();
  readonly #stopped = new Map<string, Set<string>>();

  note(place: string, uid: string, now: Millis): void {
    const recent = this.#recent.get(place) ?? new Map<string, Millis>();
    this.#recent.set(place, recent.set(uid, recent.get(uid) ?? now));
    this.#stopped.get(place)?.add(uid);
  }
  /** It is there again, was let go, or its object is gone. */
  end(uid: string): void {
    for (const places of [this.#recent, this.#stopped])
      for (const [place, uids] of places) if (uids.delete(uid) && uids.size === 0) places.delete(place);
  }
  /** It was stopped when the process began. */
  stand(place: string, uid: string): void {
    this.#stopped.set(place, (this.#stopped.get(place) ?? new Set()).add(uid));
  }
  has(place: string): boolean {
    return this.#recent.has(place) || this.#stopped.has(place);
  }
  /** The uids for which creates of this place are stopped; `total` objects have their remotes there. */
  stopped(place: string, total: number, now: Millis): ReadonlySet<string> {
    const recent = this.#recent.get(place) ?? new Map<string, Millis>();
    for (const [uid, at] of recent) if (now - at > actWindow) recent.delete(uid);
    const stands = this.#stopped.get(place) ?? new Set<string>();
    if (recent.size > Math.max(5, total * 0.05)) this.#stopped.set(place, new Set([...stands, ...recent.keys()]));
    return this.#stopped.get(place) ?? stands;
  }
}
