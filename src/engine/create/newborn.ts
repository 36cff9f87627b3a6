import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';

interface Birth {
  readonly path: string;
  readonly row: Row;
  readonly at: Millis;
}

/** What this process made so lately that a listing in use may be older than it. Times are monotonic. */
export class Newborn {
  readonly #births = new Map<string, readonly Birth[]>();

  /** `place`: account and collection. What was made there before `since` is forgotten. */
  note(place: string, birth: Birth, since: Millis): void {
    this.#births.set(place, [...(this.#births.get(place) ?? []).filter(({ at }) => at >= since), birth]);
  }
  since(place: string, since: Millis): readonly Birth[] {
    return (this.#births.get(place) ?? []).filter(({ at }) => at >= since);
  }
}
