import type { Interference } from './perform.ts';
import type { Excuse } from './oracles/oracle.ts';
import { type Scenario, scenarioId } from './scenario.ts';
import { type Step, stepId } from './step.ts';

/** One planned run: a scenario with one fault. */
export interface Case {
  readonly id: string;
  readonly family: string;
  readonly scenario: Scenario;
  readonly interference: Interference;
  readonly excuse: Excuse;
  /** The fault must strike; a case whose step never came proves nothing and fails. */
  readonly mustStrike: boolean;
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
