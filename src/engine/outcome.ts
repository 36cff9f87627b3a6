import type { Duration, Effect } from '../resource/index.ts';

/** Every reason that a condition can carry. They are API: alerts and scripts depend on them (design 6). */
export const reasons = [
  'Available',
  'Creating',
  'Updating',
  'Deleting',
  'Drifted',
  'DriftReported',
  'Observed',
  'Paused',
  'ReadOnly',
  'ReferenceNotReady',
  'AccountNotReady',
  'Throttled',
  'Unreachable',
  'Unauthorized',
  'Forbidden',
  'Busy',
  'ApprovalRequired',
  'DeletionHeld',
  'InvalidSpec',
  'Rejected',
  'QuotaExceeded',
  'ImmutableField',
  'AlreadyExists',
  'AlreadyClaimed',
  'Ambiguous',
  'UnknownOutcome',
  'IdentityConflict',
  'AccountMismatch',
  'RemoteMissing',
  'RemoteNotVisible',
  'RemoteFailed',
  'Contested',
  'CRDMismatch',
] as const;
export type Reason = (typeof reasons)[number];

/** One field that differs, as `status.drift` shows it. Values of secret fields are never here. */
export interface Drift {
  readonly field: string;
  /** What the spec asks for. */
  readonly was: unknown;
  /** What the account has. */
  readonly now: unknown;
  /** RFC 3339, when this difference was first seen. */
  readonly since: string;
  /** User who likely changed it, from the account's events; never our own. */
  readonly by?: string;
}

/** A change that waits for a person (design 3.3). */
export interface PendingPlan {
  /** What annotation `approve` must echo. */
  readonly hash: string;
  readonly effect: Effect;
  readonly changes: readonly string[];
}

/**
 * How one reconcile ended. Conditions, Event, metric and requeue all follow from it in `record.ts`, and nowhere else.
 * Messages say what was seen, which spec field, and what to do.
 */
export type Outcome =
  /** As wanted. */
  | { readonly is: 'Synced'; readonly message?: string }
  /** As wanted, but busy or down by itself. */
  | { readonly is: 'Unsettled'; readonly message: string; readonly recheckAfter: Duration; readonly percent?: number }
  /** Our change is under way. */
  | {
      readonly is: 'Working';
      readonly reason: 'Creating' | 'Updating' | 'Deleting' | 'Drifted' | 'Busy' | 'UnknownOutcome';
      readonly message: string;
      readonly recheckAfter: Duration;
      readonly percent?: number;
    }
  /** Something else must happen first; `on` names what. */
  | {
      readonly is: 'Waiting';
      readonly reason: 'ReferenceNotReady' | 'AccountNotReady' | 'Busy' | 'DeletionHeld' | 'ReadOnly';
      readonly message: string;
      readonly on: readonly string[];
      readonly recheckAfter: Duration;
      /** The remote is proven gone: whatever was seen last, it is not Ready. */
      readonly gone?: true;
    }
  /** It differs, and the spec says to leave it so; or nothing may be written here. */
  | {
      readonly is: 'Reported';
      readonly reason: 'DriftReported' | 'Observed' | 'ReadOnly';
      readonly differs: boolean;
      readonly message: string;
    }
  | { readonly is: 'Approval'; readonly message: string; readonly plan: PendingPlan }
  | { readonly is: 'Paused' }
  /** Tried and failed in a way that passes; tried again with back-off, not before `retryAfter`. */
  | {
      readonly is: 'Retrying';
      readonly reason: 'Throttled' | 'Unreachable' | 'Unauthorized' | 'Forbidden' | 'Busy' | 'Rejected' | 'UnknownOutcome';
      readonly message: string;
      readonly retryAfter?: Duration;
    }
  /** A person must act; looked at again every 30 to 60 minutes, because classifications can be wrong. */
  | { readonly is: 'Stalled'; readonly reason: Reason; readonly message: string }
  /** Nothing to say: the budget or the first sweep is awaited, and waiting for those is never written on objects. */
  | { readonly is: 'Quiet'; readonly recheckAfter: Duration }
  /** One step was taken and the next is due at once. */
  | { readonly is: 'Again' }
  | { readonly is: 'Deleted' };
