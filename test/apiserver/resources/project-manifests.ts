import { readFile, readdir } from 'node:fs/promises';
import { parseAllDocuments } from 'yaml';
import type { ApiServer } from '../api-server.ts';
import { isObject } from '../storage/json.ts';

export type Manifest = Parameters<ApiServer['apply']>[0];

const ROOT = new URL('../../../', import.meta.url);

/** All objects in the YAML files of a folder of this project. */
export async function manifests(folder: string): Promise<Manifest[]> {
  const names = (await readdir(new URL(folder, ROOT))).filter((name) => name.endsWith('.yaml')).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(new URL(`${folder}/${name}`, ROOT), 'utf8')));
  return texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest))
    .filter((manifest) => isObject(manifest));
}
