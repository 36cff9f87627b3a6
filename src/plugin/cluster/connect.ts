import { type Cluster, fromKubeconfig } from '../../kube/http/cluster.ts';
import type { Headers } from '../../kube/http/credentials.ts';
import { KubeClient, type KubeClientOptions } from '../../kube/http/client.ts';
import type { Clock } from '../../lib/clock.ts';
import { CliError } from '../exit.ts';
import type { ClusterChoice, Connected, Told } from '../host.ts';

/** The cluster that kubectl would talk to, with the caller's own rights. */
export async function connect(clock: Clock, choice: ClusterChoice, { version, told }: Program): Promise<Connected> {
  const { kubeconfig, context } = choice;
  const at = { ...(kubeconfig !== undefined && { path: kubeconfig }), ...(context !== undefined && { context }) };
  const cluster = asSomebody(await fromKubeconfig(clock, at).catch(unreadable(kubeconfig)), choice);
  const client = new KubeClient({ cluster, clock, userAgent: `kubectl-cloud/${version}`, ...(told && { onRequest: requestsTo(told) }) });
  return { client, server: cluster.server, ...(cluster.namespace !== undefined && { namespace: cluster.namespace }) };
}

interface Program {
  readonly version: string;
  readonly told: Told | undefined;
}

/** As one line for each. */
export const requestsTo =
  (told: Told): NonNullable<KubeClientOptions['onRequest']> =>
  ({ method, path, code }) =>
    told(`${method} ${path} ${code}`);

const unreadable =
  (path: string | undefined) =>
  (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(4, path !== undefined && why.includes('ENOENT') ? `--kubeconfig ${path}: there is no such file` : why);
  };

/** `--as` and `--as-group`, as kubectl sends them. */
function asSomebody(cluster: Cluster, { as, asGroup }: ClusterChoice): Cluster {
  if (as === undefined && asGroup === undefined) return cluster;
  if (as === undefined) throw new CliError(2, '--as-group needs --as: a group alone is nobody');
  const more = { 'impersonate-user': as, ...(asGroup !== undefined && { 'impersonate-group': asGroup.split('\n') }) };
  const { credentials } = cluster;
  const headers = async (): Promise<Headers> => ({ ...(await credentials.headers()), ...more });
  return { ...cluster, credentials: { headers, refused: () => credentials.refused() } };
}
