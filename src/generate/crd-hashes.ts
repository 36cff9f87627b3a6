import type { AnyKind } from '../resource/index.ts';
import { schemaHash } from './crd.ts';
import { crdName } from './names.ts';

/** What each served CRD must look like, as source text: at a start it is compared without making a schema. */
export function crdHashes(kinds: readonly AnyKind[], header: string): string {
  const entries = kinds.map(
    (kind) => `  {\n    kind: '${kind.kind}',\n    name: '${crdName(kind)}',\n    schemaHash: '${schemaHash(kind)}',\n  },`,
  );
  return [
    `// ${header}`,
    '',
    '/** Name of the CRD of each kind, and the value that its annotation `cloudhosting.dev/schema-hash` must have. */',
    `export const crdHashes: readonly { readonly kind: string; readonly name: string; readonly schemaHash: string }[] = [${entries.length > 0 ? `\n${entries.join('\n')}\n` : ''}];`,
    '',
  ].join('\n');
}
