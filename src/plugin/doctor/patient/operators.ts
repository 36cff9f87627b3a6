import { kubePath } from '../../../kube/http/client.ts';
import { operatorLabels } from '../../cluster/operator-namespaces.ts';
import type { Asked } from './asked.ts';

/** A Pod of an operator, and what it tells of itself. */
export interface OperatorPod {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Undefined: not for the caller to see, or nobody asks because it is not ready. */
  readonly metrics: string | { readonly fault: string } | undefined;
}
interface RawPod {
  readonly metadata: { readonly namespace: string; readonly name: string; readonly labels?: Readonly<Record<string, string>> };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** In these namespaces: elsewhere anybody gives a Pod such labels. */
export async function operatorPods(asked: Asked, namespaces: ReadonlySet<string>): Promise<readonly OperatorPod[]> {
  const { items = [] } = ((await asked.get(`/api/v1/pods?${operatorLabels}`, 'list pods')) ?? {}) as { readonly items?: readonly RawPod[] };
  return Promise.all(
    items
      .filter(({ metadata }) => namespaces.has(metadata.namespace))
      .map(async ({ metadata: { namespace, name, labels = {} }, status }) => {
        const isReady = status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
        return { namespace, name, labels, metrics: isReady ? await metricsOf(asked, namespace, name) : undefined };
      }),
  );
}

/** Through the API server, so that no port is opened. */
export async function metricsOf(asked: Asked, namespace: string, name: string): Promise<OperatorPod['metrics']> {
  const path = `${kubePath('api', 'v1', 'namespaces', namespace, 'pods', name)}:8080/proxy/metrics`;
  const answer = await asked.answered(path, `get pods/proxy in namespace ${namespace}`, { text: true });
  if ('found' in answer) return String(answer.found);
  return answer.fault === 'Forbidden' ? undefined : answer;
}

interface Rule {
  readonly ports?: readonly { readonly port?: number | string; readonly endPort?: number; readonly protocol?: string }[];
}
export interface NetworkPolicy {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly podSelector?: { readonly matchLabels?: Readonly<Record<string, string>>; readonly matchExpressions?: readonly unknown[] };
    readonly policyTypes?: readonly string[];
    readonly egress?: readonly Rule[];
  };
}

/** In the namespaces of these Pods. */
export async function networkPolicies(asked: Asked, pods: readonly OperatorPod[]): Promise<readonly NetworkPolicy[]> {
  const namespaces = [...new Set(pods.map(({ namespace }) => namespace))];
  const lists = await Promise.all(
    namespaces.map(async (namespace) => {
      const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
      const found = listOf(await asked.get(path, `list networkpolicies.networking.k8s.io in namespace ${namespace}`));
      return found?.items ?? [];
    }),
  );
  return lists.flat();
}

const listOf = (found: unknown): { readonly items?: readonly NetworkPolicy[] } | undefined =>
  found as { readonly items?: readonly NetworkPolicy[] } | undefined;

/** Ports at which the API server is reached inside; `443` where that is not for the caller to see. */
export async function serverPorts(asked: Asked): Promise<readonly number[]> {
  const path = '/api/v1/namespaces/default/endpoints/kubernetes';
  const { subsets = [] } = ((await asked.get(path, 'get endpoints in namespace default')) ?? {}) as {
    readonly subsets?: readonly { readonly ports?: readonly { readonly port: number }[] }[];
  };
  const ports = subsets.flatMap((subset) => (subset.ports ?? []).map(({ port }) => port));
  return ports.length === 0 ? [443] : ports;
}

/** What a Pod must reach, of what policies forbid. A rule by address counts as one that allows it. */
export function shutPorts(
  { namespace, labels }: OperatorPod,
  policies: readonly NetworkPolicy[],
  needed: readonly Needed[],
): readonly string[] {
  const mine = policies.filter(({ metadata, spec }) => metadata.namespace === namespace && isEgress(spec) && chooses(spec, labels));
  if (mine.length === 0) return [];
  const rules = mine.flatMap(({ spec }) => spec.egress ?? []);
  return needed
    .filter(({ ports, protocol }) => !ports.some((port) => rules.some((rule) => opens(rule, port, protocol))))
    .map(({ what }) => what);
}
export interface Needed {
  readonly what: string;
  /** One of them is enough. */
  readonly ports: readonly number[];
  readonly protocol: 'TCP' | 'UDP';
}

const isEgress = ({ policyTypes, egress }: NetworkPolicy['spec']): boolean => policyTypes?.includes('Egress') ?? egress !== undefined;
const chooses = ({ podSelector = {} }: NetworkPolicy['spec'], labels: Readonly<Record<string, string>>): boolean =>
  Object.entries(podSelector.matchLabels ?? {}).every(([name, value]) => labels[name] === value);
const opens = ({ ports }: Rule, port: number, protocol: string): boolean =>
  ports === undefined ||
  ports.some((one) => {
    if ((one.protocol ?? 'TCP') !== protocol) return false;
    return (
      one.port === undefined || one.port === port || (typeof one.port === 'number' && one.port <= port && port <= (one.endPort ?? one.port))
    );
  });
