import type { Millis } from '../../lib/clock.ts';
import type { AnyKind, LastJob, Row } from '../../resource/index.ts';
import type { CallOptions, Reply } from './cloud-call.ts';
import type { Key } from './kubernetes.ts';

/** One remote as last read. Parts that were read are merged in as fields. */
export interface CachedRemote {
  readonly remote: Row;
  /** Monotonic, when the read that gave the row was requested. */
  readonly readAt: Millis;
  readonly source: 'answer' | 'item' | 'sweep';
}
/** Who changed a remote, by which action, and when. */
export interface Actor {
  readonly user: string;
  readonly action: string;
  /** ISO 8601 UTC as the service gives it. */
  readonly at: string;
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

export interface EventsFailing {
  readonly since: Millis;
  readonly why: string;
}

/** Who wants to be woken when a remote changes. */
export interface Owner {
  readonly kind: AnyKind;
  readonly key: Key;
  /** The path that lists it: `/volumes`, and below a parent `/domains/12/records`. */
  readonly collection: string;
  /** Of the parts that are read only where something is compared with them (`ifWanted`), those with which something is. */
  readonly wants?: readonly string[] | undefined;
}

/**
 * What is known of the account's objects without asking: answers of our own calls, reads by id, sweeps and events
 * (README: events, cache). Paths are neutral and without the version (`/volumes/12`).
 */
export interface RemoteCache {
  get(path: string): CachedRemote | undefined;
  /** As the last look showed it, or a listing of this collection of the last minute, whether or not anybody owns it. */
  shown(path: string, collection: string): CachedRemote | undefined;
  /**
   * Monotonic request time of the last sweep of this collection, or undefined before the first. A collection that cannot
   * be listed (no scope, a strange answer) counts as swept, so that its owners read their items and report what they meet.
   */
  sweptAt(collection: string): Millis | undefined;
  /** Registers interest: its collection is swept, its parts are visited, its owner is woken. Idempotent. */
  track(path: string, owner: Owner): void;
  /** Nobody owns it any more; with `leaving` only that one owner. */
  untrack(path: string, leaving?: Pick<Owner, 'kind' | 'key'>): void;
  /** Every owner of something. */
  owners(): Iterable<Owner>;
  /** An object of this kind wants something of the account, whether or not it has anything there yet. */
  uses(kind: AnyKind): void;
  /** Asks for a sweep of the collection soon, because an owner waits for its first one; it is woken then. Nothing for kinds swept `by: 'item'`. */
  requestSweep(owner: Owner): void;
  /** Asks for a sweep of every collection that is swept by time, once for all that has an object. */
  sweepSoon(): void;
  /** Notes the answer of our own call as the newest state; rows requested before it (plus list lag) no longer count. */
  put(path: string, row: Row, reply: Reply): void;
  /** Notes that we changed the remote without learning its new state: what was read before no longer counts. */
  written(path: string, reply: Reply): void;
  invalidate(path: string): void;
  /** Monotonic: when we changed the remote last, or what was known of it was said to count no longer; -Infinity: never. */
  writtenAt(path: string): Millis;
  /** GET of the item, or its row in the listing where the kind says so; shared by all who ask at the same time. Undefined: it is not there. */
  read(path: string, kind: AnyKind, how: CallOptions): Promise<CachedRemote | undefined>;
  /** Only for owned paths: the owner's kind says where the part is read. Rejects with `NotFound` where there is none. */
  readPart(path: string, part: string, how: CallOptions): Promise<void>;
  /**
   * Reads the parts that were never read, all at once, where nobody is made to wait for it. Resolves when they are in or
   * `within` is over: what comes later wakes the owners, and what is not read now is left to the usual rounds. Never rejects.
   */
  readNewParts(path: string, how: CallOptions, within: Millis): Promise<void>;
  /** When this part was last answered, also that it is not there yet; undefined where that no longer counts. Monotonic. */
  partReadAt(path: string, part: string): Millis | undefined;
  /**
   * What a secret part holds, which nothing keeps: null while it is not there yet, undefined where its item has none.
   * Rejects with `Forbidden` without asking where the token lacks the part's scopes.
   */
  readSecretPart(path: string, part: string, how: CallOptions): Promise<unknown>;
  /** What its secret parts hold is another by now: who gives them out is woken, and reads them anew. */
  renewed(path: string): void;
  /** GET of what is below an item and belongs to no object. Nothing is kept; undefined: it is not there. */
  look(path: string, how: CallOptions): Promise<Row | undefined>;
  /** Reads the parts anew that a look at an item under way takes along and that are so old. True when one was read; never rejects. */
  rereadParts(path: string, how: CallOptions, age: Millis): Promise<boolean>;
  /** Polls events fast while somebody waits for this remote, for at most `limit` from now. */
  expect(path: string, limit: Millis): void;
  /** Jobs that are scheduled or started, and those that failed within the last hour, newest first. */
  jobs(path: string): readonly Job[];
  /** Jobs of those actions that kinds have done once (`actions`), whatever became of them, as far as events tell. */
  followed(path: string): readonly Job[];
  /**
   * When the last job of one of these actions that finished on it began, of those that a kind names (`lastJobs`). ISO 8601 UTC
   * as the service gives it, like `madeAt`. `never`: all events since it was made were read. Undefined: not known.
   */
  lastJob(path: string, job: LastJob, madeAt: string | undefined): string | undefined;
  /** Whether a change that `job` names came after the one that began then, be it in the same second. Undefined: events do not tell. */
  isOvertaken(path: string, job: LastJob, at: string): boolean | undefined;
  /** When the last job of one of these actions on it was done, of those after which the service goes on (`goesOn`). By the service's clock. */
  lastEnd(path: string, actions: readonly string[]): Millis | undefined;
  /** Id of what the last job of one of these actions that finished on it named besides, of those that a kind names (`lastNamed`). */
  lastNamed(path: string, actions: readonly string[]): string | undefined;
  /** Last change by somebody else, from the events. */
  actor(path: string): Actor | undefined;
  /** A finished delete event names this remote. */
  deletedByEvent(path: string): boolean;
  /**
   * Who made this remote, as far as events tell: whoever its own event names, else all who made something below its parent at
   * that time (`madeAt`, by the service's clock; null is nobody in particular). Empty where no such event was seen.
   */
  creators(path: string, madeAt: Millis | undefined): readonly (string | null)[];
  /** Action of the event that names this remote as new; undefined where none was seen. */
  birth(path: string): string | undefined;
  /** Monotonic: what events tell of before was read, as far as it is shown. Infinity where they are refused, undefined before the first poll. */
  eventsReadAt(): Millis | undefined;
  /** Every poll of events since then (wall clock) has failed, the first of them so; undefined while they are read. */
  eventsFailing(): EventsFailing | undefined;
}
