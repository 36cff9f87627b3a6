import type { Millis } from './clock.ts';

const time = /^(?<day>\d{4}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i;

/** RFC 3339 with a zone; undefined for anything else, also for a day that no calendar has. */
export function readTime(text: string): Millis | undefined {
  const day = time.exec(text)?.groups?.['day'];
  const at = Date.parse(text);
  if (day === undefined || Number.isNaN(at)) return undefined;
  return new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) === day ? at : undefined;
}

/** To the second, as Kubernetes writes times. */
export const shownTime = (at: Millis): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');
