import type { Call as ApiCall, Row } from '../../../resource/index.ts';
import type { AccountReader } from '../../account/account-reader.ts';
import type { Answer, Level } from '../../command-line/command.ts';
import type { OnceData } from '../../output/account-shapes.ts';
import type { Look } from './journal.ts';

/** One change of the account that a person asked for, ready to be asked about. */
export interface AccountChange {
  /** In few words, the same for the same wish, without secrets: `pay 20.00 USD`. */
  readonly what: string;
  /** What happens, what it costs, what cannot be undone; shown before anything is asked. */
  readonly facts: readonly string[];
  readonly level: Level;
  /** What must be typed. */
  readonly expected: string;
  readonly call: ApiCall;
  /** How the account tells later whether it came about. */
  readonly look: Look;
  /** The same once more within a quarter of an hour is refused without `--again`. */
  readonly refuseRepeat?: true;
  /** What came of it, in a sentence or some lines; `answer` without secrets. */
  readonly done: (answer: Row, account: AccountReader) => Promise<Done> | Done;
}

type Done = readonly string[] | string | Told;
/** The same with what a program is told besides. */
export interface Told {
  readonly lines: readonly string[];
  readonly data: Pick<OnceData, 'balance'>;
}

/** Reads what must be known, and refuses what the service or the cluster would not bear; or answers what must be done before anything is sent. */
export type Prepare = (account: AccountReader) => Promise<AccountChange | Answer>;
