import type { Context } from '../../contract/context.ts';
import { boolean } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { Refusal, refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Cluster } from '../../records/clusters.ts';
import { clusters } from '../../records/clusters.ts';
import { certificateAuthority } from '../shared/certificate-authority.ts';
import { adminToken, serverPath } from './server.ts';

/** That it answers 503 again for a while is assumed. */
const regenerateSeconds = 10;

function requireReady(ctx: Context<unknown>, from: number, what: string): void {
  const wait = Math.ceil((from - ctx.clock.now()) / 1000);
  if (wait <= 0) return;
  const reason = `${what} not yet available. Please try again later.`;
  throw new Refusal(503, [{ reason }], { 'retry-after': String(wait) });
}

/** The first leads to the emulator, the others are such as the service shows. */
function endpoints({ origin }: World, { host, region, id }: Cluster): readonly { readonly endpoint: string }[] {
  const names = [`${host}.${region}-1.linodelke.net`, `198.51.100.${id % 256}`];
  const shown = names.flatMap((name) => [443, 6443].map((port) => `https://${name}:${port}`));
  return [`${origin}${serverPath}/${host}`, ...shown].map((endpoint) => ({ endpoint }));
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

function kubeconfig(world: World, cluster: Cluster): string {
  const name = `lke${cluster.id}`;
  const authority = base64(certificateAuthority(`${cluster.host} ca`));
  return `apiVersion: v1
kind: Config
preferences: {}
clusters:
- cluster:
    certificate-authority-data: ${authority}
    server: ${endpoints(world, cluster)[0]?.endpoint ?? ''}
  name: ${name}
users:
- name: ${name}-admin
  user:
    as-user-extra: {}
    token: ${adminToken(cluster)}
contexts:
- context:
    cluster: ${name}
    namespace: default
    user: ${name}-admin
  name: ${name}-ctx
current-context: ${name}-ctx
`;
}

function renewKubeconfig(world: World, cluster: Cluster): void {
  const change = { token: world.rng.hex(32), kubeconfigFrom: world.timeIn(regenerateSeconds) };
  world.store(clusters).update(cluster, change);
}

const base = '/lke/clusters/{clusterId}';
const read = { method: 'GET', scopes: ['lke:read_only'] } as const;
const write = { scopes: ['lke:read_write'] } as const;

export const accessOperations = [
  operation({
    ...read,
    path: `${base}/api-endpoints`,
    filterable: [],
    handler: (ctx) => {
      const cluster = ctx.load(clusters, 'clusterId');
      requireReady(ctx, cluster.endpointsFrom, 'Cluster API Endpoints are');
      return ctx.pageOf(endpoints(ctx, cluster));
    },
  }),
  operation({
    ...read,
    path: `${base}/dashboard`,
    handler: (ctx) => {
      const { host, region } = ctx.load(clusters, 'clusterId');
      return { url: `https://${host}.dashboard.${region}-1.linodelke.net` };
    },
  }),
  operation({
    ...write,
    method: 'GET',
    path: `${base}/kubeconfig`,
    handler: (ctx) => {
      const cluster = ctx.load(clusters, 'clusterId');
      requireReady(ctx, cluster.kubeconfigFrom, 'Cluster kubeconfig is');
      return { kubeconfig: base64(kubeconfig(ctx, cluster)) };
    },
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/kubeconfig`,
    handler: (ctx) => renewKubeconfig(ctx, ctx.load(clusters, 'clusterId')),
  }),
  operation({
    ...write,
    method: 'DELETE',
    path: `${base}/servicetoken`,
    // Nothing that the API shows holds it.
    handler: (ctx) => void ctx.load(clusters, 'clusterId'),
  }),
  operation({
    ...write,
    method: 'POST',
    path: `${base}/regenerate`,
    body: { kubeconfig: boolean(), servicetoken: boolean() },
    handler: (ctx) => {
      const cluster = ctx.load(clusters, 'clusterId');
      // The text is assumed.
      if (ctx.body.kubeconfig !== true && ctx.body.servicetoken !== true) throw refusal(400, 'kubeconfig is required', 'kubeconfig');
      if (ctx.body.kubeconfig === true) renewKubeconfig(ctx, cluster);
    },
  }),
];
