import type { AnyKind } from '../resource/index.ts';
import { customResourceDefinition, type Manifest } from './crd.ts';
import { byName } from './names.ts';
import { yamlDocuments } from './yaml.ts';

/** All CRDs as objects, in a fixed order. */
export const crdManifests = (kinds: readonly AnyKind[]): readonly Manifest[] => byName(kinds).map((kind) => customResourceDefinition(kind));

/** All CRDs as one YAML stream: what `cloud-operator crds` prints for `kubectl apply --server-side -f -`. */
export const crdBundle = (kinds: readonly AnyKind[]): string => yamlDocuments(crdManifests(kinds));
