import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { shellWord } from '../../../src/lib/shell-word.ts';

const texts = [
  'plain-1',
  '',
  'two words',
  "it's",
  "o'clock 'now'",
  'say "hi"',
  `it's "5$"`,
  "it's `x` \\ !",
  '$HOME',
  '{"a":"b"}',
  "it's “so”",
  'x\u2018; echo \u2019y\u201A\u201B',
];

it.each(texts)('a POSIX shell reads %j as it was', (text) => {
  expect(execFileSync('/bin/sh', ['-c', `printf %s ${shellWord(text)}`], { encoding: 'utf8' })).toBe(text);
});
it('a quote is written as fish and PowerShell read it too, where nothing else in it forbids that', () => {
  expect(shellWord("it's")).toBe(`"it's"`);
  // PowerShell takes these for single quotes, too: text would end there, and what follows be run.
  expect(shellWord('x\u2018; echo \u2019')).toBe('"x\u2018; echo \u2019"');
  expect(shellWord('$HOME')).toBe(`'$HOME'`);
  expect(shellWord("it's 5$")).toBe(String.raw`'it'\''s 5$'`);
});
