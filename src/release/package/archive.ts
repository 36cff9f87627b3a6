import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { packTar, type TarSource } from 'modern-tar/fs';

/** A file of an archive: its bytes, or where they are. */
export interface Entry {
  readonly path: string;
  readonly data: string | Uint8Array | OnDisk;
  readonly executable?: boolean;
}
interface OnDisk {
  readonly file: string;
}

/** In one order, of nobody, at one time: the same files are the same bytes on every machine. */
const sources = (entries: readonly Entry[], mtime: Date): readonly TarSource[] =>
  entries
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path: target, data, executable }) => {
      const header = { target, mtime, uid: 0, gid: 0, uname: '', gname: '', mode: executable ? 0o755 : 0o644 };
      if (typeof data === 'object' && 'file' in data) return { type: 'file', source: data.file, ...header };
      return { type: 'content', content: data, ...header };
    });

export const tar = (entries: readonly Entry[], time: Date): Promise<Buffer> => buffer(packTar(sources(entries, time)));

export const writeTar = (file: string, entries: readonly Entry[], time: Date): Promise<void> =>
  pipeline(packTar(sources(entries, time)), createWriteStream(file));

/** Without time and without the name of the system that wrote it. */
export function gzip(data: Uint8Array): Buffer {
  const zipped = gzipSync(data, { level: 9 });
  zipped[9] = 255;
  return zipped;
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** Every file below a folder, with its path from there, in the order of paths. */
export async function listOf(folder: string): Promise<readonly (Entry & { readonly data: OnDisk })[]> {
  const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const all = found.map(async ({ parentPath, name }) => {
    const file = join(parentPath, name);
    return { path: relative(folder, file), data: { file }, executable: ((await stat(file)).mode & 0o100) !== 0 };
  });
  return (await Promise.all(all)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** The same with their bytes, under another folder. */
export const filesOf = async (folder: string, under = ''): Promise<readonly Entry[]> =>
  Promise.all(
    (await listOf(folder)).map(async (entry) => ({ ...entry, path: join(under, entry.path), data: await readFile(entry.data.file) })),
  );

/** As `sha256sum --check` reads it. */
export async function checksums(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const { path, data } of await listOf(folder)) {
    const sum = createHash('sha256');
    await pipeline(createReadStream(data.file), sum);
    lines.push(`${sum.digest('hex')}  ${path}\n`);
  }
  return lines.join('');
}
