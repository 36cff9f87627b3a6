import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { erase, type AnyKind } from '../resource/index.ts';
import { artifacts, wholeFolders, type Sources } from './artifacts.ts';
import { kindName } from './kinds-index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Reads `src/kinds/cloud-*.ts`; each exports its kind as default and is named after it. */
async function sources(): Promise<Sources> {
  const names = await listed(join(root, 'src/kinds'));
  const files = names.filter((name) => /^cloud-.*\.ts$/.test(name));
  const kinds = await Promise.all(files.map(async (file) => kindOf(file, await load(join(root, 'src/kinds', file)))));
  return { kinds, files: Object.fromEntries(kinds.map(({ kind }, index) => [kind, files[index] ?? ''])) };
}

function kindOf(file: string, exported: unknown): AnyKind {
  const kind = exported === undefined ? undefined : erase(exported);
  if (kind?.kind.toLowerCase() !== kindName(file).toLowerCase()) {
    throw new Error(`src/kinds/${file} must export ${kindName(file)} as default; it exports ${kind?.kind ?? 'nothing'}`);
  }
  return kind;
}

const load = async (file: string): Promise<unknown> => ((await import(pathToFileURL(file).href)) as { default?: unknown }).default;
const listed = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const text = (file: string): Promise<string | undefined> => readFile(join(root, file), 'utf8').catch(() => undefined);

/** Generated files that no kind accounts for any more. */
async function leftOver(wanted: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const present = await Promise.all(
    wholeFolders.map(async (folder) => (await listed(join(root, folder))).map((name) => `${folder}/${name}`)),
  );
  return present.flat().filter((file) => !wanted.has(file));
}

async function check(wanted: ReadonlyMap<string, string>): Promise<void> {
  for (const [file, content] of wanted) {
    if ((await text(file)) !== content) throw new Error(`${file} is stale: run \`npm run generate\` and commit the result`);
  }
  const [first] = await leftOver(wanted);
  if (first) throw new Error(`${first} belongs to no kind: run \`npm run generate\` and commit the result`);
}

async function write(wanted: ReadonlyMap<string, string>): Promise<void> {
  for (const [file, content] of wanted) {
    if ((await text(file)) === content) continue;
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), content);
    process.stdout.write(`${file}\n`);
  }
  for (const file of await leftOver(wanted)) await rm(join(root, file));
}

try {
  const wanted = artifacts(await sources());
  await (process.argv.includes('--check') ? check(wanted) : write(wanted));
} catch (error) {
  process.stderr.write(`generate: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
