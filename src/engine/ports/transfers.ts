import type { Millis } from '../../lib/clock.ts';
import type { Sensitive } from '../../resource/index.ts';

/** Bytes to be brought from one address to another. Neither address is ever told to anybody. */
export interface TransferJob {
  readonly from: Sensitive;
  readonly to: Sensitive;
  /** The remote for which they are, and what is asked for, so that another wish is known for one. */
  readonly about: { readonly path: string; readonly wish: string };
  readonly contentType: string;
  readonly maxBytes: number;
  readonly format: { readonly name: string; readonly begins: readonly number[] };
  /** Asked before each piece is sent and every second besides; a text ends it. */
  gate(): string | undefined;
  /** Called right before the first byte goes to where they are brought. */
  sending(): void;
  /** Called once, when it is over. */
  ended(end: TransferEnd): void;
  /** Told when there is something new to show: at most once in 30 s or for 10 %, and at the end. */
  changed(): void;
}

/**
 * `stopped`: by its gate, or because the process ends. `cut`: it passes. `refused`: only another source helps. `closed`: the
 * address takes nothing, because all of it was sent there before, or its time is over.
 */
export type TransferEnd =
  | { readonly is: 'done' | 'closed' }
  | { readonly is: 'stopped' | 'refused'; readonly message: string }
  /** `retryAfter`: so long, and longer than its own wait, nothing shall be sent there. */
  | { readonly is: 'cut'; readonly message: string; readonly retryAfter?: Millis };

export interface TransferState {
  readonly about: TransferJob['about'];
  /** As shown, which is rarely. */
  readonly percent: number;
  /** Of all; undefined before the source has told. */
  readonly bytes?: number;
  readonly end?: TransferEnd;
  /** Monotonic, when it ended. */
  readonly endedAt?: number;
  /** How often it was cut in a row. */
  readonly cuts: number;
}

/** Whose something is brought, and how it is called when its place has come. */
export interface Uploader {
  readonly namespace: string;
  readonly come: () => void;
}
/** What is before one that waits: so many of its namespace have a place, of so many in all. */
export interface InLine {
  readonly own: number;
  readonly atOnce: number;
}

/** Streams that run beside reconciles, at most one for each object, by its uid. */
export interface Transfers {
  /** Why nothing is read from there, in words that do not say where; undefined: it may be read. */
  refusal(from: Sensitive): string | undefined;
  /** Asked before one begins; undefined: it has its place, else it is in line for one. */
  place(uid: string, who: Uploader): InLine | undefined;
  /** Begins anew, unless one runs. */
  begin(uid: string, job: TransferJob): void;
  of(uid: string): TransferState | undefined;
  /** Ends the one of this object, and forgets it. */
  forget(uid: string): void;
  /** Uids of which something is known. */
  known(): Iterable<string>;
  /** Ends all of them. */
  stop(): void;
}
