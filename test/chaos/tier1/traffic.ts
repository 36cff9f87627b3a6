import { sleep, systemClock, type Millis } from '../../../src/lib/clock.ts';
import type { Guard, Passage, Point } from './crossing.ts';
import { callText, counts, type Step, writes } from './recorded-step.ts';

export interface Call {
  readonly call: string;
  readonly occurrence: number;
}

/** Without a call that counts for so long, nothing more belongs to the operation. */
const quiet: Millis = 700;

/** Counts what passes while an operation is under way, and lets a fault fall at one step of it. */
export class Traffic {
  #counts = new Map<string, number>();
  #calls: Call[] = [];
  #occurrences = new WeakMap<Passage, number>();
  #step: Step | undefined;
  #fall: () => boolean = () => false;
  #lastAt = systemClock.monotonic();

  /** Of the replica that does the work: steps are counted on it alone. */
  readonly guard: Guard = (passage, point) => {
    if (!counts(passage)) return false;
    const call = callText(passage);
    if (point === 'before') this.#count(passage, call);
    if (!this.#hits(passage, call, point)) return false;
    this.#step = undefined;
    return this.#fall();
  };

  /** Resolves when the fault has fallen; never without one. `fall` says whether the passage is cut there. */
  arm(step: Step | undefined, fall: () => boolean): Promise<void> {
    this.#counts = new Map();
    this.#calls = [];
    this.#step = step;
    return new Promise((resolve) => {
      this.#fall = () => {
        resolve();
        return fall();
      };
    });
  }
  disarm(): readonly Call[] {
    this.#step = undefined;
    return this.#calls;
  }

  /** Until nothing has passed for a while but what passes all the time: polls and the lease. */
  async silence(): Promise<void> {
    this.#lastAt = systemClock.monotonic();
    while (systemClock.monotonic() < this.#lastAt + quiet) await sleep(systemClock, 50);
  }

  #hits(passage: Passage, call: string, point: Point): boolean {
    const step = this.#step;
    return step?.call === call && step.point === point && step.occurrence === this.#occurrences.get(passage);
  }

  #count(passage: Passage, call: string): void {
    const occurrence = (this.#counts.get(call) ?? 0) + 1;
    this.#counts.set(call, occurrence);
    this.#occurrences.set(passage, occurrence);
    this.#calls.push({ call, occurrence });
    if (writes(passage)) this.#lastAt = systemClock.monotonic();
  }
}
