import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Call } from '../command.ts';
import { selected } from '../cluster/select.ts';
import { tellSkew } from '../cluster/skew.ts';
import { CliError } from '../exit.ts';
import { on, text } from '../flag.ts';

/** The objects of a gesture: something must name them, because nobody means everything by saying nothing. */
export async function chosen(call: Call, verb: string): Promise<readonly Resource[]> {
  const { args, flags, session } = call;
  if (args.length === 0 && text(flags, 'selector') === undefined && !on(flags, 'allNamespaces'))
    throw new CliError(2, `${verb} what? Write KIND/NAME, a kind, or -l`);
  const objects = await selected(call);
  await tellSkew(
    session,
    objects.map(({ kind }) => kind),
  );
  return objects;
}
