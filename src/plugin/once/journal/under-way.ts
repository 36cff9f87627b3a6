import { sleep, type Millis } from '../../../lib/clock.ts';
import type { Host } from '../../host.ts';
import { begunText, type Entry, type Journal } from './journal.ts';

const betweenSigns: Millis = 15_000;
/** Some of them may be late. */
const quiet: Millis = 60_000;

/** While the answer is awaited, the journal tells other processes that this one is still at it. */
export async function withSignsOfLife<T>(
  { clock, journal }: Pick<Host, 'clock' | 'journal'>,
  entry: Entry,
  sending: Promise<T>,
): Promise<T> {
  const over = new AbortController();
  const ended = sending.finally(() => over.abort());
  // It is answered below, after what is being written.
  ended.catch(() => undefined);
  for (;;) {
    const isOver = await sleep(clock, betweenSigns, over.signal).then(
      () => false,
      () => true,
    );
    if (isOver) return ended;
    await journal.add({ ...entry, seen: new Date(clock.now()).toISOString() }).catch(() => undefined);
  }
}

/** `yes`: it gives signs of life. `perhaps`: nobody here can tell. `no`: whoever began it is gone, or said that no answer came. */
export function isUnderWay({ state, by, seen }: Entry, journal: Pick<Journal, 'runs'>, now: Millis): 'yes' | 'perhaps' | 'no' {
  if (state !== 'Intended' || by === undefined) return 'no';
  if (journal.runs(by) === false) return 'no';
  return seen !== undefined && Math.abs(now - Date.parse(seen)) < quiet ? 'yes' : 'perhaps';
}

/** Of one that gives signs of life. */
export function underWayText(entry: Entry, journal: Pick<Journal, 'runs'>, now: Millis): string {
  const { by, seen = entry.at } = entry;
  if (by !== undefined && journal.runs(by) === true)
    return `${begunText(entry)}, is still under way, so nothing was sent now. Wait until it has ended, and type the same line again`;
  const ago = Math.max(0, Math.round((now - Date.parse(seen)) / 1000));
  return `${begunText(entry)}, which gave a sign of life ${ago} s ago: it is still under way, or was ended since. Nothing was sent now. Wait a minute, and type the same line again`;
}

/** Of one of which nobody here can tell whether it has ended. */
export function perhapsText(entry: Entry, journal: Pick<Journal, 'runs'>, now: Millis): readonly string[] {
  const { by, seen = entry.at } = entry;
  if (by === undefined || isUnderWay(entry, journal, now) !== 'perhaps') return [];
  return [
    `It gave no sign of life since ${seen}: it may still be under way, or its outcome is not known. See first whether process ${by.pid} still runs on ${by.host}`,
  ];
}
