import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../controlplane/command.ts';
import { mismatch } from '../../guides/guide.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Numbers, times and the spaces before them differ from run to run. */
const shape = (line: string): string => line.trim().replaceAll(/\d[\d.:TZ-]*/g, 'N');

/** Said only where a wait was long enough to be noticed. */
const isWait = (line: string): boolean => /\.\.\. (still )?waits /.test(line);

/** What README shows of the demo: its one block of plain text. */
async function shown(): Promise<readonly string[]> {
  const readme = await readFile(`${root}README.md`, 'utf8');
  const block = /^```text\n(?<block>.*?)^```/ms.exec(readme)?.groups?.['block'] ?? '';
  return block.trimEnd().split('\n').map(shape);
}

/** What a run of the demo came to; `missing`: the first thing that README shows of it and it did not say. */
interface Demonstrated {
  readonly code: number;
  readonly stderr: string;
  readonly said: string;
  readonly applied: number;
  readonly missing: string | undefined;
}
/** On a machine that has nothing yet. */
export async function demonstrated(more: readonly string[]): Promise<Demonstrated> {
  const lines = await shown();
  if (lines.length <= 3) throw new Error('README shows nothing of the demo');
  const words = ['test/demo/main.ts', '--control-plane', 'memory', ...more];
  const { code, stdout, stderr } = await runCommand(process.execPath, words, { cwd: root });
  const told = stdout.split('\n').filter((line) => !isWait(line));
  const missing = mismatch(['...', ...lines, '...'], told.map(shape).join('\n'));
  return { code, stderr, said: stdout, applied: stdout.match(/ applied$/gm)?.length ?? 0, missing };
}
