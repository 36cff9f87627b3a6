import type { Scenario } from './bench.ts';
import { adoption } from './scenarios/adoption.ts';
import { coldStart } from './scenarios/cold-start.ts';
import { failover } from './scenarios/failover.ts';
import { idle } from './scenarios/idle.ts';
import { lifecycle } from './scenarios/lifecycle.ts';
import { massCreate } from './scenarios/mass-create.ts';
import { outside } from './scenarios/outside.ts';

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

const everywhere = (): boolean => true;
const isMixed = (population: string): boolean => population === 'mixed';

/** In this order. */
export const scenarios: readonly Described[] = [
  { name: 'adoption', world: 'populated', populations: everywhere, always: true, run: adoption },
  { name: 'idle', world: 'populated', populations: everywhere, run: idle },
  { name: 'outside', world: 'populated', populations: isMixed, run: outside },
  { name: 'failover', world: 'populated', populations: isMixed, run: failover },
  { name: 'cold-start', world: 'populated', populations: everywhere, run: coldStart },
  { name: 'lifecycle', world: 'populated', populations: isMixed, run: lifecycle },
  { name: 'mass-create', world: 'empty', populations: isMixed, run: massCreate },
];
