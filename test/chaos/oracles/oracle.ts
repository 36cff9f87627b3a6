import type { Evidence } from '../evidence/evidence.ts';
import type { Scenario } from '../scenario/scenario.ts';

export interface Trial {
  readonly scenario: Scenario;
  readonly run: Evidence;
  /** The same scenario without a fault. */
  readonly reference: Evidence;
  /** What the fault itself explains. */
  readonly excuse: Excuse;
}
export interface Excuse {
  /** So many times as much as without the fault may be made, because the fault or a person destroys or makes remotes. */
  readonly rebirths?: number;
  /** So many more may be made, because an edit or a person adds to what is there. */
  readonly additions?: number;
  /** A late call undid what was done, and it was put right: status says so. */
  readonly corrected?: true;
  /** The spec was edited on the way: generations are others. */
  readonly edited?: true;
  /** A person took the installation's tag away, which is not set again. */
  readonly untagged?: true;
  /** Another object is deleted on purpose: O5 does not judge. */
  readonly victims?: true;
  /** A person made something in the account that stays there. */
  readonly leftovers?: true;
  /** The run may end elsewhere than the reference: O6 does not judge. */
  readonly otherEnd?: true;
  /** Its own clock runs so many times as fast: what it waits for is over so much earlier, and it cannot know. */
  readonly hurries?: number;
  /** The operation may rightly never end: a person must act. Its status must then carry one of these reasons. */
  readonly stalls?: readonly string[];
}

/** Names an oracle of the reliability notes and says what it saw, or nothing. */
export interface Violation {
  readonly oracle: string;
  readonly message: string;
}
export type Oracle = (trial: Trial) => readonly string[];
