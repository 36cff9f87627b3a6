import type { Owner } from '../../engine/ports/index.ts';
import type { Clock, Millis } from '../../lib/clock.ts';
import type { ApiClock } from '../http/api-clock.ts';
import type { RowStore } from '../cache/row-store.ts';

/** A job on an object's remote was done, so many milliseconds ago. */
export interface JobEnd extends Pick<Owner, 'key'> {
  readonly kind: string;
  readonly ago: Millis;
}
export interface JobEndOptions {
  readonly rows: RowStore;
  readonly clock: Clock;
  readonly apiClock: ApiClock;
  readonly onJobEnd?: ((end: JobEnd) => void) | undefined;
}

/** A job on these paths ended at `at`, by the service's clock: tells `onJobEnd` of each object whose remote is one of them. */
export const tellOfJobEnd = ({ rows, clock, apiClock, onJobEnd }: JobEndOptions, paths: Iterable<string>, at: Millis): void => {
  for (const path of paths)
    for (const { kind, key } of rows.owners(path)) onJobEnd?.({ kind: kind.kind, key, ago: apiClock.now(clock) - at });
};
