import { createHash } from 'node:crypto';
import type { Options } from './options.ts';
import type { Planned } from './plan.ts';

/** So many cases of each family and kind are in the smoke run. */
const smokePerGroup = 3;

/** The cases that a run plays, in the order in which it does. */
export function chosen(cases: readonly Planned[], { shard, smoke, sample, part }: Options): readonly Planned[] {
  const mine = cases.filter(({ one }) => hashOf(one.id) % shard.of === shard.index - 1);
  if (smoke) return spread(mine, Math.max(1, Math.floor(smokePerGroup / (part?.of ?? 1))));
  return sample ? balanced(mine) : mine;
}

/** By the id alone, so that it does not matter which process plans it. */
const hashOf = (id: string): number => createHash('sha256').update(id).digest().readUInt32BE();

const groupsOf = (cases: readonly Planned[]): readonly (readonly Planned[])[] => [
  ...Map.groupBy(cases, ({ one }) => `${one.family} ${one.scenario.kind.kind}`).values(),
];

/** A few of every family and kind, spread evenly over the group. */
const spread = (cases: readonly Planned[], most: number): readonly Planned[] =>
  groupsOf(cases).flatMap((group) => {
    const gap = Math.max(1, Math.floor(group.length / most));
    return group.filter((_, index) => index % gap === Math.floor(gap / 2)).slice(0, most);
  });

/** One of every family and kind after the other, each group in an order of its own: wherever a run breaks off, none was forgotten. */
export function balanced(cases: readonly Planned[]): readonly Planned[] {
  const groups = groupsOf(cases).map((group) => group.toSorted((a, b) => hashOf(a.one.id) - hashOf(b.one.id)));
  const rounds = Math.max(0, ...groups.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => groups.flatMap((group) => group.slice(round, round + 1))).flat();
}
