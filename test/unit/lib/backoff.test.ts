import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoff } from '../../../src/lib/backoff.ts';

test('doubles from 4 s to 600 s, spread over its upper half', () => {
  expect([0, 1, 2, 7, 8, 5_000].map((failures) => backoff(failures, () => 0))).toEqual([2_000, 4_000, 8_000, 256_000, 300_000, 300_000]);
  expect(backoff(0, () => 0.5)).toBe(3_000);
});

test('never leaves its range, whatever the random source gives', () => {
  fc.assert(
    fc.property(fc.nat(), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (failures, random) => {
      const delay = backoff(failures, () => random);
      const full = Math.min(600_000, 4_000 * 2 ** failures);
      expect(delay).toBeGreaterThanOrEqual(full / 2);
      expect(delay).toBeLessThanOrEqual(full);
    }),
    { seed: 37 },
  );
});
