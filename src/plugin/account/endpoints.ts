import { endpoints, type Endpoint } from '../../flag-values.ts';
import { CliError } from '../exit.ts';

const example = '--endpoint main=https://api.example.com/v4,word=vm';

/** Where accounts are, as the caller names it: no object may say to whom a token is sent. In clear only to this machine. */
export function endpointsIn(text: string | undefined): readonly Endpoint[] {
  if (text === undefined)
    throw new CliError(2, `where the account is must be said, as the operator's own flag says it (helm get values, endpoints): ${example}`);
  const all = endpoints(text);
  if (all === undefined || all.length === 0) throw new CliError(2, `--endpoint ${text} cannot be read: write for example ${example}`);
  const open = all.find(({ url }) => isOpen(new URL(url)));
  if (open !== undefined) throw new CliError(2, `--endpoint ${open.name}: ${open.url} would send the token in clear. Use https`);
  return all;
}

const isOpen = ({ protocol, hostname }: URL): boolean =>
  protocol !== 'https:' && hostname !== 'localhost' && hostname !== '[::1]' && !/^127\.\d+\.\d+\.\d+$/.test(hostname);
