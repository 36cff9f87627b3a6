import { expect, it } from 'vitest';
import { slowest, timesOf, triedAgain } from '../../runner/times.ts';

const test = (fullName: string, duration: number, status = 'passed', failureMessages: readonly string[] = []) => ({
  fullName,
  duration,
  status,
  failureMessages,
});
const times = timesOf('integration', {
  testResults: [
    { assertionResults: [test('quick', 10), test('slow', 2500)] },
    {
      assertionResults: [
        test('flaps', 40, 'passed', ['a case\nexpected 1 to be 2\n    at here:1:2']),
        test('fails', 20, 'failed', ['no']),
        test('middling', 900),
      ],
    },
  ],
});

it('the slowest tests are told, the longest first', () =>
  expect(slowest(times, 2)).toEqual(['    2.5 s  integration: slow', '    0.9 s  integration: middling']));

it('a test that passed at its second try is told with why it failed, one that failed is not told twice', () =>
  expect(triedAgain(times)).toEqual(['integration: flaps', '  a case', '  expected 1 to be 2']));
