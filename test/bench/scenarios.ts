import type { Scenario } from './bench.ts';
import { adoption } from './scenarios/adoption.ts';
import { coldStart } from './scenarios/cold-start.ts';
import { handover, letGo } from './scenarios/handover.ts';
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
const isAll = (population: string): boolean => population === 'all';
const isMixed = (population: string): boolean => population === 'mixed';

/** In this order. */
export const scenarios: readonly Described[] = [
  { name: 'adoption', world: 'populated', populations: everywhere, always: true, run: adoption },
  { name: 'handover', world: 'populated', populations: isAll, always: true, run: handover },
  { name: 'idle', world: 'populated', populations: everywhere, run: idle },
  { name: 'outside', world: 'populated', populations: isMixed, run: outside },
  { name: 'failover', world: 'populated', populations: isMixed, run: failover },
  { name: 'cold-start', world: 'populated', populations: everywhere, run: coldStart },
  { name: 'lifecycle', world: 'populated', populations: isMixed, run: lifecycle },
  // Nothing is there after it.
  { name: 'let-go', world: 'populated', populations: isAll, run: letGo },
  { name: 'mass-create', world: 'empty', populations: isMixed, run: massCreate },
];

export interface Choice {
  readonly population: string;
  /** Names; empty means all. */
  readonly only: readonly string[];
}
export interface Planned {
  readonly world: Described['world'];
  readonly scenarios: readonly Described[];
}

/** What runs in each world. What always runs goes before something that was asked for, or was asked for itself. */
export function planned({ population, only }: Choice): readonly Planned[] {
  const unknown = only.filter((asked) => scenarios.every(({ name }) => name !== asked));
  if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}; there are ${scenarios.map(({ name }) => name).join(', ')}`);
  const fitting = scenarios.filter(({ populations }) => populations(population));
  const asked = fitting.filter(({ name }) => only.length === 0 || only.includes(name));
  return (['populated', 'empty'] as const).flatMap((world) => {
    if (asked.every((one) => one.world !== world)) return [];
    return [{ world, scenarios: fitting.filter((one) => one.world === world && (one.always === true || asked.includes(one))) }];
  });
}
