import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { packTar, type TarSource } from 'modern-tar/fs';

/** A file of an archive: its bytes, or where they are. */
export interface Entry {
  readonly path: string;
  readonly data: string | Uint8Array | { readonly file: string };
  readonly executable?: boolean;
}

/** In one order, of nobody, at one time: the same files are the same bytes on every machine. */
const sources = (entries: readonly Entry[], mtime: Date): readonly TarSource[] =>
  entries
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .map(({ path: target, data, executable }) => {
      const header = { target, mtime, uid: 0, gid: 0, uname: '', gname: '', mode: executable ? 0o755 : 0o644 };
      if (typeof data === 'object' && 'file' in data) return { type: 'file', source: data.file, ...header };
      // modern-tar would write nothing of an empty text.
      return { type: 'content', content: typeof data === 'string' ? Buffer.from(data) : data, ...header };
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

/** Every file below a folder, with its path from there. */
export async function filesOf(folder: string, under = ''): Promise<readonly Entry[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return Promise.all(
    found
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const file = join(parentPath, name);
        const executable = ((await stat(file)).mode & 0o100) !== 0;
        return { path: join(under, relative(folder, file)), data: await readFile(file), executable };
      }),
  );
}
