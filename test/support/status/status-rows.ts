import type { Condition, Judged, KStatus } from './kstatus.ts';

type Truth = 'True' | 'False' | 'Unknown';
export type ArgoHealth = 'Healthy' | 'Progressing' | 'Degraded' | 'Suspended';

/** One row of the table of states. "As seen" is two rows: one of something that was ready, one of something that was not. */
export interface StatusRow {
  readonly state: string;
  readonly ready: Truth;
  readonly synced: Truth;
  /** Reason of Synced, where the row names one. */
  readonly because?: string;
  readonly reconciling: Truth;
  readonly stalled: Truth;
  readonly stalledBecause?: string;
  readonly deleting?: true;
  readonly kstatus: KStatus;
  readonly argo: ArgoHealth;
}

export const statusRows: readonly StatusRow[] = [
  ...seen(
    { state: 'waiting for a reference', synced: 'False', because: 'ReferenceNotReady', reconciling: 'True' },
    'InProgress',
    'Progressing',
  ),
  ...seen(
    { state: 'waiting for the account', synced: 'False', because: 'AccountNotReady', reconciling: 'True' },
    'InProgress',
    'Progressing',
  ),
  row({ state: 'creating', ready: 'False', synced: 'False', because: 'Creating', reconciling: 'True' }, 'InProgress', 'Progressing'),
  ...seen({ state: 'changing', synced: 'False', because: 'Updating', reconciling: 'True' }, 'InProgress', 'Progressing'),
  ...seen({ state: 'correcting', synced: 'False', because: 'Drifted', reconciling: 'True' }, 'InProgress', 'Progressing'),
  row({ state: 'as wanted', ready: 'True', synced: 'True', because: 'Available' }, 'Current', 'Healthy'),
  row(
    { state: 'as wanted, remote busy or down by itself', ready: 'False', synced: 'True', reconciling: 'True' },
    'InProgress',
    'Progressing',
  ),
  ...reported('differs, only reported', 'DriftReported'),
  ...reported('only observed', 'Observed'),
  ...reported('the account is read-only', 'ReadOnly'),
  ...seen({ state: 'needs approval', synced: 'False', because: 'ApprovalRequired', reconciling: 'True' }, 'InProgress', 'Suspended'),
  row({ state: 'paused, as last seen ready', ready: 'True', synced: 'Unknown', because: 'Paused' }, 'Current', 'Suspended'),
  row({ state: 'paused, as last seen not ready', ready: 'False', synced: 'Unknown', because: 'Paused' }, 'InProgress', 'Suspended'),
  ...seen(
    { state: 'paused before the generation was applied', synced: 'Unknown', because: 'Paused', reconciling: 'True' },
    'InProgress',
    'Suspended',
  ),
  ...['Rejected', 'AlreadyExists', 'Ambiguous', 'Contested', 'RemoteMissing'].flatMap((reason) =>
    seen(
      { state: `a person must act: ${reason}`, synced: 'False', because: reason, stalled: 'True', stalledBecause: reason },
      'Failed',
      'Degraded',
    ),
  ),
  row(
    { state: 'remote is broken by its own account', ready: 'False', synced: 'True', stalled: 'True', stalledBecause: 'RemoteFailed' },
    'Failed',
    'Degraded',
  ),
  row(
    {
      state: 'remote is broken by its own account, and not as its spec asks',
      ready: 'False',
      synced: 'False',
      because: 'RemoteFailed',
      stalled: 'True',
      stalledBecause: 'RemoteFailed',
    },
    'Failed',
    'Degraded',
  ),
  row(
    { state: 'deleting', ready: 'False', synced: 'False', because: 'Deleting', reconciling: 'True', deleting: true },
    'Terminating',
    'Progressing',
  ),
  row(
    { state: 'deleting, held', ready: 'False', synced: 'False', because: 'DeletionHeld', reconciling: 'True', deleting: true },
    'Terminating',
    'Progressing',
  ),
];

type Said = Partial<StatusRow> & Pick<StatusRow, 'state' | 'synced'>;

function row(said: Said & Pick<StatusRow, 'ready'>, kstatus: KStatus, argo: ArgoHealth): StatusRow {
  return { reconciling: 'False', stalled: 'False', ...said, kstatus, argo };
}

function seen(said: Said, kstatus: KStatus, argo: ArgoHealth): readonly StatusRow[] {
  return [
    row({ ...said, state: `${said.state}, as last seen ready`, ready: 'True' }, kstatus, argo),
    row({ ...said, state: `${said.state}, not ready before`, ready: 'False' }, kstatus, argo),
  ];
}

function reported(state: string, because: string): readonly StatusRow[] {
  return [
    row({ state: `${state}, ready`, ready: 'True', synced: 'False', because }, 'Current', 'Healthy'),
    row({ state: `${state}, not ready`, ready: 'False', synced: 'False', because }, 'InProgress', 'Healthy'),
  ];
}

/** An object in the state of this row, at a generation that the operator has looked at unless told otherwise. */
export function inState(row: StatusRow, observedGeneration = 3): Judged {
  const conditions: readonly Condition[] = [
    { type: 'Ready', status: row.ready, message: 'ready message' },
    { type: 'Synced', status: row.synced, reason: row.because ?? 'Available', message: 'synced message' },
    { type: 'Reconciling', status: row.reconciling, message: 'reconciling message' },
    { type: 'Stalled', status: row.stalled, reason: row.stalledBecause ?? 'Available', message: 'stalled message' },
  ];
  return {
    metadata: { generation: 3, ...(row.deleting && { deletionTimestamp: '2026-11-21T10:00:00Z' }) },
    status: { observedGeneration, conditions },
  };
}
