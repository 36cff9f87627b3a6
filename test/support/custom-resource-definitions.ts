import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';

let parsed: Promise<readonly unknown[]> | undefined;

/** The generated CRDs, as the repository holds them; read once, as reading takes longer than most stories. */
export function customResourceDefinitions(): Promise<readonly unknown[]> {
  parsed ??= readDefinitions();
  return parsed;
}

async function readDefinitions(): Promise<readonly unknown[]> {
  const folder = new URL('../../crds/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
  return Promise.all(files.toSorted().map(async (file) => parse(await readFile(new URL(file, folder), 'utf8')) as unknown));
}
