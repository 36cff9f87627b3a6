import { isPassage, type Mark, type Passage } from './wire.ts';

const around = { before: 12, after: 60 };

/** Both APIs as the operators used them, from shortly before the operation; repeated polls are counted, not listed. */
export function timelineOf(record: readonly (Passage | Mark)[]): readonly string[] {
  const begin = record.findIndex((entry) => !isPassage(entry) && entry.mark === 'the operation begins');
  const start = record[begin]?.at ?? 0;
  const from = Math.max(0, begin - around.before);
  const interesting = record.slice(from).filter((entry) => !isPassage(entry) || !isNoise(entry));
  const faultAt = interesting.findIndex((entry) => !isPassage(entry) && entry.mark.includes('killed'));
  const shown = interesting.slice(0, Math.max(0, faultAt) + around.after);
  const left = interesting.length - shown.length;
  return [...shown.map((entry) => line(entry, start)), ...(left > 0 ? [`... ${left} more`] : [])];
}

const isNoise = ({ server, request }: Passage): boolean =>
  (server === 'kube' && (request.method === 'GET' || request.path.includes('/leases'))) || request.path.includes('/account/events');

function line(entry: Passage | Mark, start: number): string {
  const at = `${((entry.at - start) / 1000).toFixed(3).padStart(10)} s`;
  if (!isPassage(entry)) return `${at}  -- ${entry.mark} --`;
  const body = entry.request.method === 'GET' ? '' : `  ${entry.request.body.toString().slice(0, 160)}`;
  const nth = entry.nth > 0 ? `#${entry.nth}` : '';
  return `${at}  ${entry.by}  ${entry.server === 'cloud' ? 'API ' : 'Kube'}  ${entry.shape} ${nth} -> ${entry.outcome}${body}`;
}
