import type { Millis } from '../../lib/clock.ts';
import { type Duration, type Effect, seconds } from '../../resource/index.ts';

/** Every reason that a condition can carry. They are API: alerts and scripts depend on them (README: status). */
export const reasons = [
  'Available',
  'PoweredOff',
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
  'OperationFailed',
  'Expired',
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

/** A change that waits for a person (README: effects). */
export interface PendingPlan {
  /** What annotation `approve` must echo. */
  readonly hash: string;
  /** What annotation `approve-change` must name; absent where what it is about cannot be told by content. */
  readonly content?: string;
  readonly effect: Effect;
  readonly changes: readonly string[];
  /** What the ids in them are called in the cluster; no part of what is approved. */
  readonly names?: readonly string[];
  /** From then on it is made to its end, whatever becomes of the annotation. `by`: the field manager that wrote it. */
  readonly approved?: { readonly at: string; readonly hash: string; readonly by?: string; readonly reason?: string };
}

/**
 * How one reconcile can end. Conditions, Event and requeue all follow from it by the tables of `status`, and nowhere else.
 * Messages say what was seen, which spec field, and what to do.
 */
export interface Outcomes {
  /** As wanted. */
  readonly Synced: { readonly message?: string };
  /** As wanted, but busy or down by itself. */
  readonly Unsettled: { readonly message: string; readonly recheckAfter: Duration; readonly percent?: number };
  /** Our change is under way. */
  readonly Working: {
    readonly reason: 'Creating' | 'Updating' | 'Deleting' | 'Drifted' | 'Busy' | 'UnknownOutcome';
    readonly message: string;
    readonly recheckAfter: Duration;
    readonly percent?: number;
  };
  /** Something else must happen first; `on` names what. */
  readonly Waiting: {
    readonly reason: 'ReferenceNotReady' | 'AccountNotReady' | 'Busy' | 'DeletionHeld' | 'ReadOnly';
    readonly message: string;
    readonly on: readonly string[];
    readonly recheckAfter: Duration;
    /** Whatever was seen last, it is not Ready: the remote is proven gone, still has what was taken from something that is gone, or what was given out is over. */
    readonly unready?: true;
    /** All else is as wanted, so that Ready is what is seen of it now, whatever was told of it last. */
    readonly asSeen?: true;
    /** Of what it refers to something is not there at all, so that nothing is under way that brings it about. */
    readonly absent?: true;
  };
  /** It differs, and the spec says to leave it so; or nothing may be written here. */
  readonly Reported: {
    readonly reason: 'DriftReported' | 'Observed' | 'ReadOnly' | 'Paused';
    readonly differs: boolean;
    readonly message: string;
  };
  /** Absent `plan`: what is asked for is no change of a field. `recheckAfter`: while the remote is not whole yet, and nothing else tells when it is. */
  readonly Approval: { readonly message: string; readonly plan?: PendingPlan; readonly recheckAfter?: Duration };
  readonly Paused: { readonly message: string; readonly recheckAfter: Duration };
  /** Tried and failed in a way that passes; tried again with back-off, not before `retryAfter`, and by `retryWithin` at the latest. */
  readonly Retrying: {
    readonly reason: 'Throttled' | 'Unreachable' | 'Unauthorized' | 'Forbidden' | 'Busy' | 'Rejected' | 'UnknownOutcome';
    readonly message: string;
    readonly retryAfter?: Duration;
    readonly retryWithin?: Duration;
    readonly unready?: true;
    /** The account answers, and does not have it; it may be gone. */
    readonly missing?: true;
  };
  /** A person must act; looked at again every 30 to 60 minutes, because classifications can be wrong. */
  readonly Stalled: {
    readonly reason: Reason;
    readonly message: string;
    readonly unready?: true;
    /** Of what has failed: nor is it as the spec asks. */
    readonly differs?: true;
  };
  /** Nothing to say: the budget or the first sweep is awaited, and waiting for those is never written on objects. */
  readonly Quiet: { readonly recheckAfter: Duration };
  /** One step was taken and the next is due at once. `onlyRead`: the account was asked more, and what there is to show is shown by the next. */
  readonly Again: { readonly onlyRead?: true };
  readonly Deleted: object;
}
export type Ending = keyof Outcomes;
/** One of them, or any; a function of one is found in a table of all without a cast. */
export type Outcome<Is extends Ending = Ending> = { [I in Is]: { readonly is: I } & Outcomes[I] }[Is];
/** Total: an ending without a row does not compile. `Rest`: what else each row looks at. */
export type ByEnding<Result, Rest extends readonly unknown[] = []> = {
  readonly [Is in Ending]: (outcome: Outcome<Is>, ...rest: Rest) => Result;
};

/** What this reconcile learned and status will show, besides the conditions. Undefined clears a field; an absent one keeps it. */
export type StatusDraft = { [field: string]: unknown };

/** A change of the account as it would be sent now. */
export interface Change {
  /** Keyed digest of the call (method, path, body) and of what the token may do. */
  readonly wish: string;
  /** Digest of what the account has where it bears on the change: a refusal holds only against that. */
  readonly seen: string;
  /** Of the spec: an edit asks anew for what was accepted, even back to what was asked for a moment ago. */
  readonly generation: number;
  /** What the account had in the field that it changes: as long as that is there, what was accepted does not show. */
  readonly had?: { readonly field: string; readonly value: string } | undefined;
  /** No field shows whether it was done, so that nothing differs says nothing of it. */
  readonly unseen?: true;
}

/** What became of a change that was sent. */
export type Answer =
  /** `showsWithin`: lists may be so late to show it. */
  | { readonly is: 'accepted'; readonly showsWithin?: Millis }
  /** No answer came; it may come about as late as this. */
  | { readonly is: 'unknown'; readonly outcome: Outcome; readonly mayComeWithin: Millis }
  /** `final`: only another wish, another state of the account or a person may make a difference. */
  | { readonly is: 'refused'; readonly outcome: Outcome; readonly final: boolean };

/** Why a change is not sent now. */
export interface Held {
  readonly because: Answer;
  /** Monotonic. */
  readonly until: Millis;
}

/** The object is on its way out; `what` is said of its remote. */
export const deletionUnderWay = ({ path }: { readonly path: string }, what: string, recheckAfter: Duration = seconds(5)): Outcome => ({
  is: 'Working',
  reason: 'Deleting',
  message: `${path} ${what}`,
  recheckAfter,
});

/** What is under way where a field of the spec leads. `stuck`: what is there goes no further by itself. */
export type Work = { readonly at?: never } | { readonly at: string; readonly stuck: string };
