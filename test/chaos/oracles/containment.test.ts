import { describe, expect, it } from 'vitest';
import type { Life } from '../containment/life.ts';
import { isCounted, isToldByName, siblingOf } from '../containment/sibling.ts';
import { fixturesOf, kindOf, manifestOf } from '../scenario/scenario.ts';
import { contained } from './containment.ts';

const well: Omit<Life, 'stage'> = {
  readings: ['first', 'guest'].map((name) => ({ name, ready: 8000, gone: 3000 })),
  births: new Map([['volumes', 2]]),
  left: [],
  problems: [],
  panics: [],
  struck: true,
};
const judged = (change: Partial<Life>): readonly string[] => contained({ ...well, ...change } as Life, well as Life);
const guest = (ready: number | undefined, gone: number | undefined): Partial<Life> => ({
  readings: [
    { name: 'first', ready: 8000, gone: 3000 },
    { name: 'guest', ready, gone },
  ],
});

const at = (ready: number): Partial<Life> => ({ readings: [{ name: 'first', ready, gone: 0 }] });

describe('O12 objects', () => {
  it('to nothing where neighbours do as they do without the trouble', () => expect(judged({})).toEqual([]));
  it('to nothing up to twice the time', () => expect(judged(guest(16_000, 6000))).toEqual([]));
  it.each<[string, Partial<Life>, string]>([
    ['a neighbour that is Ready late', guest(16_001, 3000), 'guest was Ready after'],
    ['a neighbour that is gone late', guest(8000, 6001), 'guest was gone after'],
    ['a neighbour that is never Ready', guest(undefined, 3000), 'guest was not Ready'],
    ['a second remote of a neighbour', { births: new Map([['volumes', 3]]) }, '3 volumes were made'],
    ['a remote that a neighbour left', { left: ['volumes 7'] }, 'volumes 7 is left'],
    ['a status that was not true', { problems: ['observedGeneration went back'] }, 'went back'],
    ['a defect', { panics: ['TypeError'] }, 'TypeError'],
  ])('to %s', (_, change, says) => expect(judged(change).join()).toContain(says));
  it('to no difference of less than a second, which is none to a person', () => {
    expect(contained({ ...well, ...at(2000) } as Life, { ...well, ...at(0) } as Life)).toEqual([]);
    expect(contained({ ...well, ...at(2001) } as Life, { ...well, ...at(0) } as Life)).toHaveLength(1);
  });
  it('to the next list where nothing else tells, and to no more', () => {
    expect(contained({ ...well, ...at(6000) } as Life, { ...well, ...at(0) } as Life, true)).toEqual([]);
    expect(contained({ ...well, ...at(6001) } as Life, { ...well, ...at(0) } as Life, true)).toHaveLength(1);
  });
});

describe('a neighbour', () => {
  const collections = fixturesOf(undefined).filter((fixture) => kindOf(fixture).mode === 'collection');
  it.each(collections.map((fixture) => [kindOf(fixture).kind, fixture] as const))(
    'of a %s is another object with another remote',
    (_, fixture) => {
      const subject = manifestOf(fixture, fixture.sample.name, {});
      const [one, other] = [siblingOf(subject, 'first'), siblingOf(subject, 'second')];
      expect(new Set([subject.name, one.name, other.name]).size).toBe(3);
      const tellsApart = ({ name, spec }: typeof one): string =>
        isToldByName(fixture) || isCounted(fixture)
          ? name
          : kindOf(fixture).label === undefined
            ? JSON.stringify(spec)
            : ((spec[kindOf(fixture).label?.field ?? ''] ?? name) as string);
      expect(new Set([tellsApart(one), tellsApart(other)]).size).toBe(2);
    },
  );
});
