import type { Millis } from '../../lib/clock.ts';
import type { ChangeMonitor } from './account-change.ts';
import type { Key } from './kubernetes.ts';

export * from './account-change.ts';
export * from './cloud.ts';
export * from './cloud-call.ts';
export * from './kubernetes.ts';
export * from './remote-cache.ts';
export * from './secret-reading.ts';
export * from './transfers.ts';

/** What the operator counts of its own work; the metric names are in `telemetry/metrics.ts`. */
export interface Monitor extends ChangeMonitor {
  reconciled(kind: string, result: 'success' | 'requeue' | 'requeue_after' | 'error', took: Millis): void;
  queued(kind: string, change: 'add' | 'retry' | 'start' | 'done', waited: Millis): void;
  panic(kind: string, key: Key, error: unknown): void;
}
