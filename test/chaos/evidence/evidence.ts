import type { LedgerObject } from '../../emulator/core/ledger.ts';
import type { Passage } from '../stage/wire.ts';
import type { Claim } from '../oracles/sampler.ts';
import type { Picture } from './picture.ts';

/** What a run of a scenario leaves to be judged. */
export interface Evidence {
  /** The operation ended within its limit. */
  readonly done: boolean;
  /** Everything that ever lived in the account. */
  readonly lives: readonly LedgerObject[];
  /** Actions of the account's events. */
  readonly told: readonly string[];
  /** Account's objects that were there when the operation began. */
  readonly before: ReadonlySet<LedgerObject>;
  /** Births by collection since the operation began, until it was over. */
  readonly births: ReadonlyMap<string, number>;
  /** Remotes at rest of which what was told once is in no Secret. */
  readonly untold: readonly string[];
  /** What Secrets of the object held although the operator had ended it. */
  readonly voided: readonly string[];
  readonly passages: readonly Passage[];
  /** Operators that stood still until another could lead, and when they went on. */
  readonly resumed: readonly { readonly by: string; readonly at: number }[];
  /** Monotonic: the operation began, was done, the quiet time ended. */
  readonly beganAt: number;
  readonly doneAt: number;
  readonly quietEndedAt: number;
  readonly atRest: Picture;
  /** After the object was deleted in the end; absent where the operation was that. */
  readonly afterwards: Picture | undefined;
  readonly removed: boolean;
  /** Virtual time at which the object was let go. */
  readonly releasedAt: number | undefined;
  readonly status: string;
  readonly stillReady: boolean;
  readonly sampled: readonly string[];
  /** What the account held whenever the object came to say that it is Ready. */
  readonly claims: readonly Claim[];
  readonly generation: number | undefined;
  readonly panics: readonly string[];
  /** What operators still knew in the end of objects that were gone. */
  readonly remembered: readonly string[];
  /** What operators said that they would change in the account, for the audit log: `POST /volumes`. */
  readonly audited: readonly string[];
  /** Everything written where people may read it: logs, objects, Events. */
  readonly published: string;
}
