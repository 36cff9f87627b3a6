import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { formatKeys, key, parseKeys } from '../../../src/commands/key.ts';
import { Sensitive } from '../../../src/resource/index.ts';

const base64 = (n: number): string => Buffer.alloc(32, n).toString('base64');

it('an exported key reads back as it was, with those that still verify', () => {
  const text = formatKeys({ current: new Sensitive(base64(1)), previous: [new Sensitive(base64(2)), new Sensitive(base64(3))] });
  const { current, previous } = parseKeys(text);
  expect([current, ...previous].map((each) => each.reveal())).toEqual([base64(1), base64(2), base64(3)]);
});

it.each(['', '\n', 'hunter2hunter2', `${base64(1)}\nhunter2hunter2\n`])('%j is refused without being quoted', (text) => {
  expect(() => parseKeys(text)).toThrow('this is no exported key');
  expect(() => parseKeys(text)).not.toThrow('hunter2');
});

it.each([[], ['print']])('key %s is refused with what there is', (...args) => {
  expect(() => key(args, {}, Readable.from([]))).toThrow('write key export or key import');
});
