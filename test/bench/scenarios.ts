import type { Scenario } from './bench.ts';
import { adoption } from './scenarios/adoption.ts';
import { idle } from './scenarios/idle.ts';

export interface Described {
  readonly name: string;
  /** With a population of the asked size that is adopted first, or with an empty account. */
  readonly world: 'populated' | 'empty';
  /** Populations that it makes sense with. */
  readonly populations: (population: string) => boolean;
  /** Runs before the others whatever is asked for: they need what it does. */
  readonly always?: true;
  readonly run: Scenario;
}

const any = (): boolean => true;

/** In this order. */
export const scenarios: readonly Described[] = [
  { name: 'adoption', world: 'populated', populations: any, always: true, run: adoption },
  { name: 'idle', world: 'populated', populations: any, run: idle },
];
