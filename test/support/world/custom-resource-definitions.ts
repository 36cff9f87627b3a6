import { readdir, readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { ApiServer } from '../../apiserver/api-server.ts';
import type { KubeObject } from '../../apiserver/storage/kube-object.ts';
import { VirtualClock } from '../virtual/virtual-clock.ts';

let established: Promise<readonly KubeObject[]> | undefined;

/** The generated CRDs, as the repository holds them, and as an API server holds them once it serves them; applied once in a process. */
export function establishedDefinitions(): Promise<readonly KubeObject[]> {
  established ??= establish();
  return established;
}

async function establish(): Promise<readonly KubeObject[]> {
  const clock = new VirtualClock();
  const server = new ApiServer({ clock });
  for (const crd of await definitions()) {
    const { status, body } = await server.as('admin', 'POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
    if (status >= 300) throw new Error(`a CRD is refused: ${JSON.stringify(body)}`);
  }
  await clock.settle();
  return server.objects('apiextensions.k8s.io/customresourcedefinitions');
}

async function definitions(): Promise<readonly unknown[]> {
  const folder = new URL('../../../crds/', import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
  return Promise.all(files.toSorted().map(async (file) => parse(await readFile(new URL(file, folder), 'utf8')) as unknown));
}
