/** What a suite came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Of a campaign that only takes a sample: cases that it planned and was not meant to run. */
  readonly left?: number;
}

/** The part of vitest's JSON report that is counted. */
export interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
  readonly testResults: readonly { readonly status: string; readonly assertionResults: readonly unknown[] }[];
}

/**
 * The counts of one run. A file that could not even be loaded counts as a failed test; so does a run that ended badly
 * although no test failed, that left no report, or in which there was nothing to run.
 */
export function countsOf(report: Report | undefined, exitCode: number): Counts {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const unloaded = report.testResults.filter(({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0).length;
  const skipped = report.numPendingTests + report.numTodoTests;
  const failed = report.numFailedTests + unloaded;
  const silent = failed === 0 && (exitCode !== 0 || report.numPassedTests === 0) ? 1 : 0;
  return { passed: report.numPassedTests, failed: failed + silent, skipped };
}

interface Told {
  readonly planned: number;
  readonly executed: number;
  readonly violations: number;
  readonly skipped: number;
}

/** The counts that a campaign told last. One that ended badly without a violation counts as failed. */
export function campaignCounts(text: string, exitCode: number): Counts {
  const last = /^\{.*"executed".*\}$/m.exec(text.trimEnd().split('\n').at(-1) ?? '')?.[0];
  const { executed, planned, violations, skipped }: Told = { ...nothing, ...(JSON.parse(last ?? '{}') as Partial<Told>) };
  const failed = violations === 0 && (exitCode !== 0 || executed === 0) ? 1 : violations;
  const left = Math.max(0, planned - executed);
  return { passed: Math.max(0, executed - violations), failed, skipped, ...(left > 0 && { left }) };
}
const nothing: Told = { planned: 0, executed: 0, violations: 0, skipped: 0 };

export const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  skipped: all.reduce((total, { skipped }) => total + skipped, 0),
});

/** What a suite came to, in words. */
export const suiteLine = (counts: Counts): string =>
  `${line(counts)}${counts.left === undefined ? '' : `; a sample: ${counts.left} more cases are planned and were not run`}`;

export const line = ({ passed, failed, skipped }: Counts): string => `${passed} passed, ${failed} failed, ${skipped} skipped`;
