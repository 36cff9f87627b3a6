import { durationOf, holderOf, type Lease } from '../../kube/leases/lease-record.ts';
import type { Millis } from '../../lib/clock.ts';
import { allOperatorNamespaces } from '../cluster/operator-namespaces.ts';
import type { Reader } from '../cluster/reader.ts';
import { servedBy } from '../cluster/serving.ts';
import { registry } from '../command-line/kinds.ts';

/** In the name of a lease, unless somebody called it otherwise; then accounts name it. */
const usual = 'cloud-operator';

export const nameOf = ({ metadata }: Lease): string => `${metadata.namespace}/${metadata.name}`;
export const isHeld = (lease: Lease, now: Millis): boolean =>
  holderOf(lease) !== '' && Date.parse(lease.spec?.renewTime ?? '') + durationOf(lease) > now;

/**
 * Of all releases, in all namespaces where an operator provably is: a tenant may make one of that name in his own. Where that cannot be
 * known any of the name counts. Undefined: the caller may not list them, and cannot know.
 */
export async function ourLeases(reader: Reader): Promise<readonly Lease[] | undefined> {
  const list = (await reader.optional('/apis/coordination.k8s.io/v1/leases')) as { readonly items?: readonly Lease[] } | undefined;
  if (list === undefined) return undefined;
  const named = new Set((await reader.list(registry.connection, undefined)).map(servedBy));
  const namespaces = await allOperatorNamespaces(reader);
  const isOfOperator = ({ metadata: { name, namespace } }: Lease): boolean =>
    name.includes(usual) && (namespaces === undefined || namespaces.has(namespace));
  return (list.items ?? []).filter((lease) => isOfOperator(lease) || named.has(nameOf(lease)));
}
