import type { Millis } from '../../lib/clock.ts';
import { actWindow } from './burst.ts';

/**
 * Remotes that went missing without our doing, by place (account and kind). Once too many of a place went within one act,
 * they stand until a person lets them go or they are there again: a stop that time alone ended would only be a delay.
 */
export class LossCounter {
  /** Of those that are missing now, since when. */
  readonly #recent = new Map<string, Map<string, Millis>>();
  /** When those went missing that were made anew since without a question: a loss counts, however quickly it was made good. */
  readonly #remade = new Map<string, Map<string, Millis>>();
  readonly #stopped = new Map<string, Set<string>>();

  note(place: string, uid: string, now: Millis): void {
    const recent = this.#recent.get(place) ?? new Map<string, Millis>();
    this.#recent.set(place, recent.set(uid, recent.get(uid) ?? now));
    this.#stopped.get(place)?.add(uid);
  }
  /** Its loss is proven, and it is about to be made anew. */
  remade(place: string, uid: string): void {
    const at = this.#recent.get(place)?.get(uid);
    if (at === undefined) return;
    this.end(uid);
    this.#remade.set(place, (this.#remade.get(place) ?? new Map<string, Millis>()).set(uid, at));
  }
  /** A person has looked at what this place lost until now. */
  looked(place: string): void {
    this.#remade.delete(place);
  }
  /** It is there again, or was let go. */
  end(uid: string): void {
    for (const places of [this.#recent, this.#stopped])
      for (const [place, uids] of places) if (uids.delete(uid) && uids.size === 0) places.delete(place);
  }
  forget(uid: string): void {
    this.end(uid);
  }
  /** Without those that were made anew: their losses count until their time is over, whatever becomes of their objects. */
  *known(): Iterable<string> {
    for (const places of [this.#recent, this.#stopped]) for (const uids of places.values()) yield* uids.keys();
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
    const remade = this.#remade.get(place) ?? new Map<string, Millis>();
    for (const losses of [recent, remade]) for (const [uid, at] of losses) if (now - at > actWindow) losses.delete(uid);
    const stands = this.#stopped.get(place) ?? new Set<string>();
    if (new Set([...recent.keys(), ...remade.keys()]).size > Math.max(5, total * 0.05))
      this.#stopped.set(place, new Set([...stands, ...recent.keys()]));
    return this.#stopped.get(place) ?? stands;
  }
}
