import { FifoMap } from './fifo-map.ts';
import { onAbort } from './on-abort.ts';

/** Room for so many at once; the others wait in the order in which they came. */
export class Slots {
  #free: number;
  readonly #waiting = new FifoMap<object, () => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when there is room, with what gives it back; rejects with the signal's reason when it is aborted first. */
  take(signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      const enter = (): void => {
        this.#free -= 1;
        resolve(this.#giveBack());
      };
      if (this.#free > 0) return enter();
      const place = {};
      const stay =
        signal &&
        onAbort(signal, () => {
          this.#waiting.delete(place);
          reject(signal.reason as Error);
        });
      this.#waiting.set(place, () => {
        stay?.();
        enter();
      });
    });
  }

  #giveBack(): () => void {
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#free += 1;
      const next = this.#waiting.oldest();
      const enter = next && this.#waiting.get(next);
      if (next === undefined) return;
      this.#waiting.delete(next);
      enter?.();
    };
  }
}
