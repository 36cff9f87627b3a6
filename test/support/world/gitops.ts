import { plural } from '../../../src/generate/names.ts';
import type { KubeObject, World } from './world.ts';

/** What a GitOps tool, a backup and a rebuilt cluster do. */
export interface Kept {
  readonly annotations?: boolean;
}
/** All objects but accounts, as Git or a backup has them. */
export const exported = (world: World, { annotations = false }: Kept = {}): readonly KubeObject[] =>
  world.kinds
    .map(({ kind }) => `cloudhosting.dev/${plural(kind)}`)
    .flatMap((table) => world.server.objects(table) as unknown as KubeObject[])
    .filter(({ kind }) => kind !== 'CloudAccount')
    .map(({ kind, metadata: { name, namespace, ...metadata }, spec }) => ({
      apiVersion: 'cloudhosting.dev/v1alpha1',
      kind,
      metadata: { name, namespace, ...(annotations && { annotations: metadata.annotations, finalizers: metadata.finalizers }) },
      spec,
    })) as unknown as readonly KubeObject[];

export async function restore(world: World, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await world.admin('POST', world.path(object.kind, object.metadata.namespace), object);
}
export const lastRequest = (world: World): number => Math.max(0, ...world.emulator.control.requests().map(({ seq }) => seq));
/** Calls that changed something, or tried to. */
export const changesSince = (world: World, seq: number): readonly string[] =>
  world.emulator.control
    .requests(seq)
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path, body, status }) => `${method} ${path} ${status} ${body}`);
