import { markerOf, type Verb } from '../files/manifest.ts';
import { yamlOf } from '../../output/yaml.ts';

/** Where a manifest belongs. */
export interface Place {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}
export type Layout = 'namespace' | 'kind' | 'flat';

/** The file of a manifest below its folder; where several namespaces share a folder, theirs comes first: no namespace has a dot. */
export function fileOf({ kind, namespace, name }: Place, layout: Layout, isShared: boolean): string {
  const lower = kind.toLowerCase();
  const before = isShared ? `${namespace}.` : '';
  switch (layout) {
    case 'namespace':
      return `${namespace}/${lower}-${name}.yaml`;
    case 'kind':
      return `${lower}/${ownFile(`${before}${name}`)}.yaml`;
    case 'flat':
      return `${before}${lower}-${name}.yaml`;
  }
}

/** A folder has one file of this name, and no object's name begins so. */
const ownFile = (name: string): string => (name === 'kustomization' ? `_${name}` : name);

/** Lines of all, as kubectl reads them from one stream. */
export const together = (manifests: readonly string[]): readonly string[] =>
  manifests.flatMap((one, at) => [...(at === 0 ? [] : ['---']), ...one.trimEnd().split('\n')]);

/** A kustomization for each folder that has manifests, and one above them. */
export function kustomizations(verb: Verb, files: readonly string[]): ReadonlyMap<string, string> {
  const byFolder = new Map<string, Set<string>>();
  const add = (folder: string, what: string): void => void byFolder.set(folder, (byFolder.get(folder) ?? new Set()).add(what));
  for (const file of files) {
    const [folder = '', name] = file.split('/');
    add(name === undefined ? '' : folder, name ?? folder);
    if (name !== undefined) add('', folder);
  }
  return new Map(
    [...byFolder].map(([folder, resources]) => [
      folder === '' ? 'kustomization.yaml' : `${folder}/kustomization.yaml`,
      `${markerOf(verb)}\n${yamlOf({ apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources: [...resources].toSorted() })}`,
    ]),
  );
}
