import { readFile } from 'node:fs/promises';

/** What the kernel counts of a process. */
export interface ProcessFigures {
  /** Milliseconds of processor time since its start, in hundredths of a second. */
  readonly processor: number;
  /** Resident memory, now and at most, in MB of 2^20 bytes. */
  readonly resident: number;
  readonly residentMost: number;
}

/** From `/proc`; rejects when there is no such process. */
export async function processFigures(pid: number): Promise<ProcessFigures> {
  const [stat, status] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8'), readFile(`/proc/${pid}/status`, 'utf8')]);
  // The name of the process stands in brackets and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const kilobytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN);
  return {
    processor: (Number(fields[11]) + Number(fields[12])) * 10,
    resident: kilobytes('VmRSS') / 1024,
    residentMost: kilobytes('VmHWM') / 1024,
  };
}
