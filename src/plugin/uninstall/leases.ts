import { durationOf, holderOf, type Lease } from '../../kube/leases/lease-record.ts';
import type { Millis } from '../../lib/clock.ts';
import { fewOf } from '../../lib/few-of.ts';
import { allOperatorNamespaces } from '../cluster/operator-namespaces.ts';
import type { Reader } from '../cluster/reader.ts';
import { servedBy } from '../cluster/serving.ts';
import { registry } from '../command-line/kinds.ts';

/** In the name of a lease, unless somebody called it otherwise; then accounts name it. */
const usual = 'cloud-operator';

export const nameOf = ({ metadata }: Lease): string => `${metadata.namespace}/${metadata.name}`;
export const isHeld = (lease: Lease, now: Millis): boolean =>
  holderOf(lease) !== '' && Date.parse(lease.spec?.renewTime ?? '') + durationOf(lease) > now;

export interface Leases {
  readonly ours: readonly Lease[];
  /** Called like one of ours, where no operator provably is; not those of accounts, which go and tell with the lease of whose they are. */
  readonly unproven: readonly Lease[];
}

/**
 * Of all releases, in all namespaces where an operator provably is: a tenant may make one of that name in his own. Where that cannot be
 * known any of the name counts. Undefined: the caller may not list them, and cannot know.
 */
export async function leasesIn(reader: Reader): Promise<Leases | undefined> {
  const list = (await reader.optional('/apis/coordination.k8s.io/v1/leases')) as { readonly items?: readonly Lease[] } | undefined;
  if (list === undefined) return undefined;
  const accounts = await reader.list(registry.connection, undefined);
  const served = new Set(accounts.map(servedBy));
  const ofAccounts = new Set(accounts.map(({ metadata }) => `${metadata.namespace}/${usual}-${metadata.uid}`));
  const namespaces = await allOperatorNamespaces(reader);
  const called = (list.items ?? []).filter((lease) => lease.metadata.name.includes(usual) || served.has(nameOf(lease)));
  const isOurs = (lease: Lease): boolean =>
    namespaces === undefined || namespaces.has(lease.metadata.namespace) || served.has(nameOf(lease));
  return { ours: called.filter(isOurs), unproven: called.filter((lease) => !isOurs(lease) && !ofAccounts.has(nameOf(lease))) };
}

/** Somebody may look for one that is there. */
export function notCounted(leases: Leases | undefined, now: Millis): readonly string[] {
  const held = (leases?.unproven ?? []).filter((lease) => isHeld(lease, now)).map(nameOf);
  if (held.length === 0) return [];
  const called = held.length === 1 ? 'called like that of an operator' : 'called like those of operators';
  return [
    `not counted: lease ${fewOf(held, most)}, ${called}, but in a namespace where, as far as you may see, no operator serves an account or is bound to a ClusterRole. If one works there, end it first`,
  ];
}
const most = 5;
