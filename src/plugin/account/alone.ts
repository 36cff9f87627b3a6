import type { Key, Resource } from '../../engine/ports/kubernetes.ts';
import type { Endpoint } from '../../flag-values.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';
import { registry } from '../command-line/kinds.ts';

/** The CloudAccount that is to be, for who looks at an account before there is a cluster: `shop/default` at the only endpoint of the line. */
export async function accountAlone({ session, flags }: Call, endpoints: readonly Endpoint[], hasToken: boolean): Promise<Resource> {
  const [endpoint, another] = endpoints;
  if (endpoint === undefined || another !== undefined) throw new CliError(2, '--no-cluster: name one endpoint with --endpoint');
  if (!hasToken) throw new CliError(2, '--no-cluster: put a token of your own into CLOUD_TOKEN, or name its file with --token-file');
  const [first = '', second] = (text(flags, 'account') ?? 'default').split('/');
  const key = second === undefined ? { namespace: await session.namespace(), name: first } : { namespace: first, name: second };
  return accountNamed(key, endpoint.name);
}

/** Of no installation: whatever bears the mark of one is another's. */
export const accountNamed = ({ namespace, name }: Key, endpoint = ''): Resource => ({
  kind: registry.connection.kind,
  metadata: { namespace, name, uid: '', resourceVersion: '', generation: 1, creationTimestamp: '1970-01-01T00:00:00Z' },
  spec: { endpoint, installation: 'none' },
});
