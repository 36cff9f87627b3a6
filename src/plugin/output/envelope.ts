import type { Exit } from '../exit.ts';
import type { Kind } from './shapes.ts';
import type { Session } from '../session.ts';
import { type Flags, text } from '../flag.ts';

interface Content {
  readonly kind: Kind;
  readonly exit: Exit;
  readonly data: unknown;
}

/** `-o json`: one object; `-o jsonl`: the same on one line. */
export async function envelope(session: Session, { kind, exit, data }: Content, flags: Flags): Promise<string> {
  const cluster = await session.clusterShown();
  const whole = {
    apiVersion: 'cli.cloudhosting.dev/v1',
    kind,
    exitCode: exit,
    ...(cluster && { cluster }),
    warnings: session.warnings,
    data,
  };
  return `${JSON.stringify(whole, undefined, text(flags, 'output') === 'jsonl' ? 0 : 2)}\n`;
}
