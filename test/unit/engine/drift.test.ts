import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonical, covers, shown, shownText } from '../../../src/engine/model/values.ts';
import { Sensitive } from '../../../src/resource/index.ts';

describe('what the user set must be there', () => {
  it.each([
    ['equal scalars', 1, 1, true],
    ['different scalars', 1, 2, false],
    ['a field that the user left out', { a: 1 }, { a: 1, b: 2 }, true],
    ['a field that differs below', { a: { b: 1 } }, { a: { b: 2 } }, false],
    ['lists in another order', [1, 2], [2, 1], false],
    ['lists of another length', [1], [1, 2], false],
    ['null, empty text, empty list and absent are alike', { a: null, b: '', c: [] }, {}, true],
    ['false is a value', { a: false }, {}, false],
    ['zero is a value', { a: 0 }, {}, false],
  ])('%s', (_, want, have, expected) => {
    expect(covers(want, have)).toBe(expected);
  });
  it('every value covers itself', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => covers(value, structuredClone(value))),
      { numRuns: 500 },
    );
  });
});

describe('canonical text', () => {
  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        (row) => canonical(row) === canonical(Object.fromEntries(Object.entries(row).toReversed())),
      ),
      { numRuns: 300 },
    );
  });
});

describe('what people see', () => {
  it('masks secrets, wherever they are', () => {
    expect(shown(new Sensitive('geheim'))).toBe('[redacted]');
    expect(shownText({ password: new Sensitive('geheim') })).not.toContain('geheim');
  });
  it('cuts long values', () => {
    expect([shownText(undefined), shownText(null), shownText('none')]).toEqual(['none', 'none', '"none"']);
    expect(shownText('x'.repeat(5000)).length).toBeLessThan(600);
  });
});
