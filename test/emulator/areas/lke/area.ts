import type { Area } from '../../contract/area.ts';
import { reaction } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { array, boolean, object, required, string, tags } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { regions } from '../../records/catalogue.ts';
import type { Cluster } from '../../records/clusters.ts';
import { clusters, clusterServers, kubernetesVersions, nodes, pools } from '../../records/clusters.ts';
import { instances } from '../../records/instances.ts';
import { clusterRef } from '../shared/entity-refs.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { accessOperations } from './access.ts';
import { renewNode, recycle, removePool } from './node-life.ts';
import type { PoolBody } from './pool-rows.ts';
import { insertPool, poolFields, poolProblems } from './pool-rows.ts';
import { poolOperations } from './pools.ts';
import { serverOperation } from './server.ts';

/** Recorded: 15 to 61 s from create to the first kubeconfig. */
const endpointSeconds = 45;
const kubeconfigSeconds = 50;

/** No characters of four bytes (document 3). */
const label = () => string({ min: 1, max: 32, pattern: /^[^\u{10000}-\u{10ffff}]*$/u });

function checkLabel(world: World, wanted: string | undefined, except?: number): void {
  if (wanted === undefined || !world.knobs.clusterLabelsUnique) return;
  if (
    world
      .store(clusters)
      .by('label', wanted)
      .some((row) => row.id !== except)
  )
    throw refusal(400, 'Label must be unique', 'label');
}

interface CreateBody {
  readonly label: string;
  readonly region: string;
  readonly k8s_version: string;
  readonly node_pools: readonly PoolBody[];
  readonly control_plane?: { readonly high_availability?: boolean };
  readonly tags?: readonly string[] | null;
}

function createProblems(world: World, body: CreateBody): readonly ErrorItem[] {
  const found: ErrorItem[] = [];
  if (world.store(regions).get(body.region)?.capabilities.includes('Kubernetes') !== true) {
    found.push({ reason: 'region is not valid', field: 'region' });
  }
  if (world.store(kubernetesVersions).get(body.k8s_version) === undefined) {
    found.push({ reason: 'k8s_version is not valid', field: 'k8s_version' });
  }
  return [...found, ...body.node_pools.flatMap((pool, index) => poolProblems(world, pool, `node_pools[${index}].`))];
}

/** `ready` from the first answer on; only 503s of kubeconfig and endpoints tell. */
function create(ctx: Context<unknown>, body: CreateBody): Cluster {
  ctx.refuseIfAny(createProblems(ctx, body));
  checkLabel(ctx, body.label);
  const now = ctx.timestamp();
  const wanted = tagsFor(ctx, body.tags);
  const cluster = ctx.store(clusters).insert((id) => ({
    id,
    label: body.label,
    region: body.region,
    k8s_version: body.k8s_version,
    control_plane: { high_availability: body.control_plane?.high_availability ?? false },
    tags: wanted,
    status: 'ready',
    created: now,
    updated: now,
    host: ctx.rng.uuid(),
    token: ctx.rng.hex(32),
    endpointsFrom: ctx.timeIn(endpointSeconds),
    kubeconfigFrom: ctx.timeIn(kubeconfigSeconds),
  }));
  ctx.store(clusterServers).insert(() => ({ host: cluster.host, cluster: cluster.id, world: ctx }));
  for (const pool of body.node_pools) insertPool(ctx, cluster.id, pool);
  if (ctx.knobs.clusterEvents) ctx.job({ action: 'lke_cluster_create', entity: clusterRef(cluster), seconds: kubeconfigSeconds });
  return cluster;
}

interface UpdateBody {
  readonly label?: string;
  readonly k8s_version?: string;
  readonly tags?: readonly string[] | null;
  readonly control_plane?: { readonly high_availability?: boolean };
}

const minor = (version: string): number => Number(version.split('.')[1]);

