import type { Resource } from '../../engine/ports/kubernetes.ts';
import { registry } from '../command-line/kinds.ts';
import { collectionOf, type Reader } from './reader.ts';
import { servedBy } from './serving.ts';

/** What the chart and the kustomize base put on all that is theirs. Anybody may: it proves nothing. */
export const operatorLabels = 'labelSelector=app.kubernetes.io%2Fname%3Dcloud-operator';

interface Binding {
  readonly subjects?: readonly { readonly kind: string; readonly namespace?: string }[];
}

/**
 * Where operators are, by what no tenant can write: the binding of their service accounts to their ClusterRole, and
 * the status of the accounts that they serve. Pods and Deployments elsewhere only bear the labels of one.
 * `named`: as the caller says, who may see neither.
 */
export const operatorNamespaces = async (reader: Reader, named = 'cloud-operator'): Promise<ReadonlySet<string>> =>
  (await lookedUp(reader, named)).namespaces;

/** The same; undefined: the caller may not list those bindings, or none bears the label of the chart, so that there may be more. */
export async function allOperatorNamespaces(reader: Reader): Promise<ReadonlySet<string> | undefined> {
  const { namespaces, isWhole } = await lookedUp(reader, 'cloud-operator');
  return isWhole ? namespaces : undefined;
}

async function lookedUp(reader: Reader, named: string): Promise<{ readonly namespaces: ReadonlySet<string>; readonly isWhole: boolean }> {
  const [bindings, accounts] = await Promise.all([
    reader.optional(`/apis/rbac.authorization.k8s.io/v1/clusterrolebindings?${operatorLabels}`) as Promise<List<Binding> | undefined>,
    reader.optional(collectionOf(registry.connection, undefined)) as Promise<List<Resource> | undefined>,
  ]);
  const bound = (bindings?.items ?? []).flatMap(({ subjects = [] }) =>
    subjects.flatMap(({ kind, namespace }) => (kind === 'ServiceAccount' ? (namespace ?? []) : [])),
  );
  const serving = (accounts?.items ?? []).flatMap((account) => servedBy(account)?.split('/')[0] ?? []);
  return {
    namespaces: new Set([named, ...bound, ...serving]),
    // Whoever installs with rights of his own making (rbac.create: false) need not label their bindings.
    isWhole: bound.length > 0,
  };
}
interface List<T> {
  readonly items?: readonly T[];
}
