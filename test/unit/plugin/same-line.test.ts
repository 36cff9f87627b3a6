import { expect, it } from 'vitest';
import { sameLine } from '../../../src/plugin/command-line/same-line.ts';

it.each([
  ['transfer create cinst/web', 'kubectl cloud transfer create cinst/web --confirm x'],
  ['transfer create cinst/web --confirm y --expect-account E1', 'kubectl cloud transfer create cinst/web --confirm x'],
  ['transfer create cinst/web --confirm=y', 'kubectl cloud transfer create cinst/web --confirm x'],
  // What leads to the cluster is put into every line that is told.
  ['--context shop pause cvol/data --as=eve -n a', 'kubectl cloud pause cvol/data -n a --confirm x'],
  // A body may hold what no log may: the flag alone is told.
  ['api POST /x --write --data {"a":1}', undefined],
  ['api POST /x --write -d {"a":1}', undefined],
  ['api POST /x --write --data={}', undefined],
  ['api POST /x --write -d{}', undefined],
  ['transfer create -- cinst/web', undefined],
])('%s', (typed, again) => expect(sameLine(typed.split(' '), '--confirm x')).toBe(again));

it('says for a shell what was said to one', () =>
  expect(sameLine(['account-cancel', '--comments', "we're done"], '--confirm x')).toBe(
    `kubectl cloud account-cancel --comments "we're done" --confirm x`,
  ));
