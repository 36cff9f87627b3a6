import { describe, expect, it } from 'vitest';
import { RepeatLimit } from '../../../src/engine/controller/repeat-limit.ts';

describe('what repeats at once', () => {
  it('is slowed down after a hundred steps in a row, and free again after a rest', () => {
    const repeats = new RepeatLimit();
    expect(Array.from({ length: 100 }, () => repeats.step('a')).every((wait) => wait === 0)).toBe(true);
    expect(repeats.step('a')).toBe(5000);
    expect(repeats.step('b')).toBe(0);
    repeats.end('a');
    expect(repeats.step('a')).toBe(0);
  });
  it('is tried again quickly after a few conflicts and then with back-off', () => {
    const repeats = new RepeatLimit();
    expect([1, 2, 3, 4, 5].map(() => repeats.conflict('a'))).toEqual([250, 250, 250, 250, undefined]);
    repeats.end('a');
    expect(repeats.conflict('a')).toBe(250);
  });
});
