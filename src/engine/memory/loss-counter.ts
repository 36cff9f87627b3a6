import type { Millis } from '../../lib/clock.ts';
import { actWindow } from './deletion-counter.ts';

interface Loss {
  readonly at: Millis;
  /** Namespace of its object. */
  readonly from: string;
}
type Losses = Map<string, Loss>;

/** When the losses of a place stop its creates. */
export interface Measure {
  /** So many objects have their remotes there. */
  readonly total: number;
  /** How many losses count, of those of each namespace. */
  readonly weigh: (losses: ReadonlyMap<string, number>) => number;
  readonly now: Millis;
}

/**
 * Remotes that went missing without our doing, by place (a kind in an account, or in one namespace of it). Once too many of a place went within one act,
 * they stand until a person lets them go or they are there again: a stop that time alone ended would only be a delay.
 */
export class LossCounter {
  /** Those that are missing now. */
  readonly #recent = new Map<string, Losses>();
  /** Those that were made anew since without a question: a loss counts, however quickly it was made good. */
  readonly #remade = new Map<string, Losses>();
  readonly #stopped = new Map<string, Set<string>>();

  note(place: string, uid: string, loss: Loss): void {
    const recent: Losses = this.#recent.get(place) ?? new Map();
    this.#recent.set(place, recent.set(uid, recent.get(uid) ?? loss));
    this.#stopped.get(place)?.add(uid);
  }
  /** Its loss is proven, and it is about to be made anew. */
  remade(uid: string): void {
    for (const [place, losses] of this.#recent) {
      const loss = losses.get(uid);
      if (loss !== undefined) this.#remade.set(place, (this.#remade.get(place) ?? new Map<string, Loss>()).set(uid, loss));
    }
    this.end(uid);
  }
  /** A person has looked at what this place lost until now; `from`: at what this namespace lost of it. */
  looked(place: string, from?: string): void {
    const losses = this.#remade.get(place) ?? new Map<string, Loss>();
    for (const [uid, loss] of losses) if (from === undefined || loss.from === from) losses.delete(uid);
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
  /** The uids for which creates of this place are stopped. */
  stopped(place: string, { total, weigh, now }: Measure): ReadonlySet<string> {
    const recent: Losses = this.#recent.get(place) ?? new Map();
    const remade: Losses = this.#remade.get(place) ?? new Map();
    for (const losses of [recent, remade]) for (const [uid, { at }] of losses) if (now - at > actWindow) losses.delete(uid);
    const stands = this.#stopped.get(place) ?? new Set<string>();
    const lately = new Map([...remade, ...recent]);
    if (weigh(byNamespace(lately)) > Math.max(5, total * 0.05)) this.#stopped.set(place, new Set([...stands, ...recent.keys()]));
    return this.#stopped.get(place) ?? stands;
  }
}

function byNamespace(losses: Losses): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { from } of losses.values()) counts.set(from, (counts.get(from) ?? 0) + 1);
  return counts;
}
