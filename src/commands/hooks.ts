import type { Hooks } from '../operator.ts';
import type { Log } from '../telemetry/log.ts';
import type { AuditLog } from '../telemetry/audit-log.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** What happens in the operator, as metrics and, where it is a bug, as a log line. */
export const hooksInto = (metrics: Metrics, { log, lease, audit }: { log: Log; lease: string; audit?: AuditLog | undefined }): Hooks => ({
  reconciled: (kind, result, took) => metrics.work.reconciled(kind, result, took),
  queued: (kind, change, waited) => metrics.work.queued(kind, change, waited),
  panic: (kind, key, error) => {
    metrics.work.panicked(kind);
    log.error('a reconcile ended in a bug; it is tried again with back-off. Please report it', { kind, ...key, error });
  },
  watched: (kind, was, is) => metrics.changes.watched(kind, was, is),
  changing: (change) => {
    metrics.changes.changing(change);
    audit?.sent(change);
  },
  changed: (change, outcome) => {
    if (outcome === 'Accepted') metrics.changes.accepted(change);
    audit?.answered(change, outcome);
  },
  driftSeen: (kind, after) => metrics.changes.driftSeen(kind, after),
  kubeRequest: (request) => metrics.requested(request),
  mismatched: (mismatches) => metrics.mismatched(mismatches.map(({ kind }) => kind)),
  leading: (leads) => metrics.leading(lease, leads),
  cloud: {
    onCall: (call) => metrics.account.called(call),
    onBudget: ({ account, rate, left }) => metrics.account.budget(account, rate, left),
    onJobEnd: ({ kind, key, ago }) => metrics.changes.jobEnded(kind, key, ago),
  },
});
