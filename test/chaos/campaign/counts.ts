import { readFile, writeFile } from 'node:fs/promises';
import { kinds } from '../../../src/generated/kinds.ts';
import { withSection } from '../../support/section.ts';
import type { Campaign } from './campaign.ts';
import { families } from './plan.ts';
import { total } from './tally.ts';

const top = new URL('../../../', import.meta.url);
const command = 'npm run chaos -- --counts';
const section = { about: 'cases by family', command };

type Counted = Pick<Campaign, 'byFamily' | 'byKind' | 'skipped' | 'leftOut'>;

const [counts, readme] = ['test/chaos/COUNTS.md', 'test/README.md'];
const read = (file: string): Promise<string> => readFile(new URL(file, top), 'utf8');

/** File -> what it has to say of these numbers. */
async function texts(result: Counted): Promise<Readonly<Record<string, string>>> {
  return { [counts]: wholeTable(result), [readme]: withSection(await read(readme), section, shortTable(result)) };
}

/** Writes the tables of COUNTS.md and of test/README.md; answers what was written. */
export async function writeCounts(result: Counted): Promise<readonly string[]> {
  const wanted = Object.entries(await texts(result));
  for (const [file, text] of wanted) await writeFile(new URL(file, top), text);
  return wanted.map(([file]) => file);
}

/** Files that tell other numbers than a whole plan has, each with what to do. */
export async function staleCounts(result: Counted): Promise<readonly string[]> {
  const wanted = Object.entries(await texts(result));
  const there = await Promise.all(wanted.map(([file]) => read(file)));
  return wanted.flatMap(([file, text], index) =>
    there[index] === text ? [] : [`${file} tells other numbers of cases than were planned: ${command} writes it`],
  );
}

/** Characters of a reason that tells no status. */
const reasonShown = 160;
const readyIn = /\{.*?"type": ?"Ready", ?"status": ?"(\w+)", ?"reason": ?"(\w+)".*$/;

/** Why a scenario cannot be played, in one line: of a status only its Ready, since the rest changes with every field that is added. */
export const shortReason = (reason: string): string =>
  reason.replaceAll(/\s+/g, ' ').replace(readyIn, 'Ready is $1 ($2)').slice(0, reasonShown);

const number = (count: number): string => count.toLocaleString('en');
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

export function shortTable({ byFamily }: Counted): string {
  const rows = Object.entries(byFamily).map(([name, { planned }]) => row(name, families[name]?.title ?? '', number(planned)));
  return [
    row('family', 'what happens', 'cases'),
    row('---', '---', '---:'),
    ...rows,
    row('', 'together', number(total(byFamily).planned)),
  ].join('\n');
}

function wholeTable({ byFamily, byKind, skipped, leftOut }: Counted): string {
  const names = kinds.map(({ kind }) => kind);
  const rows = Object.entries(byFamily).map(([family, { planned }]) =>
    row(family, families[family]?.title ?? '', ...names.map((kind) => number(byKind[family]?.[kind] ?? 0)), number(planned)),
  );
  const left = Object.entries(leftOut).flatMap(([family, reasons]) =>
    Object.entries(reasons).map(([reason, count]) => row(family, number(count), reason)),
  );
  const cannotBePlayed = skipped.map(({ scenario, reason }) => `- ${scenario}: ${shortReason(reason)}`);
  return `# How many cases there are

Written by \`${command}\`. Every case is derived from a recorded run without a fault: a new call of a kind adds cases by itself.

${[row('family', 'what happens', ...names, 'together'), row('---', '---', ...names.map(() => '---:'), '---:'), ...rows].join('\n')}

Together ${number(total(byFamily).planned)}. F15, many objects at once, is measured by \`npm run bench\`.

## Left out

${[row('family', 'faults', 'reason'), row('---', '---:', '---'), ...left.toSorted()].join('\n')}

Scenarios that cannot be played even without a fault: ${skipped.length === 0 ? 'none.' : ''}
${cannotBePlayed.toSorted().join('\n')}
`;
}
