import type { Millis } from '../../../src/lib/clock.ts';

/** Renewed rarely, so that idle time is cheap. A killed process leaves no lease behind here: its successor works at once. */
export const leaseDuration: Millis = 300_000;
export const usualLease: Millis = 15_000;
export const leasePath = '/apis/coordination.k8s.io/v1/namespaces/cloud-operator/leases/cloud-operator';
export const restartAfter: Millis = 3_000;
