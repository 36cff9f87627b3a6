/** `npm run coverage`: which of the service's operations `src` performs, by the ledgers of the accounts that tests worked with. */
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../runner/child.ts';
import { withSection } from '../support/section.ts';
import { folderVariable, gathered, type Performed } from './ledger-notes.ts';
import { documentedIn, fileOf, further, linesOf, lost, markdown, shown, totalOf } from './table.ts';

const top = new URL('../../', import.meta.url);
const [kept, readme] = ['test/coverage/performed.txt', 'test/README.md'];
const command = 'npm run coverage -- --write';
const read = (file: string): Promise<string> => readFile(new URL(file, top), 'utf8');
const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** Milliseconds that the tests may take. */
const limit = 20 * 60_000;

/** Runs the tests in which whole operators and the plugin work with an account. */
async function measured(): Promise<readonly Performed[]> {
  const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-coverage-'));
  process.env[folderVariable] = folder;
  try {
    const tests = ['vitest', 'run', '-c', 'test/vitest.config.ts', '--no-isolate', 'test/conformance/', 'test/stories/'];
    const { code } = await run(tests, { output: 'copy', limit });
    if (code !== 0) throw new Error('tests failed, so the ledgers do not tell everything; mend them first');
    return gathered(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function main({ write, check }: { readonly write?: boolean | undefined; readonly check?: boolean | undefined }): Promise<number> {
  const folder = process.env[folderVariable];
  const performed = folder !== undefined && existsSync(folder) ? gathered(folder) : await measured();
  const documented = documentedIn(await read('test/emulator/areas/operations.tsv'));
  const lines = linesOf(documented, performed);
  if (performed.length === 0) throw new Error('no ledger tells of any operation');
  if (!check) say(shown(lines, further(documented, performed)));
  if (write) {
    await writeFile(new URL(kept, top), fileOf([...lines, ...further(documented, performed)]));
    await writeFile(new URL(readme, top), withSection(await read(readme), { about: 'operations by area', command }, markdown(lines)));
    say(`written: ${kept}, ${readme}`);
    return 0;
  }
  const gone = lost(await read(kept), [...lines, ...further(documented, performed)]);
  for (const operation of gone) say(`${operation} is no longer performed by anybody in any test`);
  if (gone.length > 0) say(`Where that is meant: ${command}`);
  say(totalOf(lines));
  return gone.length === 0 ? 0 : 1;
}

const { values } = parseArgs({ options: { write: { type: 'boolean' }, check: { type: 'boolean' } } });
process.exitCode = await main(values);
