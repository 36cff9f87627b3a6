import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that wait in real time for a minute or more, the longest first. Begun last, all that is over would wait for them. */
export const longest = [
  'test/recovery/account.test.ts',
  'test/recovery/kill.test.ts',
  'test/integration-long/guides.test.ts',
  'test/integration-long/bad-input.test.ts',
  'test/integration-long/cluster-wide.test.ts',
  'test/integration/chart-on-server.test.ts',
  'test/integration/landscape.test.ts',
];

const place = ({ moduleId }: Pick<TestSpecification, 'moduleId'>): number => {
  const found = longest.findIndex((file) => moduleId.endsWith(file));
  return found < 0 ? longest.length : found;
};
/** Those that wait longest, and then the others as they were. */
export const longestFirst = <T extends Pick<TestSpecification, 'moduleId'>>(files: readonly T[]): T[] =>
  files.toSorted((a, b) => place(a) - place(b));

/** Vitest knows how long a file takes only where it ran before: a fresh clone begins with the biggest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // It gives a new list; no array is sorted here.
    // oxlint-disable-next-line unicorn/no-array-sort
    return longestFirst(await super.sort(files));
  }
}
