/** One test or step of a run. */
export interface Timed {
  readonly suite: string;
  /** For a test, its whole name. */
  readonly name: string;
  /** ms */
  readonly duration: number;
  /** It failed because of this, was tried again, and passed. */
  readonly again?: string;
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
      ...(status === 'passed' && failureMessages[0] !== undefined && { again: failureMessages[0] }),
    })),
  );

/** The longest first. */
export const slowest = (all: readonly Timed[], most = 10): readonly string[] =>
  all
    .toSorted((a, b) => b.duration - a.duration)
    .slice(0, most)
    .map(({ suite, name, duration }) => `${(duration / 1000).toFixed(1).padStart(7)} s  ${suite}: ${name}`);

/** Longer than a line, so that a case with what was wrong with it is told. */
const enough = 600;

/** Tests that passed only when they were tried again, and why: each may be a defect that shows itself now and then. */
export const triedAgain = (all: readonly Timed[]): readonly string[] =>
  all.flatMap(({ suite, name, again }) => (again === undefined ? [] : [`${suite}: ${name}`, ...reason(again)]));

const reason = (message: string): readonly string[] =>
  (message.split(/\n {4}at /, 1)[0] ?? '')
    .slice(0, enough)
    .split('\n')
    .map((line) => `  ${line}`);
