import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Call } from '../command.ts';
import { isChosen, selected } from '../cluster/select.ts';
import { tellSkew } from '../cluster/skew.ts';
import { CliError } from '../exit.ts';

/** The objects of a gesture: something must name them, because nobody means everything by saying nothing. */
export async function chosen(call: Call, verb: string): Promise<readonly Resource[]> {
  const { session } = call;
  if (!isChosen(call)) throw new CliError(2, `${verb} what? Write KIND/NAME, a kind, or -l`);
  const objects = await selected(call);
  await tellSkew(
    session,
    objects.map(({ kind }) => kind),
  );
  return objects;
}
