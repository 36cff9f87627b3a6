import type { Resource } from '../../engine/ports/kubernetes.ts';
import { shownName } from '../cluster/naming.ts';
import { CliError } from '../exit.ts';

/** The endpoint of an account, which the line must say where it is. */
export function namedEndpoint(account: Resource, endpoints: readonly string[]): string {
  const name = String(account.spec['endpoint']);
  if (endpoints.includes(name)) return name;
  const known = endpoints.join(', ');
  throw new CliError(
    2,
    `${shownName(account)} is at endpoint ${name}, and --endpoint says where ${known} is: add --endpoint ${name}=https://HOST/v4`,
  );
}
