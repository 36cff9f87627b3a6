import type { Millis } from '../../lib/clock.ts';
import type { AnyKind, Call, Row, Sensitive } from '../../resource/index.ts';
import type { Key } from './kubernetes.ts';

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
/** Every rejection of the cloud port. The message never holds a secret or a body of ours. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly fault: Fault;
  readonly status: number | undefined;
  readonly reasons: readonly ApiReason[];
  readonly retryAfter: Millis | undefined;
  constructor(
    fault: Fault,
    message: string,
    details: { status?: number; reasons?: readonly ApiReason[]; retryAfter?: Millis; cause?: unknown } = {},
  ) {
    super(message, { cause: details.cause });
    this.fault = fault;
    this.status = details.status;
    this.reasons = details.reasons ?? [];
    this.retryAfter = details.retryAfter;
  }
}

export type Lane = 'edit' | 'delete' | 'create' | 'wait' | 'sweep';
export interface How {
  readonly lane: Lane;
  /** Namespace; lanes are fair between them. */
  readonly tenant: string;
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
  /** `gate` runs in the same turn as the socket write; a text stops the call with fault `Abandoned`. */
  send(gate: () => string | undefined): Promise<Reply>;
  release(): void;
}
export interface Listing {
  readonly rows: readonly Row[];
  /** No row can have been missed, so that absence means something. */
  readonly complete: boolean;
  /** Monotonic, when its first page was requested. */
  readonly requestedAt: Millis;
}
/** One remote as last read. Parts that were read are merged in as fields. */
export interface Seen {
  readonly remote: Row;
  /** Monotonic, when the read that gave the row was requested. */
  readonly readAt: Millis;
  readonly source: 'answer' | 'item' | 'sweep';
}
export interface Job {
  readonly id: number;
  readonly action: string;
  readonly status: 'scheduled' | 'started' | 'finished' | 'failed' | 'notification';
  readonly percent: number | null;
  readonly message: string;
  readonly user: string | null;
  /** ISO 8601 UTC as the service gives it. */
  readonly created: string;
}
/** Who wants to be woken when a remote changes. */
export interface Owner {
  readonly kind: AnyKind;
  readonly key: Key;
  /** The path that lists it: `/volumes`, and below a parent `/domains/12/records`. */
  readonly collection: string;
}

/**
 * What is known of the account's objects without asking: answers of our own calls, reads by id, sweeps and events
 * (design 5.5, 5.6). Paths are neutral and without the version (`/volumes/12`).
 */
export interface Mirror {
  seen(path: string): Seen | undefined;
  /**
   * Monotonic request time of the last sweep of this collection, or undefined before the first. A collection that cannot
   * be listed (no scope, a strange answer) counts as swept, so that its owners read their items and report what they meet.
   */
  sweptAt(collection: string): Millis | undefined;
  /** Registers interest: its collection is swept, its parts are visited, its owner is woken. Idempotent. */
  own(path: string, owner: Owner): void;
  disown(path: string): void;
  /** An object of this kind wants something of the account, whether or not it has anything there yet. */
  uses(kind: AnyKind): void;
  /** Asks for a sweep of the collection soon, because an owner waits for its first one; it is woken then. Nothing for kinds swept `by: 'item'`. */
  wanted(owner: Owner): void;
  /** Notes the answer of our own call as the newest state; rows requested before it (plus list lag) no longer count. */
  note(path: string, row: Row, reply: Reply): void;
  /** Notes that we changed the remote without learning its new state: what was read before no longer counts. */
  changed(path: string, reply: Reply): void;
  drop(path: string): void;
  /** GET of the item, shared by all who ask at the same time; undefined for 404. */
  read(path: string, how: How): Promise<Seen | undefined>;
  /** Only for owned paths: the owner's kind says where the part is read. Rejects with `NotFound` where there is none. */
  readPart(path: string, part: string, how: How): Promise<void>;
  /**
   * Reads the parts that were never read, all at once, where nobody is made to wait for it. Resolves when they are in or
   * `within` is over: what comes later wakes the owners, and what is not read now is left to the usual rounds. Never rejects.
   */
  readNewParts(path: string, how: How, within: Millis): Promise<void>;
  /** Polls events fast while somebody waits for this remote, for at most `limit` from now. */
  expect(path: string, limit: Millis): void;
  /** Jobs that are scheduled or started, and those that failed within the last hour, newest first. */
  jobs(path: string): readonly Job[];
  /** Last change by somebody else, from the events. */
  actor(path: string): { readonly user: string; readonly action: string; readonly at: string } | undefined;
  /** A finished delete event names this remote. */
  deletedByEvent(path: string): boolean;
  /** Who made this remote, where the event that says so was seen. */
  creator(path: string): string | undefined;
}

