import type { AnyKind } from '../resource/index.ts';
import { argocdHeader, argocdHealth } from './argocd.ts';
import { chartParts } from './chart.ts';
import { customResourceDefinition } from './crd.ts';
import { crdHashes } from './crd-hashes.ts';
import { kindsIndex } from './kinds-index.ts';
import { byName, plural } from './names.ts';
import { protectPolicy } from './policy.ts';
import { roles } from './rbac.ts';
import { reference } from './reference.ts';
import { sampleManifest, type Sample } from './samples.ts';
import { generated, yamlFile } from './yaml.ts';

export interface Sources {
  readonly kinds: readonly AnyKind[];
  /** File name of each kind, for example `cloud-volume.ts`. */
  readonly files: Readonly<Record<string, string>>;
  /** What the kinds' fixtures show, by kind; a kind without one has no sample. */
  readonly samples: Readonly<Record<string, Sample | undefined>>;
}

/** Folders of which every file is generated; what is in them and not in the result is left over from a kind that is gone. */
export const wholeFolders = ['crds', 'src/generated', 'deploy/samples', 'charts/cloud-operator/templates/crds'];

/** Everything that is generated: path from the repository's root -> text. */
export function artifacts({ kinds: unsorted, files, samples }: Sources): ReadonlyMap<string, string> {
  const kinds = byName(unsorted);
  const index = kinds.map(({ kind }) => ({ file: files[kind] ?? '', name: kind }));
  return new Map([
    ['src/generated/kinds.ts', kindsIndex(index, generated)],
    ['src/generated/crd-hashes.ts', crdHashes(kinds, generated)],
    ...kinds.map((kind): [string, string] => [`crds/${plural(kind.kind)}.yaml`, yamlFile([customResourceDefinition(kind)])]),
    // This name is for kustomize alone: `kubectl apply -f crds` reads only files that end in yaml or json.
    ['crds/Kustomization', yamlFile([kustomization(kinds)])],
    ['crds/README.md', reference(kinds, generated)],
    ['deploy/rbac.yaml', yamlFile(roles(kinds))],
    ['deploy/protect-policy.yaml', yamlFile(protectPolicy(kinds))],
    ['deploy/argocd-health.yaml', yamlFile([argocdHealth(kinds)], argocdHeader)],
    ...chartParts(kinds),
    ...kinds.flatMap((kind): [string, string][] => {
      const sample = samples[kind.kind];
      const file = `deploy/samples/${plural(kind.kind)}.yaml`;
      return sample ? [[file, yamlFile([sampleManifest(kind, sample)])]] : [];
    }),
  ]);
}

const kustomization = (kinds: readonly AnyKind[]) => ({
  apiVersion: 'kustomize.config.k8s.io/v1beta1',
  kind: 'Kustomization',
  resources: kinds.map(({ kind }) => `${plural(kind)}.yaml`),
});
