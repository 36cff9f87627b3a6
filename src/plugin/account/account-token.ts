import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shellWord } from '../../lib/shell-word.ts';
import type { Sensitive } from '../../resource/index.ts';
import { shownName } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';
import { dataSource } from '../plan/bases/surroundings.ts';
import type { Session } from '../session.ts';
import { valueInto, variable } from '../why/causes/data/secret-value.ts';

const ownInstead = 'Or put a token of your own into CLOUD_TOKEN, or name its file with --token-file';

/** The token that a CloudAccount names. */
export async function accountToken(session: Session, account: Resource): Promise<Sensitive> {
  const { name, key } = account.spec['tokenSecretRef'] as { readonly name: string; readonly key: string };
  const { namespace } = account.metadata;
  const data = await dataSource(session, [account]);
  const secret = await data.token({ namespace, name }, session.host.signal);
  const token = secret?.data[key];
  if (token !== undefined) return token;
  const without = `so ${shownName(account)} has no token`;
  const read = `read -rs ${variable(key)}`;
  if (secret === undefined)
    throw new CliError(4, [
      `Secret ${namespace}/${name} does not exist, ${without}. To make it, type this, and then the token, which is not shown:`,
      `  ${read} && kubectl -n ${shellWord(namespace)} create secret generic ${shellWord(name)} --from-literal=${shellWord(key)}="$${variable(key)}"`,
      ownInstead,
    ]);
  const others = Object.keys(secret.data).toSorted();
  const has = others.length === 0 ? 'it is empty' : `it has ${others.join(', ')}`;
  throw new CliError(4, [
    `Secret ${namespace}/${name} has no key ${key} (${has}), ${without}. Correct spec.tokenSecretRef.key of that CloudAccount, or put the token in: type this, and then the token, which is not shown:`,
    `  ${read} && ${valueInto({ namespace, name, key })}`,
    ownInstead,
  ]);
}
