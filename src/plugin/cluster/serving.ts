import type { Resource } from '../../engine/ports/kubernetes.ts';
import { kubePath } from '../../kube/http/client.ts';
import type { Lease } from '../../kube/leases/lease-record.ts';
import type { Millis } from '../../lib/clock.ts';
import type { Reader } from './reader.ts';

/** `namespace/name` of the lease of the release that serves an account. */
export const servedBy = ({ status }: Resource): string | undefined => {
  const name = status?.['servedBy'];
  return typeof name === 'string' ? name : undefined;
};

export const leasePath = (name: string): string => {
  const [namespace = '', lease = ''] = name.split('/');
  return kubePath('apis', 'coordination.k8s.io', 'v1', 'namespaces', namespace, 'leases', lease);
};

/** Nobody has renewed it for twice as long as it lasts. */
export function isOver({ spec }: Lease, now: Millis): boolean {
  const renewed = Date.parse(spec?.renewTime ?? '');
  return !(now - renewed <= 2000 * (spec?.leaseDurationSeconds ?? 0));
}

/** A lease that shows that no operator works. */
export interface DeadLease {
  /** `cloud-operator/cloud-operator`. */
  readonly name: string;
  /** When it was renewed last. */
  readonly since: string;
}

/** Of the release that serves this account; undefined: one works, or the lease is not for the caller to see. */
export async function deadLeaseOf(reader: Reader, account: Resource, now: Millis): Promise<DeadLease | undefined> {
  const name = servedBy(account);
  if (name === undefined) return undefined;
  const lease = (await reader.optional(leasePath(name))) as Lease | undefined;
  if (lease === undefined || !isOver(lease, now)) return undefined;
  return { name, since: (lease.spec?.renewTime ?? 'ever').replace(/\.\d+Z$/, 'Z') };
}

export const deadText = ({ name, since }: DeadLease): string => `no operator works for it: nobody has renewed lease ${name} since ${since}`;
