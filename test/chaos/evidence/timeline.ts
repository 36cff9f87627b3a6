import { isPassage, type Mark, type Passage } from '../stage/wire.ts';

type Entry = Passage | Mark;

/** Entries that are shown on either side of a moment. */
const around = { before: 12, after: 25 };
/** After the first moment of a fault comes what it leads to. */
const consequences = 60;
/** A fault that strikes every request is shown where it begins and where it ends. */
const momentsShown = 6;

/** What happens in any run; every other mark, and every request that was struck, is a moment of the fault. */
const ordinary = /^(?:the operation (?:begins|is done)|operator-\d+ starts|\w+ \S+ is deleted)$/;

const isMoment = (entry: Entry): boolean => (isPassage(entry) ? entry.struck : !ordinary.test(entry.mark));

/** Both APIs as the operators used them, around the beginning of the operation and each moment of the fault; polls are not listed. */
export function timelineOf(record: readonly Entry[]): readonly string[] {
  const begin = record.findIndex((entry) => !isPassage(entry) && entry.mark === 'the operation begins');
  const start = record[begin]?.at ?? 0;
  const interesting = record.slice(Math.max(0, begin - around.before)).filter((entry) => !isPassage(entry) || !isNoise(entry));
  const shown = windowsOf(interesting);
  const lines: string[] = [];
  let left = 0;
  for (const [index, entry] of interesting.entries()) {
    if (!shown(index)) {
      left += 1;
      continue;
    }
    if (left > 0) lines.push(`... ${left} more`);
    left = 0;
    lines.push(line(entry, start));
  }
  return left > 0 ? [...lines, `... ${left} more`] : lines;
}

/** Whether an entry lies near a moment. */
function windowsOf(entries: readonly Entry[]): (index: number) => boolean {
  const moments = entries.flatMap((entry, index) => (isMoment(entry) ? [index] : []));
  const [first = 0] = moments;
  const half = momentsShown / 2;
  const chosen = moments.length <= momentsShown ? moments : [...moments.slice(0, half), ...moments.slice(-half)];
  const windows = [
    [0, 2 * around.before],
    [first - around.before, first + consequences],
    ...chosen.map((moment) => [moment - around.before, moment + around.after]),
  ];
  return (index) => windows.some(([from = 0, to = 0]) => index >= from && index <= to);
}

/** Polls and renewals say nothing, unless they are what was struck. */
const isNoise = ({ server, request, struck }: Passage): boolean =>
  !struck &&
  ((server === 'kube' && (request.method === 'GET' || request.path.includes('/leases'))) || request.path.includes('/account/events'));

function line(entry: Entry, start: number): string {
  const at = `${((entry.at - start) / 1000).toFixed(3).padStart(10)} s`;
  if (!isPassage(entry)) return `${at}  -- ${entry.mark} --`;
  const body = entry.request.method === 'GET' ? '' : `  ${entry.request.body.toString().slice(0, 160)}`;
  const nth = entry.nth > 0 ? `#${entry.nth}` : '';
  const fault = entry.struck ? '  <== FAULT' : '';
  return `${at}  ${entry.by}  ${entry.server === 'cloud' ? 'API ' : 'Kube'}  ${entry.shape} ${nth} -> ${entry.outcome}${fault}${body}`;
}
