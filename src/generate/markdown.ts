const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

/** A table; cells may hold any text but keep to one line. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`).join('\n');
