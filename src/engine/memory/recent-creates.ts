import type { Millis } from '../../lib/clock.ts';
import type { Row } from '../../resource/index.ts';

interface RecentCreate {
  readonly path: string;
  readonly row: Row;
  readonly at: Millis;
}

/** What this process made so lately that a listing in use may be older than it. Times are monotonic. */
export class RecentCreates {
  readonly #births = new Map<string, readonly RecentCreate[]>();

  /** `place`: account and collection. What was made before `since` is forgotten, in the places that were used least lately first. */
  note(place: string, birth: RecentCreate, since: Millis): void {
    for (const [other, births] of this.#births) {
      if (births.every(({ at }) => at < since)) this.#births.delete(other);
      else break;
    }
    const here = (this.#births.get(place) ?? []).filter(({ at }) => at >= since);
    this.#births.delete(place);
    this.#births.set(place, [...here, birth]);
  }
  since(place: string, since: Millis): readonly RecentCreate[] {
    return (this.#births.get(place) ?? []).filter(({ at }) => at >= since);
  }
}
