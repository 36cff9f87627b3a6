import { join } from 'node:path';

interface Environment {
  readonly XDG_STATE_HOME?: string | undefined;
  readonly HOME?: string | undefined;
  readonly USERPROFILE?: string | undefined;
}

/** Of this person, where programs keep such things. */
export function journalPlace(env: Environment): string {
  const home = env.HOME ?? env.USERPROFILE ?? '.';
  return join(env.XDG_STATE_HOME ?? join(home, '.local', 'state'), 'kubectl-cloud', 'journal.jsonl');
}
