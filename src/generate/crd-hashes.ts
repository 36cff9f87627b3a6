import type { AnyKind } from '../resource/index.ts';
import { schemaHash } from './crd.ts';
import { crdName } from './names.ts';

/** What each served CRD must look like, as source text: computing it takes zod's JSON Schema, which `run` has no other use for. */
export function crdHashes(kinds: readonly AnyKind[], header: string): string {
  const entries = kinds.map((kind) => `  ${kind.kind}: { crd: '${crdName(kind)}', hash: '${schemaHash(kind)}' },`);
  return [
    `// ${header}`,
    '',
    '/** Name of the CRD of each kind, and the value that its annotation `cloudhosting.dev/schema-hash` must have. */',
    'export const crdHashes: Readonly<Record<string, { readonly crd: string; readonly hash: string }>> = {',
    ...entries,
    '};',
    '',
  ].join('\n');
}
