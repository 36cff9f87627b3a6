import { group, version } from '../../generate/names.ts';
import { crdHashes } from '../../generated/crd-hashes.ts';
import { schemaHashAnnotation } from '../../kube/definitions/crds.ts';
import { oldestKubernetes } from '../build.ts';
import type { CrdState, VersionData } from '../output/shapes.ts';
import type { Reader } from './reader.ts';

interface Crd {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>>; readonly deletionTimestamp?: string };
}

/** How the CRD of each kind in the cluster compares with the one that this plugin was built with. */
export const crdStates = (reader: Reader, kinds?: readonly string[]): Promise<readonly CrdState[]> =>
  Promise.all(crdHashes.filter(({ kind }) => kinds?.includes(kind) ?? true).map((crd) => crdState(reader, crd)));

async function crdState(reader: Reader, { kind, name, schemaHash }: (typeof crdHashes)[number]): Promise<CrdState> {
  const crd = (await reader.optional(`/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`, true)) as Crd | undefined;
  if (crd === undefined) return { kind, name, state: 'unseen' };
  if (crd.metadata?.deletionTimestamp !== undefined) return { kind, name, state: 'leaving' };
  return { kind, name, state: crd.metadata?.annotations?.[schemaHashAnnotation] === schemaHash ? 'same' : 'differs' };
}

/** Of the API server, as it tells everybody, and whether this release is for it; undefined where it does not tell. */
export async function serverVersion(reader: Reader): Promise<VersionData['kubernetes']> {
  const { gitVersion } = ((await reader.optional('/version')) ?? {}) as { readonly gitVersion?: unknown };
  const { major, minor } = /^v?(?<major>\d+)\.(?<minor>\d+)/.exec(String(gitVersion))?.groups ?? {};
  if (major === undefined || minor === undefined) return undefined;
  const [least = 0, lesser = 0] = oldestKubernetes.split('.').map(Number);
  return { version: String(gitVersion), supported: Number(major) > least || (Number(major) === least && Number(minor) >= lesser) };
}

/** Kinds that the API server serves, as it tells everybody; undefined where it does not tell. */
export async function servedKinds(reader: Reader): Promise<ReadonlySet<string> | undefined> {
  const list = (await reader.optional(`/apis/${group}/${version}`)) as
    | { readonly resources?: readonly { readonly kind?: string }[] }
    | undefined;
  return list?.resources === undefined ? undefined : new Set(list.resources.flatMap(({ kind }) => kind ?? []));
}

interface Deployment {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly replicas?: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly image: string }[] } };
  };
  readonly status?: { readonly readyReplicas?: number };
}
type Operators = NonNullable<VersionData['operators']>;

/** By the labels that the chart and the kustomize base give. */
async function deploymentsOf(reader: Reader): Promise<readonly Deployment[]> {
  const path = '/apis/apps/v1/deployments?labelSelector=app.kubernetes.io%2Fname%3Dcloud-operator';
  const { items = [] } = ((await reader.optional(path)) ?? {}) as { readonly items?: readonly Deployment[] };
  return items;
}
export const operatorsOf = async (reader: Reader): Promise<Operators> => (await deploymentsOf(reader)).map((one) => shown(one));

/** How an operator came into the cluster, which is how it goes: Helm by itself, a tool that renders the chart, or manifests. */
export interface Installed {
  readonly name: string;
  readonly namespace: string;
  readonly by: { readonly is: 'helm'; readonly release: string } | { readonly is: 'rendered' } | { readonly is: 'manifests' };
}
export const installedIn = async (reader: Reader): Promise<readonly Installed[]> =>
  (await deploymentsOf(reader)).map(({ metadata: { name, namespace, labels = {}, annotations = {} } }) => {
    const release = annotations['meta.helm.sh/release-name'];
    if (release !== undefined) return { name, namespace, by: { is: 'helm', release } };
    return { name, namespace, by: { is: labels['app.kubernetes.io/managed-by'] === undefined ? 'manifests' : 'rendered' } };
  });

const shown = ({ metadata, spec, status }: Deployment): Operators[number] => ({
  name: `${metadata.namespace}/${metadata.name}`,
  version: metadata.labels?.['app.kubernetes.io/version'] ?? 'unknown',
  ready: `${status?.readyReplicas ?? 0} of ${spec.replicas ?? 1}`,
  image: spec.template.spec.containers.map(({ image }) => image).join(', '),
});
