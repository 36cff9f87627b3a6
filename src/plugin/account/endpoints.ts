import { endpoints, type Endpoint } from '../../flag-values.ts';
import { kubePath } from '../../kube/http/client.ts';
import type { Call } from '../command-line/command.ts';
import { CliError } from '../exit.ts';
import { text } from '../command-line/flag.ts';

/** The chart and the kustomize base make it, whatever the release is called. */
const configMap = 'cloud-operator-endpoints';
const example = '--endpoint main=https://api.example.com/v4,word=vm';

/**
 * Where accounts are: as the caller names it, else as the ConfigMap says that stands in the operator's namespace.
 * No object of a tenant may say to whom a token is sent. In clear only to this machine.
 */
export async function endpointsOf({ session, flags }: Call): Promise<readonly Endpoint[]> {
  const named = text(flags, 'endpoint');
  if (named !== undefined) return readable(named, '--endpoint');
  if (session.isAlone) throw new CliError(2, `--no-cluster: say where the account is: ${example}`);
  const namespace = text(flags, 'operatorNamespace') ?? 'cloud-operator';
  const path = kubePath('api', 'v1', 'namespaces', namespace, 'configmaps', configMap);
  const found = (await (await session.reader()).optional(path)) as { readonly data?: { readonly endpoints?: string } } | undefined;
  const where = `ConfigMap ${namespace}/${configMap}`;
  if (found?.data?.endpoints === undefined)
    throw new CliError(
      2,
      `where the account is cannot be known: there is no ${where} that you may read. Say it as the operator's own flag --endpoint does (args of its Deployment; with Helm also helm get values, endpoints): ${example}. Or say where the operator runs: --operator-namespace`,
    );
  // The file of an authority is in the operator's pod; a kustomization copies the operator's flag with its name.
  return readable(found.data.endpoints, where).map(({ name, url, word }) => ({ name, url, word }));
}

function readable(words: string, where: string): readonly Endpoint[] {
  const shown = where.startsWith('--') ? `${where} ${words}` : where;
  const all = endpoints(words);
  if (all === undefined || all.length === 0) throw new CliError(2, `${shown} cannot be read: write for example ${example}`);
  const open = all.find(({ url }) => isOpen(new URL(url)));
  if (open !== undefined) throw new CliError(2, `${where}, ${open.name}: ${open.url} would send the token in clear. Use https`);
  return all;
}

const isOpen = ({ protocol, hostname }: URL): boolean =>
  protocol !== 'https:' && hostname !== 'localhost' && hostname !== '[::1]' && !/^127\.\d+\.\d+\.\d+$/.test(hostname);
