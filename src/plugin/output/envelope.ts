import type { AccountAsked } from '../account/accounts-asked.ts';
import type { Exit } from '../exit.ts';
import type { Kind } from './shapes.ts';
import type { Session } from '../session.ts';
import { type Flags, text } from '../command-line/flag.ts';

interface Content {
  readonly kind: Kind;
  readonly exit: Exit;
  readonly data: unknown;
}

/** One, as nearly every line asks; the list only where there are several. */
const shownOf = (all: readonly AccountAsked[]): object => (all.length > 1 ? { accounts: all } : { account: all[0] });

/** `-o json`: one object; `-o jsonl`: the same on one line; `-o yaml`: the same as YAML. */
export async function envelope(session: Session, { kind, exit, data }: Content, flags: Flags): Promise<string> {
  const cluster = await session.clusterShown();
  const whole = {
    apiVersion: 'cli.cloudhosting.dev/v1',
    kind,
    exitCode: exit,
    ...(cluster && { cluster }),
    ...shownOf(session.accounts.all),
    warnings: session.warnings,
    data,
  };
  const form = text(flags, 'output');
  if (form === 'yaml') return (await import('./yaml.ts')).yamlOf(whole);
  return `${JSON.stringify(whole, undefined, form === 'jsonl' ? 0 : 2)}\n`;
}
