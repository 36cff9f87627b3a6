import type { Millis } from '../../lib/clock.ts';
import type { AnyKind, Body, Call, Row, Sensitive } from '../../resource/index.ts';
import type { CallOptions, Permit } from './cloud-call.ts';
import type { Key } from './kubernetes.ts';
import type { RemoteCache } from './remote-cache.ts';

export interface Listing {
  readonly rows: readonly Row[];
  /** No row can have been missed, so that absence means something. */
  readonly complete: boolean;
  /** Monotonic, when its first page was requested. */
  readonly requestedAt: Millis;
}

/** What of a list is asked for: `X-Filter`, in neutral words. */
export interface Filtered {
  readonly filter?: Body;
  /** Path, filter, body and answer are in the service's own words. */
  readonly verbatim?: true;
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
 * One per (account id, user), shared by all kinds and all account objects that lead to it (README: account). Tokens of one user
 * with different scopes share its rate windows only, so that nobody acts with the scopes of another's token.
 */
export interface Connection {
  readonly identity: Identity;
  readonly cache: RemoteCache;
  /** Waits for the budget. Rejects with `Unauthorized`, `Unavailable` or `Throttled` (only while a 429 holds) when the account is known to be so. */
  permit(call: Call & Filtered, how: CallOptions): Promise<Permit>;
  /** Whole collection, shared by all who accept one that was requested at or after `notBefore` (monotonic). */
  list(path: string, how: CallOptions & { readonly notBefore: Millis }): Promise<Listing>;
  /** The id of an image or a kernel in neutral words, also where it was written with the service's own prefix. */
  neutral(id: string): string;
  /** All that the service offers under this path (`/regions`), at most an hour old; undefined or empty where that is not known whole. */
  catalogue(path: string): readonly Row[] | undefined;
  /** Resolves once that was read for the first time, or could not be: who plans without having watched the account waits for it. */
  catalogued(path: string): Promise<void>;
  /** Whether the service has this under `path`, asked by its id: what a list lacks may be younger. What is there joins the list; what is not is not asked for again for a while. */
  offers(path: string, id: string, how: CallOptions): Promise<boolean>;
  /** What is wrong with the account as a whole now, for its own conditions; undefined when nothing. */
  outage(): { readonly reason: 'Throttled' | 'Unreachable' | 'Unauthorized' | 'AccountMismatch'; readonly message: string } | undefined;
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
  /** Name of the account object, as its calls give it: its share holds for them. */
  readonly account: string;
  readonly token: Sensitive;
  /** Milliseconds between event polls when nothing is awaited; default 10 s. */
  readonly pollInterval?: Millis;
  /** Percent of each rate window that this account's calls may use; default 80, the rest stays for other users of the token. */
  readonly share?: number;
  /** Other namespaces than its own may use it: none of them is to use up a window before the others had any of it. */
  readonly ofMany?: boolean;
  /** Event id to resume from, out of the account's status (`eventCursor` of the report); ignored when the connection exists already. */
  readonly cursor?: number;
  /** It is opened for one look at objects of these kinds: of catalogues theirs alone are read, and events once. Absent: for good. */
  readonly look?: readonly AnyKind[] | undefined;
  /** Woken when something about this owner's remote may have changed. */
  readonly wake: (kind: string, key: Key) => void;
  /** Woken when the connection's own state (outage, report) changed. */
  readonly changed: () => void;
}
export interface ConnectionLease {
  readonly connection: Connection;
  /** The account refuses this lease's own token, while those who share the connection have another: it must be opened anew. */
  isRefused(): boolean;
  /**
   * Takes a rotated token without losing what is known; rejects with fault `Rejected` when it leads to another account or user.
   * False: its scopes are others, and somebody shares the connection, so that it must be opened anew with it.
   */
  rotate(token: Sensitive, signal: AbortSignal): Promise<boolean>;
  /** Classes of calls that lately waited for this account's own share, although its connection had some left. */
  shareUsedUp(): { readonly sharePercent: number; readonly classes: readonly string[] } | undefined;
  /** What the account's spec asks for by now. */
  tune(wishes: Pick<OpenOptions, 'pollInterval' | 'share' | 'ofMany'>): void;
  /** The last one to close ends polling and sockets. */
  close(): void;
}