export interface Identity {
  /** The account's own id (`euuid`); part of every identity. */
  readonly account: string;
  readonly user: string;
  readonly restricted: boolean;
  /** `['*']` or the token's scopes. */
  readonly scopes: readonly string[];
}
/**
 * One per (account id, user), shared by all kinds and all account objects that lead to it (design 5.3). Tokens of one user
 * with different scopes share its rate windows only, so that nobody acts with the scopes of another's token.
 */
export interface Connection {
  readonly identity: Identity;
  readonly mirror: Mirror;
  /** Waits for the budget. Rejects with `Unauthorized`, `Unavailable` or `Throttled` (only while a 429 holds) when the account is known to be so. */
  permit(call: Call, how: How): Promise<Permit>;
  /** Whole collection, shared by all who accept one that was requested at or after `notBefore` (monotonic). */
  list(path: string, how: How & { readonly notBefore: Millis }): Promise<Listing>;
  /** The id of an image or a kernel in neutral words, also where it was written with the service's own prefix. */
  neutral(id: string): string;
  /** All that the service offers under this path (`/regions`), at most an hour old; undefined or empty where that is not known whole. */
  catalogue(path: string): readonly Row[] | undefined;
  /** What is wrong with the account as a whole now, for its own conditions; undefined when nothing. */
  trouble(): { readonly reason: 'Throttled' | 'Unreachable' | 'Unauthorized' | 'AccountMismatch'; readonly message: string } | undefined;
  /** Who the token is by reads requested at or after `notBefore` (monotonic), shared by all who ask; the identity may have changed. */
  confirm(notBefore: Millis): Promise<Identity>;
  /** The service's clock: last `Date` plus monotonic time since. */
  apiNow(): Millis;
  /** What the account's status shows: `eventCursor`, `eventsRefused`, `missingScopes`, `rateLimits`, `resources`, `driftBoundSeconds`. Changes rarely. */
  report(): Row;
}
/** Makes connections. `open` verifies the token (GET /account, GET /profile) and rejects with {@link CloudError}. */
export interface Connector {
  /** Names that the administrator configured (`--endpoint`). */
  readonly endpoints: readonly string[];
  open(options: OpenOptions, signal: AbortSignal): Promise<ConnectionLease>;
}
export interface OpenOptions {
  readonly endpoint: string;
  readonly token: Sensitive;
  /** Milliseconds between event polls when nothing is awaited; default 10 s. */
  readonly pollInterval?: Millis;
  /** Percent of each rate window that this operator may use; default 80, the rest stays for other users of the token. */
  readonly share?: number;
  /** Event id to resume from, out of the account's status (`eventCursor` of the report); ignored when the connection exists already. */
  readonly cursor?: number;
  /** Woken when something about this owner's remote may have changed. */
  readonly wake: (kind: string, key: Key) => void;
  /** Woken when the connection's own state (trouble, report) changed. */
  readonly changed: () => void;
}
export interface ConnectionLease {
  readonly connection: Connection;
  /** The account refuses this lease's own token, while those who share the connection have another: it must be opened anew. */
  isRefused(): boolean;
  /**
   * Takes a rotated token without losing snapshots; rejects with fault `Rejected` when it leads to another account or user.
   * False: its scopes are others, and somebody shares the connection, so that it must be opened anew with it.
   */
  rotate(token: Sensitive, signal: AbortSignal): Promise<boolean>;
  /** What the account's spec asks for by now. */
  tune(wishes: Pick<OpenOptions, 'pollInterval' | 'share'>): void;
  /** The last one to close ends polling and sockets. */
  close(): void;
}
