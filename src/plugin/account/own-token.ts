import { Sensitive } from '../../resource/index.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';

/** The caller's, by file or by CLOUD_TOKEN; undefined: those of the accounts. */
export async function ownToken({ session, flags }: Call): Promise<Sensitive | undefined> {
  const file = text(flags, 'tokenFile');
  if (file === undefined) return session.host.token === undefined ? undefined : new Sensitive(session.host.token);
  const [read] = await session.host.readFiles(file, false);
  const token = read?.text.trim() ?? '';
  if (token === '') throw new CliError(2, `--token-file ${file} holds no token`);
  return new Sensitive(token);
}
