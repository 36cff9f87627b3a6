import { group } from '../../generate/names.ts';
import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { AnyKind } from '../../resource/index.ts';
import { type AsTyped, asTyped } from '../command-line/as-typed.ts';
import type { Reader } from '../cluster/reader.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { Session } from '../session.ts';

/** One of the two clusters of a line. */
export interface Side {
  readonly session: Session;
  /** What makes a line to type lead there, from where the whole line was typed. */
  readonly as: AsTyped;
  readonly reader: Reader;
  readonly namespace: string;
}
export interface Sides {
  readonly here: Side;
  readonly there: Side;
}

/** One object, on the side or the sides where it is by now. */
export interface Moving {
  readonly kind: AnyKind;
  readonly name: string;
  readonly here: Resource | undefined;
  readonly there: Resource | undefined;
}

/** Label of what was begun there: which object of the other cluster it takes the place of. Gone once it has. */
export const movedFrom = `${group}/moved-from`;
export const markOf = (there: Resource | undefined): string | undefined => there?.metadata.labels?.[movedFrom];

/** Opens both, gives them to `use`, and closes the other one. */
export async function withSides<T>({ session, flags }: Call, use: (sides: Sides) => Promise<T>): Promise<T> {
  const [context, kubeconfig] = [text(flags, 'toContext'), text(flags, 'toKubeconfig')];
  if (context === undefined && kubeconfig === undefined)
    throw new CliError(2, 'move where? Name the other cluster with --to-context, or its kubeconfig with --to-kubeconfig');
  const other = new Session(session.host, { ...flags, context, ...(kubeconfig !== undefined && { kubeconfig }), namespace: undefined });
  try {
    const namespace = await session.namespace();
    const here = { session, as: (line: string) => line, reader: await session.reader(), namespace };
    const as = asTyped([{ name: 'why', flags: [] }], { ...flags, context, kubeconfig: kubeconfig ?? text(flags, 'kubeconfig') });
    const there = { session: other, as, reader: await other.reader(), namespace: text(flags, 'toNamespace') ?? namespace };
    if ((await session.connected()).server === (await other.connected()).server)
      throw new CliError(2, 'both are the same cluster, where one resource has one object: name another one with --to-context');
    return await use({ here, there });
  } finally {
    await other.close();
  }
}
