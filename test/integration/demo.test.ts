import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runCommand } from '../controlplane/command.ts';
import { mismatch } from '../guides/guide.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Numbers, times and the spaces before them differ from run to run. */
const shape = (line: string): string => line.trim().replaceAll(/\d[\d.:TZ-]*/g, 'N');

/** What README shows of the demo: its one block of plain text. */
async function shown(): Promise<readonly string[]> {
  const readme = await readFile(`${root}README.md`, 'utf8');
  const block = /^```text\n(?<block>.*?)^```/ms.exec(readme)?.groups?.['block'] ?? '';
  return block.trimEnd().split('\n').map(shape);
}

it.each([
  ['what a shop needs first', []],
  ['one of every kind', ['--all']],
])(
  'the demo of %s, on a machine that has nothing yet, tells all its facts, and what README shows of it',
  { timeout: 300_000 },
  async (_, more) => {
    const lines = await shown();
    expect(lines.length).toBeGreaterThan(3);
    const words = ['test/demo/main.ts', '--control-plane', 'memory', ...more];
    const { code, stdout, stderr } = await runCommand(process.execPath, words, { cwd: root });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(mismatch(['...', ...lines, '...'], stdout.split('\n').map(shape).join('\n'))).toBeUndefined();
    expect(stdout).toMatch(/^14 facts were read back in \d+ s; nothing is left running\.$/m);
    // The demo of everything has more than thirty objects.
    expect(stdout.match(/ applied$/gm)?.length ?? 0).toBeGreaterThan(more.length > 0 ? 30 : 10);
  },
);
