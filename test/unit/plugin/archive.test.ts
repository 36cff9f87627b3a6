import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { unpackTar } from 'modern-tar';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeArchive } from '../../../src/plugin/bundle/archive.ts';
import { fileText } from '../../../src/plugin/terminal/files.ts';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'archive-'))));
afterEach(() => rm(folder, { recursive: true }));

it('writes what tar reads, for its owner alone, and never over another file', async () => {
  const path = join(folder, 'below', 'a.tar.gz');
  const files = new Map([
    ['README.txt', 'größer\n'],
    ['objects/a.yaml', ''],
  ]);
  await writeArchive(path, files, Date.parse('2026-01-01T00:00:00Z'));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const entries = await unpackTar(gunzipSync(await readFile(path)));
  expect(entries.map(({ header, data }) => [header.name, Buffer.from(data ?? []).toString()])).toEqual([...files]);
  await expect(writeArchive(path, files, 0)).rejects.toThrow('cannot be written');
});

it('a folder in the place of a file is named as one', async () => {
  await expect(fileText(folder)).rejects.toThrow(`${folder} is a folder: name a file in it`);
  expect(await fileText(join(folder, 'none'))).toBeUndefined();
});
