import type { Millis } from '../../lib/clock.ts';

const freeSteps = 100;
const slowStep: Millis = 5000;
const quickTries = 4;
const quickly: Millis = 250;

/**
 * Counts what repeats at once for one key. A step that is due at once, and a write that met another writer, are normal and
 * few; whatever goes wrong, neither may repeat for ever without time passing.
 */
export class RepeatLimit {
  readonly #steps = new Map<string, number>();
  readonly #conflicts = new Map<string, number>();

  /** When the next of many steps in a row is due. A long way of real steps goes on, only slower. */
  step(id: string): Millis {
    const steps = (this.#steps.get(id) ?? 0) + 1;
    this.#steps.set(id, steps);
    return steps <= freeSteps ? 0 : slowStep;
  }
  /** When to try again after a conflict; undefined when it is no passing one any more. */
  conflict(id: string): Millis | undefined {
    const conflicts = (this.#conflicts.get(id) ?? 0) + 1;
    this.#conflicts.set(id, conflicts);
    return conflicts <= quickTries ? quickly : undefined;
  }
  /** The key came to rest. */
  end(id: string): void {
    this.#steps.delete(id);
    this.#conflicts.delete(id);
  }
  forget(id: string): void {
    this.end(id);
  }
  known(): Iterable<string> {
    return [...this.#steps.keys(), ...this.#conflicts.keys()];
  }
}
