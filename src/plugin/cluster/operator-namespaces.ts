import type { Resource } from '../../engine/ports/kubernetes.ts';
import { registry } from '../command-line/kinds.ts';
import { collectionOf, type Reader } from './reader.ts';
import { servedBy } from './serving.ts';

/** What the chart and the kustomize base put on all that is theirs. Anybody may: it proves nothing. */
export const operatorLabels = 'labelSelector=app.kubernetes.io%2Fname%3Dcloud-operator';

interface Binding {
  readonly roleRef?: { readonly name: string };
  readonly subjects?: readonly { readonly kind: string; readonly name?: string; readonly namespace?: string }[];
}

/**
 * Where operators are, by what no tenant can write: the binding of their service accounts to their ClusterRole, and
 * the status of the accounts that they serve. Pods and Deployments elsewhere only bear the labels of one.
 * `named`: as the caller says, who may see neither.
 */
export async function operatorNamespaces(reader: Reader, named = 'cloud-operator'): Promise<ReadonlySet<string>> {
  const { bound, serving } = await lookedUp(reader);
  return new Set([named, ...bound, ...serving]);
}

/**
 * The same, and where one may be that somebody gave rights of his own making (rbac.create: false), who need not label their bindings.
 * Undefined: the caller may not list those bindings, or none bears the label of the chart, so that there may be more.
 */
export async function allOperatorNamespaces(reader: Reader): Promise<ReadonlySet<string> | undefined> {
  const [{ bound, serving }, all] = await Promise.all([lookedUp(reader), reader.optional(bindings) as Promise<List<Binding> | undefined>]);
  if (bound.length === 0 || all === undefined) return undefined;
  const mayServe = (all.items ?? []).filter(({ roleRef }) => !isNoOperators(roleRef?.name ?? ''));
  return new Set(['cloud-operator', ...bound, ...serving, ...mayServe.flatMap(boundBy)]);
}
/** Of Kubernetes itself; nobody writes the status of an object with these. */
const isNoOperators = (role: string): boolean => role.startsWith('system:') || ['view', 'edit', 'admin'].includes(role);

const bindings = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings';

async function lookedUp(reader: Reader): Promise<{ readonly bound: readonly string[]; readonly serving: readonly string[] }> {
  const [labelled, accounts] = await Promise.all([
    reader.optional(`${bindings}?${operatorLabels}`) as Promise<List<Binding> | undefined>,
    reader.optional(collectionOf(registry.connection, undefined)) as Promise<List<Resource> | undefined>,
  ]);
  return {
    bound: (labelled?.items ?? []).flatMap(boundBy),
    serving: (accounts?.items ?? []).flatMap((account) => servedBy(account)?.split('/')[0] ?? []),
  };
}
const ofNamespace = 'system:serviceaccounts:';
const boundBy = ({ subjects = [] }: Binding): readonly string[] =>
  subjects.flatMap(({ kind, name = '', namespace }) => {
    if (kind === 'Group') return name.startsWith(ofNamespace) ? [name.slice(ofNamespace.length)] : [];
    return kind === 'ServiceAccount' ? (namespace ?? []) : [];
  });
interface List<T> {
  readonly items?: readonly T[];
}
