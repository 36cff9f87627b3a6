import type { Performed } from './ledger-notes.ts';

/** An operation of the service's documents. */
export interface Documented {
  readonly operation: string;
  readonly area: string;
}

export interface Line extends Documented {
  /** Who performed it, in the order of the alphabet; nobody: it is not covered. */
  readonly by: readonly string[];
  /** One test in which `by[0]` did. */
  readonly test: string | undefined;
}

/** `operations.tsv`: method, path, area; a path may begin with the version under which alone it is published. */
export function documentedIn(tsv: string): readonly Documented[] {
  const [, ...lines] = tsv.trim().split('\n');
  return lines.map((line) => {
    const [method = '', path = '', area = ''] = line.split('\t');
    return { operation: `${method} ${path.replace(/^\/v4beta\//, '/')}`, area };
  });
}

export function linesOf(documented: readonly Documented[], performed: readonly Performed[]): readonly Line[] {
  return documented.map(({ operation, area }) => {
    const those = performed.filter((one) => one.operation === operation).toSorted((a, b) => (a.by < b.by ? -1 : 1));
    return { operation, area, by: [...new Set(those.map(({ by }) => by))], test: those[0]?.test };
  });
}

/** What was performed and is in no document. */
export function further(documented: readonly Documented[], performed: readonly Performed[]): readonly Line[] {
  const known = new Set(documented.map(({ operation }) => operation));
  const others = [...new Set(performed.map(({ operation }) => operation))].filter((operation) => !known.has(operation));
  return linesOf(
    others.toSorted().map((operation) => ({ operation, area: 'further' })),
    performed,
  );
}

const isCovered = ({ by }: Line): boolean => by.length > 0;

export interface Area {
  readonly area: string;
  readonly covered: number;
  readonly all: number;
}

export function areasOf(lines: readonly Line[]): readonly Area[] {
  const names = [...new Set(lines.map(({ area }) => area))].toSorted();
  return names.map((area) => {
    const those = lines.filter((line) => line.area === area);
    return { area, covered: those.filter(isCovered).length, all: those.length };
  });
}

/** The file of what may not be lost: a line for each operation that is covered. */
export const fileOf = (lines: readonly Line[]): string =>
  lines
    .filter(isCovered)
    .map(({ operation }) => `${operation}\n`)
    .toSorted()
    .join('');

/** Operations of the file that nobody performs any more. */
export function lost(file: string, lines: readonly Line[]): readonly string[] {
  const now = new Set(lines.filter(isCovered).map(({ operation }) => operation));
  return file
    .trim()
    .split('\n')
    .filter((operation) => !now.has(operation));
}

const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

export function shown(lines: readonly Line[], others: readonly Line[]): string {
  const row = ({ operation, by, test }: Line): string =>
    `${operation.padEnd(72)} ${(by.length === 0 ? '-' : by.join(', ')).padEnd(34)} ${shortened(test ?? '', 90)}`.trimEnd();
  const areas = areasOf(lines).map(({ area, covered, all }) => `${area.padEnd(18)} ${covered} of ${all}`);
  return [...lines.map(row), '', 'Beyond the documents:', ...others.map(row), '', ...areas, '', totalOf(lines)].join('\n');
}

export const totalOf = (lines: readonly Line[]): string => `${lines.filter(isCovered).length} of ${lines.length} operations are performed`;

export const markdown = (lines: readonly Line[]): string =>
  [
    '| area | performed | of |',
    '| --- | ---: | ---: |',
    ...areasOf(lines).map(({ area, covered, all }) => `| ${area} | ${covered} | ${all} |`),
    `| together | ${lines.filter(isCovered).length} | ${lines.length} |`,
  ].join('\n');
