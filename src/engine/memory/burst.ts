import type { Millis } from '../../lib/clock.ts';

/** What was asked for within this long of each other counts as one act (README: loss, deletion). */
export const actWindow: Millis = 10 * 60_000;

/**
 * The indices of all times that lie in some window with more than `limit` of them, whenever that was: what one act asked
 * for stays one act, however long it is held. `times` rises; `extra(end)` counts what a window that ends there also saw.
 */
export function inBurst(times: readonly Millis[], limit: number, extra: (end: Millis) => number): ReadonlySet<number> {
  const found = new Set<number>();
  let first = 0;
  for (const [last, end] of times.entries()) {
    while ((times[first] ?? end) <= end - actWindow) first += 1;
    if (last - first + 1 + extra(end) <= limit) continue;
    for (let index = last; index >= first && !found.has(index); index -= 1) found.add(index);
  }
  return found;
}
