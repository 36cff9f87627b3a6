import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { wholeFolders } from './artifacts.ts';

/** Path below the root -> text. */
export type Files = ReadonlyMap<string, string>;

export const listed = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
const text = (file: string): Promise<string | undefined> => readFile(file, 'utf8').catch(() => undefined);

/** Generated files that no kind accounts for any more. */
async function leftOver(root: string, wanted: Files): Promise<readonly string[]> {
  const present = wholeFolders.map(async (folder) => (await listed(join(root, folder))).map((name) => `${folder}/${name}`));
  return (await Promise.all(present)).flat().filter((file) => !wanted.has(file));
}

/** What is wrong with the first file that is not as it would be written, or undefined. */
export async function stale(root: string, wanted: Files): Promise<string | undefined> {
  const cure = 'run `npm run generate` and commit the result';
  for (const [file, content] of wanted) {
    if ((await text(join(root, file))) !== content) return `${file} is stale: ${cure}`;
  }
  const [first] = await leftOver(root, wanted);
  return first && `${first} belongs to no kind: ${cure}`;
}

/** Writes what differs, removes what is left over, and tells the paths of both. */
export async function write(root: string, wanted: Files): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const [file, content] of wanted) {
    if ((await text(join(root, file))) === content) continue;
    await mkdir(join(root, dirname(file)), { recursive: true });
    await writeFile(join(root, file), content);
    changed.push(file);
  }
  const old = await leftOver(root, wanted);
  for (const file of old) await rm(join(root, file));
  return [...changed, ...old];
}
