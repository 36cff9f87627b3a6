import { Answer } from '../../contract/answer.ts';
import { operation } from '../../contract/operation.ts';
import type { World } from '../../contract/world.ts';
import type { Cluster, KubernetesNode } from '../../records/clusters.ts';
import { clusters, clusterServers, nodes } from '../../records/clusters.ts';

/** Stands for the hosts of all clusters: below it, `/<host>` is the API server of one, over plain text. */
export const serverPath = '/cluster-servers';

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const nameOf = ({ id }: Pick<Cluster, 'id'>): string => `lke${id}`;

/** What the kubeconfig lets in, until it is made anew. */
export function adminToken(cluster: Cluster): string {
  const claims = ['{"alg":"RS256","kid":""}', `{"sub":"${nameOf(cluster)}-admin"}`].map(base64);
  return [...claims, cluster.token].join('.').replaceAll('=', '');
}

const failed = (code: number, reason: string, message: string): Answer =>
  new Answer(code, { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
const list = (kind: string, items: readonly unknown[]): unknown => ({
  kind: `${kind}List`,
  apiVersion: 'v1',
  metadata: { resourceVersion: '1' },
  items,
});
const metadata = ({ created }: Cluster, name: string) => ({ name, uid: name, resourceVersion: '1', creationTimestamp: `${created}Z` });
const namespace = (cluster: Cluster, name: string) => ({ metadata: metadata(cluster, name), spec: {}, status: { phase: 'Active' } });

function node(cluster: Cluster, { id, status }: KubernetesNode) {
  const conditions = [{ type: 'Ready', status: status === 'ready' ? 'True' : 'False' }];
  return {
    metadata: metadata(cluster, `${nameOf(cluster)}-${id}`),
    spec: {},
    status: { conditions, nodeInfo: { kubeletVersion: `v${cluster.k8s_version}.0` } },
  };
}

const resource = (name: string, kind: string) => ({ name, singularName: kind.toLowerCase(), namespaced: false, kind, verbs: ['list'] });

type Read = (cluster: Cluster, world: World) => unknown;
const ok: Read = () => new Answer(200, 'ok', { 'content-type': 'text/plain' });
const initialNamespaces = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];

function version({ k8s_version: minorVersion }: Cluster): unknown {
  const [major, minor] = minorVersion.split('.');
  return { major, minor, gitVersion: `v${minorVersion}.0`, platform: 'linux/amd64' };
}

/** Enough for a client to find out what is there, and which nodes there are. */
const reads: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['version', version],
  ['healthz', ok],
  ['livez', ok],
  ['readyz', ok],
  ['api', () => ({ kind: 'APIVersions', versions: ['v1'] })],
  ['apis', () => ({ kind: 'APIGroupList', apiVersion: 'v1', groups: [] })],
  [
    'api/v1',
    () => ({ kind: 'APIResourceList', groupVersion: 'v1', resources: [resource('namespaces', 'Namespace'), resource('nodes', 'Node')] }),
  ],
  [
    'api/v1/namespaces',
    (cluster) =>
      list(
        'Namespace',
        initialNamespaces.map((name) => namespace(cluster, name)),
      ),
  ],
  [
    'api/v1/nodes',
    (cluster, world) =>
      list(
        'Node',
        world
          .store(nodes)
          .by('cluster_id', cluster.id)
          .map((row) => node(cluster, row)),
      ),
  ],
]);

function serverAt(anyone: World, host: string): { readonly cluster: Cluster; readonly world: World } | undefined {
  const server = anyone.store(clusterServers).get(host);
  const cluster = server?.world.store(clusters).get(server.cluster);
  return server && cluster && { cluster, world: server.world };
}

export const serverOperation = operation({
  method: 'GET',
  path: `${serverPath}/{host}/{rest*}`,
  outside: true,
  handler: (ctx) => {
    const [host = '', rest = ''] = [ctx.params['host'], ctx.params['rest']];
    const found = serverAt(ctx, host);
    if (found === undefined) return failed(404, 'NotFound', 'no cluster has this address');
    const { cluster, world } = found;
    if (ctx.headers['authorization'] !== `Bearer ${adminToken(cluster)}`) return failed(401, 'Unauthorized', 'Unauthorized');
    return reads.get(rest)?.(cluster, world) ?? failed(404, 'NotFound', 'the server could not find the requested resource');
  },
});
