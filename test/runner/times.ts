/** One test or step of a run. */
export interface Timed {
  readonly suite: string;
  /** For a test, its whole name. */
  readonly name: string;
  /** ms */
  readonly duration: number;
  /** It failed, was tried again, and passed. */
  readonly again: boolean;
}

/** The part of vitest's JSON report that tells of single tests. */
export interface TimedReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly duration?: number;
      /** Also those of a first try, when the second passed. */
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

export const timesOf = (suite: string, { testResults }: TimedReport): readonly Timed[] =>
  testResults.flatMap(({ assertionResults }) =>
    assertionResults.map(({ fullName, status, duration = 0, failureMessages }) => ({
      suite,
      name: fullName,
      duration,
      again: status === 'passed' && failureMessages.length > 0,
    })),
  );

/** The longest first. */
export const slowest = (all: readonly Timed[], most = 10): readonly string[] =>
  all
    .toSorted((a, b) => b.duration - a.duration)
    .slice(0, most)
    .map(({ suite, name, duration }) => `${(duration / 1000).toFixed(1).padStart(7)} s  ${suite}: ${name}`);

/** Tests that passed only when they were tried again: each may be a defect that shows itself now and then. */
export const triedAgain = (all: readonly Timed[]): readonly string[] =>
  all.filter(({ again }) => again).map(({ suite, name }) => `${suite}: ${name}`);
