import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';
import type { Millis } from '../../lib/clock.ts';
import { CliError } from '../exit.ts';

/** A gzipped tar that only its owner may read. An existing file is not touched. */
export async function writeArchive(path: string, files: ReadonlyMap<string, string>, now: Millis): Promise<void> {
  const entries = [...files].map(([name, body]) => ({
    header: { name, size: Buffer.byteLength(body), mode: 0o600, mtime: new Date(now) },
    body,
  }));
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, gzipSync(await packTar(entries)), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw new CliError(4, `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}
