import type { Resource } from '../../engine/ports/kubernetes.ts';
import type { Call } from '../command-line/command.ts';
import { shownName } from '../cluster/naming.ts';
import { nearest } from '../cluster/nearest.ts';
import { isChosen, selected } from '../cluster/select.ts';
import { tellSkew } from '../cluster/skew.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';

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

/** The same, or the account that `--account` names. */
export async function chosenOrAccount(call: Call, verb: string): Promise<readonly Resource[]> {
  const { session, flags } = call;
  const account = text(flags, 'account');
  if (account === undefined) return chosen(call, verb);
  if (isChosen(call)) throw new CliError(2, 'name either objects, or an account with --account');
  const [first = '', second, ...more] = account.split('/');
  if (first === '' || second === '' || more.length > 0)
    throw new CliError(2, `--account ${account}: write NAMESPACE/NAME, or a name alone`);
  const key = second === undefined ? { namespace: await session.namespace(), name: first } : { namespace: first, name: second };
  const reader = await session.reader();
  const found = await reader.get(registry.connection, key);
  if (found !== undefined) return [found];
  const near = (await nearest(reader, registry.connection, key)) ?? '';
  throw new CliError(4, `${shownName({ kind: registry.connection.kind, metadata: key })} is not found${near}`);
}
