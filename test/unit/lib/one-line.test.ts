import { expect, test } from 'vitest';
import { oneLine } from '../../../src/lib/one-line.ts';

const point = (code: number): string => String.fromCodePoint(code);

test.each([0x1b, 0x0d, 0x85, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x2028, 0x202e, 0x2060, 0xfeff, 0x3164])(
  'U+%i is shown and does nothing',
  (code) => {
    expect(oneLine(`web${point(code)}1`)).toBe(`web\\u${code.toString(16).padStart(4, '0')}1`);
  },
);

test.each([0x200d, 0xfe0e, 0xfe0f])('U+%i hides behind no digit and no last letter', (code) => {
  for (const name of ['web-1', 'web#', 'سلام']) expect.soft(oneLine(`${name}${point(code)}`)).toBe(`${name}\\u${code.toString(16)}`);
});

test('also what lies beyond the first plane, and hidden at an end', () => {
  expect.soft(oneLine(`web${point(0xe0041)}`)).toBe(String.raw`web\u{e0041}`);
  expect(oneLine(`web${point(0x200b)}`)).toBe(String.raw`web\u200b`);
});

test.each(['👨‍👩‍👧 family', '❤️', '👍🏽', '1️⃣', 'می‌خواهم', 'क्‍ष', 'größe', '雲'])('%s is left as people write it', (text) => {
  expect(oneLine(text)).toBe(text);
});

test('breaks become two characters', () => {
  expect(oneLine('a\nb\tc')).toBe(String.raw`a\nb\tc`);
});
