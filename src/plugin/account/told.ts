import { CloudError, type Fault } from '../../engine/ports/index.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import { quoted } from '../../lib/quoted.ts';
import { shownName } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';

/** What one path does not give, while others answer. */
export class PathRefused extends CliError {}
const ofThePath: ReadonlySet<Fault> = new Set(['Rejected', 'Busy', 'NotFound', 'Forbidden']);

/** Whose token a line asks with. */
export interface Whose {
  /** `your own token`. */
  readonly words: string;
  /** Where another value is put, or another one named. */
  readonly into: string;
}
const flags = 'CLOUD_TOKEN, or name its file with --token-file';
const own: Whose = { words: 'your own token', into: flags };

/** `account`: its token is used; undefined: the caller's own. */
export function tokenOf(account: Resource | undefined): Whose {
  if (account === undefined) return own;
  const { name, key } = account.spec['tokenSecretRef'] as { readonly name: string; readonly key?: string };
  return {
    words: `the token of ${shownName(account)}`,
    into: `Secret ${account.metadata.namespace}/${name}, key ${key ?? 'token'}; or put one of your own into ${flags}`,
  };
}

/** What the service refuses, with what to do: in plain words where it is the token, else in its own. */
export async function told<T>(work: Promise<T>, whose: Whose): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CloudError)) throw error;
    const message = messageOf(error, whose);
    throw error.byApi && ofThePath.has(error.fault) ? new PathRefused(4, message) : new CliError(4, message);
  }
}

export const lacksText = ({ words, into }: Whose, scope: string): string =>
  `${words} lacks scope ${scope}, which this takes. Put one that has it into ${into}.`;

function messageOf(error: CloudError, { words, into }: Whose): string {
  const said = `The service said: ${error.status ?? ''} ${error.reasons.map(({ reason }) => quoted(reason)).join('; ')}`;
  if (error.fault === 'Unauthorized') return `${words} was refused: it is wrong, expired or revoked. Put a valid one into ${into}. ${said}`;
  if (error.fault !== 'Forbidden') return error.message;
  if (error.lacks !== undefined) return `${lacksText({ words, into }, error.lacks)} ${said}`;
  return `${error.message}. Use a token of a user who may, with CLOUD_TOKEN or --token-file`;
}
