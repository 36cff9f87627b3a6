/** What one reconcile tells of its waits. */
export interface WorkerSlot {
  /** See {@link CallOptions.onWait}; of no effect when the reconcile has ended. */
  readonly onWait: (waits: boolean) => void;
  readonly end: () => void;
}

/**
 * How many reconciles wait for a rate window. Reads that a reconcile began in the background, or shares with others, and creates that
 * left a ticket go on waiting when it has ended: it is not counted for them any more.
 */
export class WorkerSlots {
  readonly #changed: () => void;
  #count = 0;

  /** `changed` is called when a reconcile begins to wait. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Reconciles, not waits: one that waits for two answers is one. */
  get count(): number {
    return this.#count;
  }

  begin(): WorkerSlot {
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
