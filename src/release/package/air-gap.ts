import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { checksums, listOf, writeTar } from './archive.ts';

/** Puts beside what was released how to install it, the manifests, the names of its images, and the sum of every file. */
export async function complete(
  folder: string,
  { root, version, images }: { readonly root: string; readonly version: string; readonly images: readonly string[] },
): Promise<void> {
  const text = await readFile(new URL('../air-gap.md', import.meta.url), 'utf8');
  await writeFile(join(folder, 'README.md'), text.replaceAll('VERSION', version));
  await writeFile(join(folder, 'images.txt'), images.map((image) => `${image}\n`).join(''));
  for (const part of ['crds', 'deploy']) await cp(join(root, part), join(folder, part), { recursive: true });
  await writeFile(join(folder, 'checksums.txt'), await checksums(folder));
}

/** One file with everything, and its sum beside it. */
export async function writeAirGap(folder: string, file: string, time: Date): Promise<void> {
  const name = basename(file, '.tar');
  await writeTar(
    file,
    (await listOf(folder)).map((entry) => ({ ...entry, path: `${name}/${entry.path}` })),
    time,
  );
}
