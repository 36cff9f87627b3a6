import { shellWord } from '../../lib/shell-word.ts';
import type { Call as ApiCall } from '../../resource/index.ts';
import { type Flags, text } from '../flag.ts';

/** What this line was told about where the account is, the next one must be told, too; of the cluster every line is. */
export const whereabouts = (flags: Flags): string =>
  Object.entries(named)
    .flatMap(([name, flag]) => (text(flags, name)?.split('\n') ?? []).map((given) => ` ${flag} ${shellWord(given)}`))
    .join('');
/** An account without a namespace is of that of the line. */
const named = {
  namespace: '-n',
  account: '--account',
  endpoint: '--endpoint',
  expectAccount: '--expect-account',
  tokenFile: '--token-file',
} as const;

/** The line that has a person send this. */
export const apiLine = ({ method, path, body }: ApiCall, flags: Flags): string =>
  `kubectl cloud api ${method} ${shellWord(path)} --write${body === undefined ? '' : ` --data ${shellWord(JSON.stringify(body))}`}${whereabouts(flags)}`;
