import { expect, it } from 'vitest';
import { balanced } from './choice.ts';
import type { Planned } from './plan.ts';
import { fixturesOf, scenariosOf } from '../scenario/scenario.ts';
import { plain } from '../scenario/corner.ts';

const scenarios = ['CloudVolume', 'CloudDomain'].flatMap((kind) =>
  fixturesOf(kind).flatMap((fixture) => scenariosOf(fixture, plain).slice(0, 1)),
);
const cases = (family: string, kind: number, count: number): readonly Planned[] =>
  Array.from({ length: count }, (_, n) => {
    const scenario = scenarios[kind];
    if (scenario === undefined) throw new Error('there is no scenario');
    const one = { id: `${family}/${scenario.kind.kind}/${n}`, family, scenario, interference: {}, excuse: {}, mustStrike: false };
    return { one, reference: undefined as unknown as Planned['reference'] };
  });
const all = [...cases('F1', 0, 20), ...cases('F1', 1, 3), ...cases('F4', 0, 2), ...cases('F4', 1, 50)];
const idsOf = (some: readonly Planned[]): readonly string[] => some.map(({ one }) => one.id);
const groupsIn = (some: readonly Planned[]): readonly string[] => some.map(({ one }) => `${one.family} ${one.scenario.kind.kind}`);

const volumes = (ids: readonly string[]): readonly string[] => ids.filter((id) => id.startsWith('F1/CloudVolume/'));

it('any beginning of a sample has as many of one family and kind as of another, as long as there are any', () => {
  const sample = balanced(all);
  expect(new Set(groupsIn(sample.slice(0, 4))).size).toBe(4);
  expect(new Set(groupsIn(sample.slice(4, 8))).size).toBe(4);
  expect(groupsIn(sample.slice(11, 60))).not.toContain('F4 CloudVolume');
});

it('a sample leaves nothing out, and within a family and kind comes in the same order however the plan was made', () => {
  const sample = idsOf(balanced(all));
  expect(sample.toSorted()).toEqual(idsOf(all).toSorted());
  expect(volumes(idsOf(balanced(all.toReversed())))).toEqual(volumes(sample));
  expect(volumes(sample)).not.toEqual(volumes(idsOf(all)));
});
