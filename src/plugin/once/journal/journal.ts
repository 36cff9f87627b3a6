import type { Random } from '../../../lib/random.ts';
import { base32 } from '../../../lib/base32.ts';

/**
 * `Intended`: about to be sent. `Answered`, `Refused`: the service said so. `Unknown`: sent, and no answer came.
 * `Withdrawn`: not sent after all. `Resolved`: a person looked.
 */
export type State = 'Intended' | 'Answered' | 'Refused' | 'Unknown' | 'Withdrawn' | 'Resolved';

/** Where the account shows whether a change came about. */
export interface Look {
  readonly path: string;
  /** Field of a row that tells when it came to be; absent: one record, or rows without a time, which are shown whole. */
  readonly since?: string;
  readonly columns: readonly string[];
}

/** Who is at it, as others can look for it. */
export interface Process {
  readonly host: string;
  readonly pid: number;
  /** Where numbers of processes mean the same, on one machine: containers have their own. */
  readonly space?: string | undefined;
}

/** One line of the journal. It never holds a secret. */
export interface Entry {
  /** The same in all lines about one change. */
  readonly nonce: string;
  /** When it was intended, ISO, in all lines about it. */
  readonly at: string;
  /** Id of the account. */
  readonly account: string;
  readonly verb: string;
  /** `pay 20.00 USD` */
  readonly what: string;
  readonly state: State;
  readonly look: Look;
  /** Absent: of an earlier release. */
  readonly by?: Process | undefined;
  /** When it last said that it is still at it, ISO. */
  readonly seen?: string | undefined;
}

/** What this person did in accounts, on this machine: lines that are only added. */
export interface Journal {
  /** For the person who looks for it. */
  readonly where: string;
  /** Who writes into it. */
  readonly me: Process;
  /** Whether it still runs; undefined: that cannot be seen from here. */
  runs(process: Process): boolean | undefined;
  /** Oldest first. */
  read(): Promise<readonly Entry[]>;
  /** On the disk when it resolves, and behind whatever another process added before. */
  add(entry: Entry): Promise<void>;
}

/** The last line about each change, in the order in which they were intended; a sign of life opens nothing that is over. */
function latest(entries: readonly Entry[]): readonly Entry[] {
  const all = new Map<string, Entry>();
  for (const entry of entries) if (!isSign(entry) || (all.get(entry.nonce) ?? entry).state === 'Intended') all.set(entry.nonce, entry);
  return [...all.values()];
}
const isSign = ({ state, at, seen = at }: Entry): boolean => state === 'Intended' && seen !== at;

/** Of these nobody knows whether they came about: those of other processes that are at it just now, too. */
export const openIn = (entries: readonly Entry[], account: string): readonly Entry[] =>
  latest(entries).filter((one) => one.account === account && (one.state === 'Intended' || one.state === 'Unknown'));

/** What came about of the same, the newest last. */
export const answeredIn = (entries: readonly Entry[], { account, what }: Pick<Entry, 'account' | 'what'>): readonly Entry[] =>
  latest(entries).filter((one) => one.account === account && one.what === what && one.state === 'Answered');

/** `pay 20.00 USD, begun at 2026-01-01T00:00:00.000Z by process 4711 on laptop` */
export const begunText = ({ what, at, by }: Entry): string =>
  `${what}, begun at ${at}${by === undefined ? '' : ` by process ${by.pid} on ${by.host}`}`;

export const newNonce = (random: Random): string => base32(Uint8Array.from({ length: 5 }, () => Math.floor(random() * 256)));
