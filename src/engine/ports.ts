import type { Millis } from '../lib/clock.ts';
import type { Key } from './ports/kubernetes.ts';

export * from './ports/cloud.ts';
export * from './ports/kubernetes.ts';

/** What the operator counts of its own work; the metric names are in `telemetry/metrics.ts`. */
export interface Monitor {
  reconciled(kind: string, result: 'success' | 'requeue' | 'requeue_after' | 'error', took: Millis): void;
  queued(kind: string, change: 'add' | 'retry' | 'start' | 'done', waited: Millis): void;
  panic(kind: string, key: Key, error: unknown): void;
}
