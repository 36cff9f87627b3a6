import type { Millis } from '../../lib/clock.ts';

const steps: readonly (readonly [string, Millis])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
];

/** `6 min`, `2 d`: how long ago, in its greatest unit. */
export function age(since: string, now: Millis): string {
  const passed = Math.max(0, now - Date.parse(since));
  const [unit, length] = steps.find(([, one]) => passed >= one) ?? (['s', 1000] as const);
  return `${Math.floor(passed / length)} ${unit}`;
}

/** `since 11:11:02Z (6 min)`; with the day where that was another. */
export function sinceText(since: string | undefined, now: Millis): string {
  if (since === undefined) return '';
  const today = new Date(now).toISOString().slice(0, 10);
  return ` since ${since.startsWith(today) ? since.slice(11) : since} (${age(since, now)})`;
}

/** Of what is not as wanted: its condition says since when, and its reason may be a younger one. */
export const unwantedSince = (since: string | undefined, now: Millis): string =>
  since === undefined ? '' : `, not as wanted${sinceText(since, now)}`;
