import type { Millis } from '../../lib/clock.ts';
import type { Call } from '../../resource/index.ts';

/**
 * What the service meant, whatever it said.
 * `Unknown`: a change was sent and its outcome is not known. `Unavailable`: no answer of the API, and a change was surely not
 * made. `NotUnique`: refused as a duplicate. `Busy`: refused until a job ends. `Malformed`: the answer of a read cannot be
 * read. `Abandoned`: our own gate or signal stopped it before anything was sent, or a read was no longer wanted.
 */
export type Fault =
  | 'Throttled'
  | 'Unavailable'
  | 'Unknown'
  | 'NotFound'
  | 'Busy'
  | 'NotUnique'
  | 'Rejected'
  | 'Quota'
  | 'Forbidden'
  | 'Unauthorized'
  | 'Malformed'
  | 'Abandoned';
export interface ApiReason {
  readonly reason: string;
  readonly field?: string;
}

interface ErrorDetails {
  readonly status?: number | undefined;
  readonly reasons?: readonly ApiReason[];
  readonly retryAfter?: Millis;
  readonly cause?: unknown;
  readonly byApi?: boolean;
  readonly scopes?: readonly string[] | undefined;
  readonly lacks?: string | undefined;
}

/** Every rejection of the cloud port. The message never holds a secret or a body of ours. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly fault: Fault;
  readonly status: number | undefined;
  readonly reasons: readonly ApiReason[];
  readonly retryAfter: Millis | undefined;
  /** Said by the API about what was asked for: not by a balancer, and not because of maintenance. */
  readonly byApi: boolean;
  /** Scopes that it takes, where it was not about the item itself. */
  readonly scopes: readonly string[] | undefined;
  /** Scopes that the call takes, as the service words them, of which the token has not all. */
  readonly lacks: string | undefined;
  constructor(fault: Fault, message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.fault = fault;
    this.status = details.status;
    this.reasons = details.reasons ?? [];
    this.retryAfter = details.retryAfter;
    this.byApi = details.byApi ?? false;
    this.scopes = details.scopes;
    this.lacks = details.lacks;
  }
}

/** `events`: the connection's own polls, which no share holds up. */
export type Lane = 'events' | 'edit' | 'delete' | 'create' | 'wait' | 'sweep';
export interface CallOptions {
  readonly lane: Lane;
  /** Namespace; lanes are fair between them. */
  readonly tenant: string;
  /** Kind that asks; the service is told in the `User-Agent`. Absent: the connection itself. */
  readonly caller?: string;
  /** Name of the account object that the call is for, as its connection was opened; absent: all that share the connection. */
  readonly account?: string;
  readonly signal: AbortSignal;
  /** Ends waiting (for the budget, for a shared read) before `signal` cuts what was sent: the process stops. */
  readonly intake?: AbortSignal;
  /** Told when it begins and when it ends to wait for the rate window: meanwhile it needs nothing else. */
  readonly onWait?: (waits: boolean) => void;
}
export interface Reply {
  readonly body: unknown;
  /** Wall clock of the service when it answered (its `Date`), ms since the epoch. */
  readonly apiTime: Millis;
  /** Our monotonic clock when the request went out and when the answer was complete. */
  readonly requestedAt: Millis;
  readonly answeredAt: Millis;
}

/** The budget's leave for one call. It must be sent or released. */
export interface Permit {
  /** The call that it is for. */
  readonly call: Call;
  /** `gate` runs in the same tick as the socket write; a text stops the call with fault `Abandoned`. */
  send(gate: () => string | undefined): Promise<Reply>;
  /** The same leave, for another call of the same window: what is sent is known only when it has come. */
  for(call: Call): Permit;
  release(): void;
}
