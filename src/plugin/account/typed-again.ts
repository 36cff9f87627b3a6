import { shellWord } from '../../lib/shell-word.ts';
import type { Call as ApiCall } from '../../resource/index.ts';
import { type Flags, text } from '../command-line/flag.ts';

/** The flags by which this line found the account, for a line that it tells for typing. Those of the cluster are added to every line (as-typed.ts). */
export const whereabouts = (flags: Flags): string =>
  Object.entries(named)
    .flatMap(([name, flag]) => (text(flags, name)?.split('\n') ?? []).map((given) => ` ${flag} ${shellWord(given)}`))
    .join('');
/** `-n` too: `--account NAME` is looked for in the namespace of the line. */
const named = {
  namespace: '-n',
  account: '--account',
  endpoint: '--endpoint',
  expectAccount: '--expect-account',
  tokenFile: '--token-file',
} as const;

/** The line that has a person send this; without a cluster (`--no-cluster`) there is none, and the request itself is told. */
export function apiLine({ method, path, body }: ApiCall, flags: Flags): string {
  const json = body === undefined ? undefined : JSON.stringify(body);
  if (flags['cluster'] === false) return [method, path, json].filter((word) => word !== undefined).join(' ');
  return `kubectl cloud api ${method} ${shellWord(path)} --write${json === undefined ? '' : ` --data ${shellWord(json)}`}${whereabouts(flags)}`;
}
