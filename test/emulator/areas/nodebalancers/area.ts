import type { Area } from '../../contract/area.ts';
import type { Context } from '../../contract/context.ts';
import { operation } from '../../contract/operation.ts';
import { notFound } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { instances } from '../../records/instances.ts';
import type { NodeBalancerConfig } from '../../records/nodebalancers.ts';
import { nodeBalancerConfigs, nodeBalancerNodes, nodeBalancers } from '../../records/nodebalancers.ts';
import { balancersOf } from './members.ts';

const base = '/nodebalancers';
const one = `${base}/{nodebalancerId}`;
const config = `${one}/configs/{balancerConfigId}`;
const scopes = ['nodebalancers:read_only'];
const read = { method: 'GET', scopes, grant: [{ on: 'nodebalancer', param: 'nodebalancerId', need: 'read_only' }] } as const;

function ownConfig(ctx: Context<unknown>): NodeBalancerConfig {
  const row = ctx.load(nodeBalancerConfigs, 'balancerConfigId');
  if (row.nodebalancer_id !== ctx.load(nodeBalancers, 'nodebalancerId').id) throw notFound();
  return row;
}

/** With how many of its nodes are up, and how many are not. */
function shown(world: World, row: NodeBalancerConfig): object {
  const states = world
    .store(nodeBalancerNodes)
    .by('config_id', row.id)
    .map(({ status }) => status);
  const up = states.filter((status) => status === 'UP').length;
  return { ...row, nodes_status: { up, down: states.length - up } };
}

/** Read only: no product here makes them, but users have them. */
export const nodeBalancersArea: Area = {
  name: 'nodebalancers',
  operations: [
    operation({
      method: 'GET',
      path: base,
      scopes,
      filterable: ['label', 'region', 'ipv4', 'tags'],
      handler: (ctx) => ctx.page(nodeBalancers),
    }),
    operation({ ...read, path: one, handler: (ctx) => ctx.load(nodeBalancers, 'nodebalancerId') }),
    operation({
      ...read,
      path: `${one}/configs`,
      filterable: [],
      handler: (ctx) => {
        const { id } = ctx.load(nodeBalancers, 'nodebalancerId');
        return ctx.page(nodeBalancerConfigs, { from: { nodebalancer_id: id }, view: (row) => shown(ctx, row) });
      },
    }),
    operation({ ...read, path: config, handler: (ctx) => shown(ctx, ownConfig(ctx)) }),
    operation({
      ...read,
      path: `${config}/nodes`,
      filterable: [],
      handler: (ctx) => ctx.page(nodeBalancerNodes, { from: { config_id: ownConfig(ctx).id } }),
    }),
    operation({
      ...read,
      path: `${config}/nodes/{balancerNodeId}`,
      handler: (ctx) => {
        const row = ctx.load(nodeBalancerNodes, 'balancerNodeId');
        if (row.config_id !== ownConfig(ctx).id) throw notFound();
        return row;
      },
    }),
    operation({
      method: 'GET',
      path: '/vm/instances/{vmId}/nodebalancers',
      scopes: ['vms:read_only'],
      grant: [{ on: 'vm', param: 'vmId', need: 'read_only' }],
      filterable: ['label', 'region', 'ipv4', 'tags'],
      handler: (ctx) => {
        const own = balancersOf(ctx, ctx.load(instances, 'vmId').id);
        return ctx.page(nodeBalancers, { where: ({ id }) => own.has(id) });
      },
    }),
  ],
};
