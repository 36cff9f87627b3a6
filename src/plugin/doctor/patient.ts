import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Lease } from '../../kube/lease-record.ts';
import type { Millis } from '../../lib/clock.ts';
import { crdStates } from '../cluster/installed.ts';
import { registry } from '../kinds.ts';
import { Landscape } from '../landscape.ts';
import type { CrdState } from '../output/shapes.ts';
import type { Session } from '../session.ts';

/** Everything that the checks look at, read once. */
export interface Patient {
  readonly now: Millis;
  readonly accounts: readonly Resource[];
  /** Of all other kinds. */
  readonly objects: readonly Resource[];
  readonly crds: readonly CrdState[];
  /** By the name that `status.servedBy` of an account gives; absent: not there, or not for the caller to see. */
  readonly leases: ReadonlyMap<string, Lease>;
}

export async function patientOf(session: Session, namespace: string | undefined): Promise<Patient> {
  const reader = await session.reader();
  const [{ all }, crds] = await Promise.all([Landscape.of(reader, namespace), crdStates(reader)]);
  const accounts = all.filter(({ kind }) => kind === registry.connection.kind);
  const names = new Set(accounts.map(servedBy).filter((name) => name !== undefined));
  const found = await Promise.all(
    [...names].map(async (name) => [name, (await reader.optional(leasePath(name))) as Lease | undefined] as const),
  );
  const leases = new Map(found.flatMap(([name, lease]) => (lease === undefined ? [] : [[name, lease] as const])));
  return { now: session.now, accounts, objects: all.filter((object) => !accounts.includes(object)), crds, leases };
}

/** `namespace/name` of the lease of the release that serves an account. */
export const servedBy = ({ status }: Resource): string | undefined => {
  const name = status?.['servedBy'];
  return typeof name === 'string' ? name : undefined;
};

const leasePath = (name: string): string => {
  const [namespace = '', lease = ''] = name.split('/');
  return `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/${lease}`;
};
