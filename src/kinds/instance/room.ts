import { wordOrQuoted } from '../../lib/quoted.ts';
import type { Row } from '../../resource/index.ts';
import { Disks, type Instance, type PartsRead } from './remote.ts';

type Disk = NonNullable<PartsRead['disks']>[number];
interface Wanted {
  readonly autoResizeDisk?: boolean | undefined;
}

export const sum = (disks: readonly Disk[]): number => disks.reduce((all, { size }) => all + size, 0);
const isSwap = ({ filesystem }: Disk): boolean => filesystem === 'swap';

/** A file system that the service can fit to a plan. */
export const isFittedTo = (filesystem: unknown): boolean => /^ext\d$/.test(String(filesystem));

/** The disk that the service can fit to a plan: the only one, and of ext, beside at most one for swap. */
function fitted(disks: readonly Disk[]): Disk | undefined {
  const [main, ...more] = disks.filter((disk) => !isSwap(disk));
  const isAlone = more.length === 0 && disks.length <= 2;
  return isAlone && isFittedTo(main?.filesystem) ? main : undefined;
}

/** The same among the rows of a listing. */
export function fittedRow(rows: readonly Row[]): Row | undefined {
  const { success, data } = Disks.safeParse(rows);
  const found = success ? fitted(data) : undefined;
  return rows.find(({ id }) => id === found?.id);
}

const most = 4;
/** The largest of them. */
export function named(disks: readonly Disk[]): string {
  const shown = disks.toSorted((a, b) => b.size - a.size).slice(0, most);
  const more = disks.length > shown.length ? [`${disks.length - shown.length} more`] : [];
  return [...shown.map(({ id, label, size }) => `${id} ${wordOrQuoted(label)}: ${size} MB`), ...more].join(', ');
}

/** Disks that do not fit onto a plan. How far one can be made smaller depends on its files, which the account does not show. */
export const roomOnPlan = {
  part: 'disks',
  mayNot: ({ disk }: Row, { specs }: Instance): boolean => typeof disk === 'number' && disk < specs.disk,
  against: ({ id, disk }: Row, { type, disks = [] }: Instance & PartsRead, { autoResizeDisk }: Wanted): string | undefined => {
    const there = disks.filter(({ status }) => status !== 'deleting');
    const single = fitted(there);
    const room = Number(disk);
    const least = single === undefined || autoResizeDisk === false ? sum(there) : sum(there.filter((one) => one !== single));
    if (least <= room) return undefined;
    const fit = single !== undefined && autoResizeDisk === false ? ', or set spec.autoResizeDisk: true to have the single disk fitted' : '';
    const back = type === null ? '' : `, or put back ${type}`;
    return `its disks take ${least} MB (${named(there)}), and the plan ${String(id)} has ${room} MB. Delete disks or make them smaller, by ${least - room} MB in all, for which the instance must be off: the change goes on by itself then. Or name a plan with more disk${fit}${back}`;
  },
};
