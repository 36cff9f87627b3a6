import type { Millis } from '../../lib/clock.ts';

/** A `coordination.k8s.io/v1` Lease; what we do not know in it is sent back as it came. */
export interface Lease {
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly resourceVersion?: string;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly spec?: LeaseSpec;
}
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
}
interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
}

/** Empty when nobody holds it. */
export const holderOf = (lease: Lease | undefined): string => lease?.spec?.holderIdentity ?? '';
export const durationOf = (lease: Lease): Millis => (lease.spec?.leaseDurationSeconds ?? 0) * 1_000;

/** Kubernetes wants microseconds in these. */
export const microTime = (now: Millis): string => new Date(now).toISOString().replace('Z', '000Z');

/** The same lease taken or renewed by `identity`. */
export function claimed(lease: Lease, claim: { readonly identity: string; readonly duration: Millis; readonly now: Millis }): Lease {
  const before = lease.spec ?? {};
  const same = before.holderIdentity === claim.identity;
  const now = microTime(claim.now);
  return {
    ...lease,
    spec: {
      ...before,
      holderIdentity: claim.identity,
      leaseDurationSeconds: Math.round(claim.duration / 1_000),
      acquireTime: same ? (before.acquireTime ?? now) : now,
      renewTime: now,
      leaseTransitions: (before.leaseTransitions ?? 0) + (same || before.acquireTime === undefined ? 0 : 1),
    },
  };
}

/** Free for whoever looks next. The holder is left out, as client-go does it. */
export function released(lease: Lease, now: Millis): Lease {
  const { holderIdentity: _, ...spec } = lease.spec ?? {};
  return { ...lease, spec: { ...spec, leaseDurationSeconds: 1, acquireTime: microTime(now), renewTime: microTime(now) } };
}
