import type { Effect } from '../../resource/index.ts';
import type { Fault } from './cloud-call.ts';
import type { Key } from './kubernetes.ts';

/** What a call does to the account, as a plan shows it or as it is plain to see. */
export type ChangeEffect = Effect | 'Create' | 'Delete';
/** `edit`: the object asks for it. `drift`: somebody else's change is set back. `duplicate`: one too many goes. `rotation`: what is given out is renewed. */
export type ChangeCause = 'edit' | 'drift' | 'duplicate' | 'rotation';

/** One call that changes an account: for whom, why, and with whose leave. Never what it says. */
export interface AccountChange {
  readonly kind: string;
  readonly key: Key;
  readonly uid: string;
  readonly generation: number;
  /** The account's own id. */
  readonly account: string;
  readonly method: string;
  /** Neutral, with ids. */
  readonly path: string;
  readonly effect: ChangeEffect;
  readonly cause: ChangeCause;
  /** Field manager that last wrote the spec, as it calls itself. */
  readonly askedBy?: string;
  /** Where a person was asked first. */
  readonly approved?: { readonly at: string; readonly hash: string; readonly by?: string; readonly reason?: string };
}

/** Told of changes; synchronous, must not throw. */
export interface ChangeMonitor {
  /** In the same tick as the socket write: whoever is killed afterwards has said so. */
  changing(change: AccountChange): void;
  /** What came of it. `Unknown`: no answer came, and it may have been done. */
  changed(change: AccountChange, outcome: 'Accepted' | Fault): void;
  /** A difference that somebody else made is seen, so many milliseconds after it was made. */
  driftSeen(kind: string, after: number): void;
}
