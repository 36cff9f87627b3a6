import { describe, expect, it } from 'vitest';
import { campaignCounts, countsOf, line, suiteLine, sum, type Report } from '../../runner/counts.ts';

const file = (status: string, tests: number) => ({ status, assertionResults: Array.from({ length: tests }) });
const report = (change: Partial<Report>): Report => ({
  numPassedTests: 3,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  testResults: [file('passed', 3)],
  ...change,
});

describe('counts of a run', () => {
  it.each([
    { name: 'all is well', given: report({}), code: 0, counts: '3 passed, 0 failed, 0 skipped' },
    { name: 'a test fails', given: report({ numFailedTests: 1 }), code: 1, counts: '3 passed, 1 failed, 0 skipped' },
    {
      name: 'tests are left out',
      given: report({ numPendingTests: 1, numTodoTests: 1 }),
      code: 0,
      counts: '3 passed, 0 failed, 2 skipped',
    },
    {
      name: 'a file cannot be loaded',
      given: report({ testResults: [file('failed', 0)] }),
      code: 1,
      counts: '3 passed, 1 failed, 0 skipped',
    },
    { name: 'it ends badly after all passed', given: report({}), code: 1, counts: '3 passed, 1 failed, 0 skipped' },
    {
      name: 'there was nothing to run',
      given: report({ numPassedTests: 0, testResults: [] }),
      code: 0,
      counts: '0 passed, 1 failed, 0 skipped',
    },
    { name: 'it left no report', given: undefined, code: 0, counts: '0 passed, 1 failed, 0 skipped' },
  ])('are right when $name', ({ given, code, counts }) => expect(line(countsOf(given, code))).toBe(counts));

  it.each([
    { text: 'x\n{"planned":5,"executed":5,"skipped":1,"violations":0}\n', code: 0, counts: '5 passed, 0 failed, 1 skipped' },
    {
      text: '{"planned":900,"executed":5,"skipped":1,"violations":0}',
      code: 0,
      counts: '5 passed, 0 failed, 1 skipped; a sample: 895 more cases are planned and were not run',
    },
    { text: '{"planned":5,"executed":5,"skipped":0,"violations":2}', code: 1, counts: '3 passed, 2 failed, 0 skipped' },
    {
      text: '{"planned":5,"executed":0,"skipped":0,"violations":0}',
      code: 0,
      counts: '0 passed, 1 failed, 0 skipped; a sample: 5 more cases are planned and were not run',
    },
    { text: 'broken off', code: 1, counts: '0 passed, 1 failed, 0 skipped' },
  ])('of a campaign are read from its last line: $counts', ({ text, code, counts }) =>
    expect(suiteLine(campaignCounts(text, code))).toBe(counts),
  );

  it('add up', () =>
    expect(
      sum([
        { passed: 1, failed: 2, skipped: 3 },
        { passed: 10, failed: 20, skipped: 30 },
      ]),
    ).toEqual({ passed: 11, failed: 22, skipped: 33 }));
});
