import { mkdir, readdir, readFile, stat, writeFile as write } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { CliError } from '../exit.ts';
import type { TextFile } from '../host.ts';

export const isManifest = (name: string): boolean => /\.(ya?ml|json)$/.test(name);

/** As kubectl reads `-f`: a file, the manifests of a folder, with `recursive` of those below it, or standard input. */
export async function readFiles(path: string, recursive: boolean, input: Readable): Promise<readonly TextFile[]> {
  if (path === '-') return [{ name: 'standard input', text: await text(input) }];
  try {
    const names = (await stat(path)).isDirectory() ? await manifestsOf(path, recursive) : [path];
    return await Promise.all(names.map(async (name) => ({ name, text: await readFile(name, 'utf8') })));
  } catch (error) {
    throw new CliError(2, `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function manifestsOf(folder: string, recursive: boolean): Promise<readonly string[]> {
  const all = await readdir(folder, { withFileTypes: true, recursive });
  return all
    .filter((entry) => entry.isFile() && isManifest(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}

export async function fileText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') throw new CliError(2, `${path} is a folder: name a file in it`);
    throw new CliError(2, `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function writeFile(path: string, text: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await write(path, text);
  } catch (error) {
    throw new CliError(4, `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
