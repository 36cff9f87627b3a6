import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RoundRobin } from '../../../src/cloud/cache/round-robin.ts';
import type { Round } from '../../../src/cloud/cache/round-robin.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

function setUp() {
  const clock = new VirtualClock();
  const roundRobin = new RoundRobin({ clock });
  const visits: { readonly name: string; readonly at: number }[] = [];
  const add = (round: Round, name: string, calls = 1, visitedAt?: number): void =>
    roundRobin.add(
      round,
      name,
      () => {
        visits.push({ name, at: clock.monotonic() });
        return Promise.resolve(calls);
      },
      visitedAt,
    );
  return { clock, roundRobin, visits, add };
}
const names = (visits: readonly { readonly name: string }[]): readonly string[] => visits.map(({ name }) => name);

describe('a place', () => {
  test('is visited at once when it never was, then every 5 min; the account every 15', async () => {
    const { clock, visits, add } = setUp();
    add('drift', 'a');
    add('account', 'b');
    await clock.advance(3_599_000);
    expect(visits.filter(({ name }) => name === 'a')).toHaveLength(12);
    expect(visits.filter(({ name }) => name === 'b')).toHaveLength(4);
  });

  test('that was read by other means waits its full time again', async () => {
    const { clock, roundRobin, visits, add } = setUp();
    add('drift', 'a');
    for (let n = 0; n < 4; n += 1) {
      await clock.advance(200_000);
      roundRobin.visited('a');
    }
    expect(visits).toHaveLength(1);
    await clock.advance(300_000);
    expect(visits).toHaveLength(2);
  });

  test('that is removed is not visited any more', async () => {
    const { clock, roundRobin, visits, add } = setUp();
    add('drift', 'a', 1, 0);
    roundRobin.remove('a');
    await clock.advance(600_000);
    expect(visits).toEqual([]);
    expect(roundRobin.bound).toBe(300_000);
  });

  test('that fails is visited again in its turn', async () => {
    const { clock, roundRobin } = setUp();
    let tries = 0;
    roundRobin.add('drift', 'a', () => ((tries += 1), Promise.reject(new Error('no'))));
    await clock.advance(301_000);
    expect(tries).toBe(2);
  });
});

describe('the cap', () => {
  test('holds for any mix of places and costs, in every hour', async () => {
    const place = fc.record({ round: fc.constantFrom<Round>('account', 'drift', 'status'), calls: fc.integer({ min: 0, max: 20 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 300 }), async (places) => {
        const { clock, visits, add } = setUp();
        places.forEach(({ round, calls }, index) => add(round, String(index), calls));
        await clock.advance(3 * 3_600_000);
        const cost = (from: number): number =>
          visits
            .filter(({ at }) => at >= from && at < from + 3_600_000)
            .reduce((sum, { name }) => sum + (places[Number(name)]?.calls ?? 0), 0);
        for (const from of [0, 1_800_000, 3_600_000, 7_200_000]) expect(cost(from)).toBeLessThanOrEqual(600 + 50 + 20);
      }),
      { numRuns: 20, seed: 3 },
    );
  });

  test('is used up in turn: nobody is visited twice before everybody was, and every round gets its turns', async () => {
    const { clock, visits, add } = setUp();
    for (let n = 0; n < 500; n += 1) add('drift', `d${n}`, 1, 0);
    for (let n = 0; n < 500; n += 1) add('status', `s${n}`, 1, 0);
    await clock.advance(3_300_000);
    const drift = names(visits).filter((name) => name.startsWith('d'));
    expect(new Set(drift.slice(0, 450)).size).toBe(450);
    expect(names(visits).filter((name) => name.startsWith('s')).length).toBeGreaterThan(50);
  });

  // 1,000 objects in the bench: 360 s were told, and parts that are only shown took their turns, too.
  test.each([
    ['alone', []],
    ['beside what is only shown', ['status']],
    ['beside the account, too', ['status', 'account']],
  ] as const)('leaves nothing that is compared unvisited for longer than its bound: %s', async (_, others) => {
    const { clock, roundRobin, visits, add } = setUp();
    for (let n = 0; n < 200; n += 1) add('drift', `d${n}`, 1, 0);
    for (const other of others) for (let n = 0; n < 200; n += 1) add(other, `${other}${n}`);
    await clock.advance(4 * 3_600_000);
    const last = new Map<string, number>();
    let longest = 0;
    for (const { name, at } of visits.filter((visit) => visit.name.startsWith('d'))) {
      longest = Math.max(longest, at - (last.get(name) ?? 0));
      last.set(name, at);
    }
    expect(longest).toBeLessThanOrEqual(roundRobin.bound);
    expect(longest).toBeGreaterThan(roundRobin.bound * 0.75);
  });

  test('a new place does not wait behind all that were visited before', async () => {
    const { clock, visits, add } = setUp();
    for (let n = 0; n < 2000; n += 1) add('status', `s${n}`, 1, 0);
    await clock.advance(900_000);
    add('status', 'new');
    await clock.advance(60_000);
    expect(names(visits)).toContain('new');
  });
});