/** To the next minor version only, and never back from high availability; the texts are generic. */
function updateProblems(world: World, before: Cluster, body: UpdateBody): readonly ErrorItem[] {
  const found: ErrorItem[] = [];
  const { k8s_version: version } = body;
  const known = version === undefined || world.store(kubernetesVersions).get(version) !== undefined;
  const step = version === undefined ? 0 : minor(version) - minor(before.k8s_version);
  if (!known || step < 0 || step > 1) found.push({ reason: 'k8s_version is not valid', field: 'k8s_version' });
  if (before.control_plane.high_availability && body.control_plane?.high_availability === false) {
    found.push({ reason: 'high_availability is not valid', field: 'control_plane.high_availability' });
  }
  return found;
}

function update(ctx: Context<unknown>, before: Cluster, body: UpdateBody): Cluster {
  ctx.refuseIfAny(updateProblems(ctx, before, body));
  checkLabel(ctx, body.label, before.id);
  const available = body.control_plane?.high_availability ?? before.control_plane.high_availability;
  const after = ctx.store(clusters).update(before, {
    label: body.label ?? before.label,
    k8s_version: body.k8s_version ?? before.k8s_version,
    tags: tagsFor(ctx, body.tags, before.tags),
    control_plane: { high_availability: available },
    updated: ctx.timestamp(),
  });
  // On an existing cluster all nodes are recreated on a rolling basis (document 3).
  if (available && !before.control_plane.high_availability) recycle(ctx, ctx.store(nodes).by('cluster_id', before.id));
  return after;
}

const read = { method: 'GET', scopes: ['lke:read_only'] } as const;
const write = { scopes: ['lke:read_write'] } as const;
const controlPlane = object({ high_availability: boolean() });

export const lkeArea: Area = {
  name: 'lke',
  operations: [
    operation({
      ...read,
      path: '/lke/clusters',
      filterable: ['label', 'region', 'k8s_version', 'tags'],
      handler: (ctx) => ctx.page(clusters),
    }),
    operation({
      ...write,
      method: 'POST',
      path: '/lke/clusters',
      grant: [{ global: 'add_clusters' }],
      body: {
        label: required(label()),
        region: required(string()),
        k8s_version: required(string()),
        node_pools: required(array(object(poolFields), { min: 1 })),
        control_plane: controlPlane,
        tags: tags(),
      },
      handler: (ctx) => ctx.show(clusters, create(ctx, ctx.body)),
    }),
    operation({ ...read, path: '/lke/clusters/{clusterId}', handler: (ctx) => ctx.show(clusters, ctx.load(clusters, 'clusterId')) }),
    operation({
      ...write,
      method: 'PUT',
      path: '/lke/clusters/{clusterId}',
      body: { label: label(), k8s_version: string(), tags: tags(), control_plane: controlPlane },
      handler: (ctx) => ctx.show(clusters, update(ctx, ctx.load(clusters, 'clusterId'), ctx.body)),
    }),
    operation({
      ...write,
      method: 'DELETE',
      path: '/lke/clusters/{clusterId}',
      handler: (ctx) => {
        const cluster = ctx.load(clusters, 'clusterId');
        for (const pool of ctx.store(pools).by('cluster_id', cluster.id)) removePool(ctx, pool);
        ctx.store(clusters).remove(cluster);
      },
    }),
    operation({
      ...write,
      method: 'POST',
      path: '/lke/clusters/{clusterId}/recycle',
      handler: (ctx) => recycle(ctx, ctx.store(nodes).by('cluster_id', ctx.load(clusters, 'clusterId').id)),
    }),
    ...accessOperations,
    serverOperation,
    ...poolOperations,
    operation({ ...read, path: '/lke/versions', filterable: [], handler: (ctx) => ctx.page(kubernetesVersions) }),
    operation({ ...read, path: '/lke/versions/{version}', handler: (ctx) => ctx.load(kubernetesVersions, 'version') }),
  ],
  reactions: [reaction('remove', instances, renewNode)],
  seedPlatform: (world) => {
    for (const id of ['1.25', '1.24', '1.23']) world.store(kubernetesVersions).insert(() => ({ id }));
  },
};
