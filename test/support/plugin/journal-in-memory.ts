import type { Entry, Journal, Process } from '../../../src/plugin/once/journal/journal.ts';

/** What a test says of the processes that write. */
interface Written {
  readonly me?: Process;
  /** Whether a process runs that this one can see; absent: none does. */
  readonly runs?: (process: Process) => boolean | undefined;
}

/** Of one person, without a disk. */
export function journalInMemory({ me = { host: 'laptop', pid: 1 }, runs = () => false }: Written = {}): Journal & {
  readonly entries: Entry[];
} {
  const entries: Entry[] = [];
  return {
    where: 'journal.jsonl',
    me,
    runs,
    entries,
    read: () => Promise.resolve([...entries]),
    add: (entry) => Promise.resolve(void entries.push(entry)),
  };
}
