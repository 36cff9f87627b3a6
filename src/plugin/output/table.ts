import Table from 'cli-table3';
import { oneLine } from '../../lib/one-line.ts';

const none = ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'] as const;
const lines = ['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'] as const;
const chars = Object.fromEntries([...none, ...lines].map((name) => [name, '']));

/** Columns as kubectl prints them: no lines, capitals above, three spaces between. A cell is one line, whatever is in it. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const made = new Table({ chars, style: { head: [], border: [], 'padding-left': 0, 'padding-right': 3, compact: true } });
  made.push([...head], ...rows.map((row) => row.map(oneLine)));
  return made
    .toString()
    .split('\n')
    .map((line) => line.trimEnd());
}
