/** What one turn tells of its waits. */
export interface Rest {
  /** See {@link How.onWait}; of no effect when the turn has ended. */
  readonly onWait: (waits: boolean) => void;
  readonly end: () => void;
}

/**
 * How many turns wait for a rate window. Reads that a turn began in the background, or shares with others, and creates that
 * left a ticket go on waiting when it has ended: it is not counted for them any more.
 */
export class Rests {
  readonly #changed: () => void;
  #count = 0;

  /** `changed` is called when a turn begins to wait. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Turns, not waits: one that waits for two answers is one. */
  get count(): number {
    return this.#count;
  }

  begin(): Rest {
    let waits = 0;
    let ended = false;
    const count = (now: number): void => {
      const before = waits > 0;
      waits = now;
      if (before === waits > 0) return;
      this.#count += before ? -1 : 1;
      if (!before) this.#changed();
    };
    return {
      onWait: (more) => {
        if (!ended) count(waits + (more ? 1 : -1));
      },
      end: () => {
        count(0);
        ended = true;
      },
    };
  }
}
