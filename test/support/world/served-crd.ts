import { plural } from '../../../src/generate/names.ts';
import type { World } from './world.ts';

/** As much of a schema as tests change. */
export interface Schema {
  properties?: Record<string, Schema>;
  [key: string]: unknown;
}
interface Definition {
  readonly metadata: { annotations?: Record<string, string | undefined> };
  readonly spec: { readonly versions: { readonly schema: { readonly openAPIV3Schema: Schema } }[] };
}

const hash = 'cloudhosting.dev/schema-hash';
const at = (kind: string): string => `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural(kind)}.cloudhosting.dev`;

/** The schema of `spec` or `status`. */
export function partOf(schema: Schema, part: 'spec' | 'status'): Schema & { properties: Record<string, Schema> } {
  const found = schema.properties?.[part];
  if (found?.properties === undefined) throw new Error(`no schema of ${part}`);
  return { ...found, properties: found.properties };
}

/** Serves another schema of a kind, as another release would; answers how to serve the one before again. */
export async function serveCrd(world: World, kind: string, change: (schema: Schema) => void): Promise<() => Promise<void>> {
  const put = async (edit: (crd: Definition) => void): Promise<Definition> => {
    const crd = (await world.admin('GET', at(kind))) as unknown as Definition;
    const before = structuredClone(crd);
    edit(crd);
    await world.admin('PUT', at(kind), crd);
    return before;
  };
  const before = await put(({ metadata, spec }) => {
    metadata.annotations = { ...metadata.annotations, [hash]: 'of-another-version' };
    for (const { schema } of spec.versions) change(schema.openAPIV3Schema);
  });
  return async () => {
    await put((crd) => {
      crd.metadata.annotations = { ...crd.metadata.annotations, [hash]: before.metadata.annotations?.[hash] };
      crd.spec.versions.splice(0, crd.spec.versions.length, ...before.spec.versions);
    });
  };
}

/** As an older release has it: a field of the status that every kind has is not in it yet. */
export const serveOlderCrd = (world: World, kind: string): Promise<() => Promise<void>> =>
  serveCrd(world, kind, (schema) => {
    delete partOf(schema, 'status').properties['lastSyncTime'];
  });

/** As a newer release has it: only optional fields came. */
export const serveNewerCrd = (world: World, kind: string): Promise<() => Promise<void>> =>
  serveCrd(world, kind, (schema) => {
    for (const part of ['spec', 'status'] as const)
      partOf(schema, part).properties['ofTheNextRelease'] = { type: 'string', description: 'Not known to this release.' };
  });
