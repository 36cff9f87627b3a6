import type { Millis } from '../../../src/lib/clock.ts';
import type { Life, Reading } from '../containment/life.ts';

/** Times as long as without the trouble that a neighbour may take. */
const most = 2;
/** Faster than this nobody can tell apart: from an edit to its call a second may pass. */
const atOnce: Millis = 1000;
/** What is looked up in its list alone waits for the next one: all lists of a page are three seconds apart. */
const nextList: Millis = 3000;

/** O12: whatever one object, tenant or kind suffers from, its neighbours are made and deleted as they are without it. */
export const contained = (run: Life, reference: Life, byList = false): readonly string[] => [
  ...slower('Ready', { run, reference, byList }, ({ ready }) => ready),
  ...slower('gone', { run, reference, byList }, ({ gone }) => gone),
  ...[...run.births].flatMap(([collection, count]) => {
    const usual = reference.births.get(collection) ?? 0;
    return count > usual ? [`with the neighbours ${count} ${collection} were made, ${usual} where all are well`] : [];
  }),
  ...run.left.map((life) => `${life} is left, although the neighbours are gone`),
  ...run.problems,
  ...run.panics,
];

/** Each against the slowest of the reference: which of them comes first is chance. */
function slower(
  what: string,
  { run, reference, byList }: { readonly run: Life; readonly reference: Life; readonly byList: boolean },
  time: (one: Reading) => Millis | undefined,
) {
  const usual = Math.max(byList ? nextList : atOnce, ...reference.readings.map((one) => time(one) ?? Infinity));
  return run.readings.flatMap((one) => {
    const taken = time(one);
    if (taken === undefined) return [`${one.name} was not ${what} within half an hour, ${usual / 1000} s where all are well`];
    return taken > most * usual ? [`${one.name} was ${what} after ${taken / 1000} s, ${usual / 1000} s where all are well`] : [];
  });
}
