import { fewOf } from '../../lib/few-of.ts';
import { group, version } from '../../generate/names.ts';
import { crdHashes } from '../../generated/crd-hashes.ts';
import { schemaHashAnnotation } from '../../kube/definitions/crds.ts';
import { oldestKubernetes } from '../build.ts';
import type { CrdState, VersionData } from '../output/shapes.ts';
import { operatorLabels, operatorNamespaces } from './operator-namespaces.ts';
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

interface Deployments {
  readonly operators: readonly Deployment[];
  /** They have the labels, and nothing that only an administrator writes says that they are operators. */
  readonly unproven: readonly string[];
}
async function deploymentsOf(reader: Reader): Promise<Deployments> {
  const { items = [] } = ((await reader.optional(`/apis/apps/v1/deployments?${operatorLabels}`)) ?? {}) as {
    readonly items?: readonly Deployment[];
  };
  if (items.length === 0) return { operators: [], unproven: [] };
  const namespaces = await operatorNamespaces(reader);
  const [operators, unproven] = [true, false].map((is) => items.filter(({ metadata }) => namespaces.has(metadata.namespace) === is));
  return { operators: operators ?? [], unproven: (unproven ?? []).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`) };
}
export async function operatorsOf(reader: Reader): Promise<{ readonly operators: Operators; readonly unproven: readonly string[] }> {
  const { operators, unproven } = await deploymentsOf(reader);
  return { operators: operators.map(shown), unproven };
}

/** Somebody may look for one that is there. */
export const unprovenText = (unproven: readonly string[]): string =>
  `not counted: ${fewOf(unproven, most)}, with the labels of an operator, but in a namespace where, as far as you may see, no operator serves an account or is bound to its ClusterRole`;
const most = 5;

/** How an operator came into the cluster, which is how it goes: Helm by itself, a tool that renders the chart, or manifests. */
export interface Installed {
  readonly name: string;
  readonly namespace: string;
  readonly by: { readonly is: 'helm'; readonly release: string } | { readonly is: 'rendered' } | { readonly is: 'manifests' };
}
export async function installedIn(
  reader: Reader,
): Promise<{ readonly operators: readonly Installed[]; readonly unproven: readonly string[] }> {
  const { operators, unproven } = await deploymentsOf(reader);
  return { operators: operators.map(installed), unproven };
}
function installed({ metadata: { name, namespace, labels = {}, annotations = {} } }: Deployment): Installed {
  const release = annotations['meta.helm.sh/release-name'];
  if (release !== undefined) return { name, namespace, by: { is: 'helm', release } };
  return { name, namespace, by: { is: labels['app.kubernetes.io/managed-by'] === undefined ? 'manifests' : 'rendered' } };
}

const shown = ({ metadata, spec, status }: Deployment): Operators[number] => ({
  name: `${metadata.namespace}/${metadata.name}`,
  version: metadata.labels?.['app.kubernetes.io/version'] ?? 'unknown',
  ready: `${status?.readyReplicas ?? 0} of ${spec.replicas ?? 1}`,
  image: spec.template.spec.containers.map(({ image }) => image).join(', '),
});
