import type { AnyKind } from '../resource/index.ts';
import { customResourceDefinition } from './crd.ts';
import { byName } from './names.ts';
import { yamlDocuments } from './yaml.ts';

/** All CRDs as one YAML stream: what `cloud-operator crds` prints for `kubectl apply --server-side -f -`. */
export const crdBundle = (kinds: readonly AnyKind[]): string => yamlDocuments(byName(kinds).map((kind) => customResourceDefinition(kind)));
