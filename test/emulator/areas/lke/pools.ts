import type { Context } from '../../contract/context.ts';
import { integer, tags } from '../../contract/fields.ts';
import { operation } from '../../contract/operation.ts';
import { notFound, refusal } from '../../contract/refusal.ts';
import type { KubernetesNode, Pool } from '../../records/clusters.ts';
import { clusters, nodes, pools } from '../../records/clusters.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { fitNodes, recycle, removeNode, removePool } from './node-life.ts';
import type { Autoscaler } from './pool-rows.ts';
import { autoscalerField, autoscalerProblems, insertPool, poolFields, poolProblems, shownPool } from './pool-rows.ts';

function ownPool(ctx: Context<unknown>): Pool {
  const pool = ctx.load(pools, 'poolId');
  if (pool.cluster_id !== ctx.load(clusters, 'clusterId').id) throw notFound();
  return pool;
}

function ownNode(ctx: Context<unknown>): KubernetesNode {
  const cluster = ctx.load(clusters, 'clusterId');
  const node = ctx.store(nodes).get(ctx.params['nodeId'] ?? '');
  if (node?.cluster_id !== cluster.id) throw notFound();
  return node;
}

interface UpdateBody {
  readonly count?: number;
  readonly autoscaler?: Autoscaler | null;
  readonly tags?: readonly string[] | null;
}

/** Parts left out stay; tags are taken too, though the documents name only count and autoscaler. */
function update(ctx: Context<unknown>, before: Pool, body: UpdateBody): Pool {
  ctx.refuseIfAny(autoscalerProblems(body.autoscaler, ''));
  const after = ctx.store(pools).update(before, {
    count: body.count ?? before.count,
    autoscaler: { ...before.autoscaler, ...body.autoscaler },
    tags: tagsFor(ctx, body.tags, before.tags),
  });
  fitNodes(ctx, after);
  return after;
}

/** The pool shrinks with it. Its last node stays (assumed). */
function deleteNode(ctx: Context<unknown>, node: KubernetesNode): void {
  const pool = ctx.store(pools).get(node.pool_id);
  if (pool === undefined) throw notFound();
  if (pool.count <= 1) throw refusal(400, 'Must be 1-100', 'count');
  removeNode(ctx, node);
  ctx.store(pools).update(pool, { count: pool.count - 1 });
}

const base = '/lke/clusters/{clusterId}';
const read = { method: 'GET', scopes: ['lke:read_only'] } as const;
const write = { scopes: ['lke:read_write'] } as const;

const nodeOperations = [
  operation({
    ...write,
    method: 'GET',
    path: `${base}/nodes/{nodeId}`,
    acceptedScopes: 'lke:read_only',
    handler: (ctx) => ctx.show(nodes, ownNode(ctx)),
  }),
  operation({ ...write, method: 'DELETE', path: `${base}/nodes/{nodeId}`, handler: (ctx) => deleteNode(ctx, ownNode(ctx)) }),
  operation({ ...write, method: 'POST', path: `${base}/nodes/{nodeId}/recycle`, handler: (ctx) => recycle(ctx, [ownNode(ctx)]) }),
];

export const poolOperations = [
  operation({
    ...read,
    path: `${base}/pools`,
    filterable: ['id', 'tags'],
    handler: (ctx) => ctx.page(pools, { from: { cluster_id: ctx.load(clusters, 'clusterId').id }, view: (pool) => shownPool(ctx, pool) }),
  }),
  operation({
    ...write,
    method: 'POST',
    path: `${base}/pools`,
    body: poolFields,
    handler: (ctx) => {
      const cluster = ctx.load(clusters, 'clusterId');
      ctx.refuseIfAny(poolProblems(ctx, ctx.body));
      return shownPool(ctx, insertPool(ctx, cluster.id, ctx.body));
    },
  }),
  operation({ ...read, path: `${base}/pools/{poolId}`, handler: (ctx) => shownPool(ctx, ownPool(ctx)) }),
  operation({
    ...write,
    method: 'PUT',
    path: `${base}/pools/{poolId}`,
    body: { count: integer({ min: 1, max: 100 }), autoscaler: autoscalerField(), tags: tags() },
    handler: (ctx) => shownPool(ctx, update(ctx, ownPool(ctx), ctx.body)),
  }),
  operation({ ...write, method: 'DELETE', path: `${base}/pools/{poolId}`, handler: (ctx) => removePool(ctx, ownPool(ctx)) }),
  operation({
    ...write,
    method: 'POST',
    path: `${base}/pools/{poolId}/recycle`,
    handler: (ctx) => recycle(ctx, ctx.store(nodes).by('pool_id', ownPool(ctx).id)),
  }),
  ...nodeOperations,
];
