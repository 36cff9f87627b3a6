import { oneLine } from '../lib/one-line.ts';
import { KubeError, type KubeFault } from '../engine/ports/kubernetes.ts';

/** Exit codes, the same for all verbs; the words are those of the reference. */
export const exits = {
  0: 'done; nothing differs; all is well',
  1: 'the answer is "no": something differs, was found, is Stalled, or waits for a person',
  2: 'wrong command, flag or name of a kind',
  3: 'not done: nobody confirmed it, it is another by now, or its state does not allow it',
  4: 'could not be done: there is no such object, the API server cannot be reached, or did not allow it; the text names the right that is missing',
  5: 'outcome unknown: a request was sent and no answer came; the text says how to look',
  6: 'time ran out',
  130: 'interrupted',
} as const;
export type Exit = keyof typeof exits;

/** Why a verb ends without an answer; `message` ends with what to type or to do. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exit: Exit;
  /** The API server did not allow it. */
  readonly isForbidden: boolean;
  /** `message`: one line, or each of its lines; a name in one of them breaks none. */
  constructor(exit: Exit, message: string | readonly string[], isForbidden = false) {
    super((typeof message === 'string' ? [message] : message).map(oneLine).join('\n'));
    this.exit = exit;
    this.isForbidden = isForbidden;
  }
}

const faults: Readonly<Record<KubeFault, Exit>> = {
  Conflict: 4,
  NotFound: 4,
  Invalid: 4,
  Forbidden: 4,
  AlreadyExists: 4,
  Unavailable: 4,
  Unknown: 5,
};

export function exitOf(error: unknown): Exit {
  if (error instanceof CliError) return error.exit;
  return error instanceof KubeError ? faults[error.fault] : 4;
}
