import type { Entry, Journal } from '../../src/plugin/once/journal/journal.ts';

/** Of one person, without a disk. */
export function journalInMemory(): Journal & { readonly entries: Entry[] } {
  const entries: Entry[] = [];
  return {
    where: 'journal.jsonl',
    entries,
    read: () => Promise.resolve([...entries]),
    add: (entry) => Promise.resolve(void entries.push(entry)),
  };
}
