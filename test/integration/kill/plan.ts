import { seeded } from '../../support/seeded.ts';
import type { Call } from './lane.ts';
import { stepsOf, type Step } from './step.ts';

/** One life of an object: made, edited and deleted, with the operator killed once in each. */
export interface Life {
  readonly create: Step | undefined;
  readonly update: Step | undefined;
  readonly delete: Step | undefined;
}
export const phases = ['create', 'update', 'delete'] as const;
export type Phase = (typeof phases)[number];

const key = ({ call, occurrence }: Call): string => `${call} #${occurrence}`;

/** The steps that every recorded run had: what comes in some runs only depends on the time of day. */
export function planned(recordings: readonly (readonly Call[])[]): readonly Step[] {
  const [first = [], ...others] = recordings;
  const seen = others.map((calls) => new Set(calls.map(key)));
  return stepsOf(first.filter((call) => seen.every((keys) => keys.has(key(call)))));
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [result[i], result[j]] = [result[j] as T, result[i] as T];
  }
  return result;
}

const changesTheAccount = ({ call }: Step): boolean => /^cloud (?!GET )/.test(call);

/** In an order in which a few of them already say much: what changes the account takes turns with all the rest. */
function ordered(steps: readonly Step[], random: () => number): readonly Step[] {
  const mixed = shuffled(steps, random);
  const [changes, rest] = [mixed.filter(changesTheAccount), mixed.filter((step) => !changesTheAccount(step))];
  return Array.from({ length: Math.max(changes.length, rest.length) }, (_, i) => [changes[i], rest[i]])
    .flat()
    .filter((step) => step !== undefined);
}

/** Lives that kill at every step, or at so many of each phase. */
export function livesOf(steps: Readonly<Record<Phase, readonly Step[]>>, seed: number, atMost = Infinity): readonly Life[] {
  const random = seeded(seed);
  const some = (phase: Phase): readonly Step[] => ordered(steps[phase], random).slice(0, atMost);
  const chosen = { create: some('create'), update: some('update'), delete: some('delete') };
  const length = Math.max(...phases.map((phase) => chosen[phase].length));
  return Array.from({ length }, (_, i) => ({ create: chosen.create[i], update: chosen.update[i], delete: chosen.delete[i] }));
}
