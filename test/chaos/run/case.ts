import type { Interference } from './perform.ts';
import type { Excuse, Violation } from '../oracles/oracle.ts';
import { type Scenario, scenarioId } from '../scenario/scenario.ts';
import { type Step, stepId } from '../stage/step.ts';
import type { Mark, Passage } from '../stage/wire.ts';

/** One planned run: a scenario with one fault. */
export interface Case {
  readonly id: string;
  readonly family: string;
  readonly scenario: Scenario;
  readonly interference: Interference;
  readonly excuse: Excuse;
  /** The fault must strike; a case whose step never came proves nothing and fails. */
  readonly mustStrike: boolean;
  /** In place of the scenario with its fault: a story of its own, which judges itself by the ledgers. */
  play?(): Promise<Played>;
}
export interface Played {
  readonly violations: readonly Violation[];
  readonly record: readonly (Passage | Mark)[];
}

export interface Trace {
  readonly scenario: Scenario;
  readonly steps: readonly Step[];
}
/** Derives the cases of one family from a recorded run. */
export type Family = (trace: Trace) => readonly Case[];

export const caseId = (family: string, scenario: Scenario, ...rest: readonly string[]): string =>
  [family, scenarioId(scenario), ...rest].join('/');

export const caseAt = (
  family: string,
  { scenario, step, point }: { readonly scenario: Scenario; readonly step: Step; readonly point: string },
  { interference, excuse = {} }: { readonly interference: Interference; readonly excuse?: Excuse },
): Case => ({
  id: caseId(family, scenario, stepId(step), point),
  family,
  scenario,
  interference,
  excuse,
  mustStrike: true,
});
