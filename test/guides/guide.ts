/** One command of a guide, and what the guide says that it prints. */
export interface Example {
  readonly line: number;
  readonly command: string;
  /** `...` stands for anything, alone on a line for any lines. */
  readonly prints: readonly string[];
}

/** The examples of blocks marked `console`: `$ command`, which goes on after a backslash and within a here-document, then what it prints. */
export function examplesIn(markdown: string): readonly Example[] {
  const lines = markdown.split('\n');
  const examples: { line: number; command: string; prints: string[] }[] = [];
  let inside = false;
  let end: RegExp | undefined;
  for (const [index, line] of lines.entries()) {
    const last = examples.at(-1);
    if (line.startsWith('```')) inside = line === '```console';
    else if (!inside) continue;
    else if (end !== undefined && last !== undefined) {
      last.command += `\n${line}`;
      if (end.test(line)) end = undefined;
    } else if (line.startsWith('$ ')) {
      examples.push({ line: index + 1, command: line.slice(2), prints: [] });
      end = openedBy(line);
    } else last?.prints.push(line);
  }
  return examples;
}

/** The last line of a command that goes on. */
function openedBy(line: string): RegExp | undefined {
  const word = /<<'?(?<word>[A-Z]+)/.exec(line)?.groups?.['word'];
  if (word !== undefined) return new RegExp(`^${word}$`);
  return line.endsWith('\\') ? /[^\\]$/ : undefined;
}

/** What is not as it is printed; undefined where all is. */
export function mismatch(prints: readonly string[], output: string): string | undefined {
  const got = output.trimEnd().split('\n');
  let at = 0;
  let any = false;
  const told = prints.slice(0, prints.findLastIndex((line) => line.trim() !== '') + 1);
  for (const expected of told) {
    if (expected.trim() === '...') {
      any = true;
      continue;
    }
    const fits = patternOf(expected);
    const found = got.findIndex((line, index) => index >= at && fits.test(line.trimEnd()));
    if (found < 0 || (!any && found !== at)) return `expected ${JSON.stringify(expected)}, found\n${got.slice(at).join('\n')}`;
    at = found + 1;
    any = false;
  }
  return told.length > 0 && !any && at < got.length ? `more than is told:\n${got.slice(at).join('\n')}` : undefined;
}

/** Columns may be wider, and `...` be anything. */
const patternOf = (text: string): RegExp =>
  new RegExp(
    `^${text
      .trimEnd()
      .split('...')
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/ +/g, ' +'))
      .join('.*')}$`,
  );

/** What kubectl's watch logs of itself as its connection is cut and made anew: no answer of kubectl, and it goes on. */
const ofReflector = /^[IWE]\d{4} \d{2}:\d{2}:\d{2}\.\d+ +\d+ reflector\.go:\d+\] .*(\n|$)/gm;
export const withoutWatchLog = (stderr: string): string => stderr.replaceAll(ofReflector, '');
