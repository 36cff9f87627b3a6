import type { Context } from '../../contract/context.ts';
import { array, boolean, integer, nullable, object, oneOf, required, string, tags } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { vmTypes } from '../../records/catalogue.ts';
import type { Pool } from '../../records/clusters.ts';
import { nodes, pools } from '../../records/clusters.ts';
import { tagsFor } from '../shared/tag-rights.ts';
import { fitNodes } from './node-life.ts';

const size = () => integer({ min: 1, max: 100 });

export const autoscalerField = () => nullable(object({ enabled: boolean(), min: size(), max: size() }));

export const poolFields = {
  type: required(string()),
  count: required(size()),
  autoscaler: autoscalerField(),
  disks: nullable(array(object({ size: required(integer({ min: 1 })), type: required(oneOf(['raw', 'ext4'])) }), { max: 7 })),
  tags: tags(),
};

export interface Autoscaler {
  readonly enabled?: boolean;
  readonly min?: number;
  readonly max?: number;
}

export interface PoolBody {
  readonly type: string;
  readonly count: number;
  readonly autoscaler?: Autoscaler | null;
  readonly disks?: Pool['disks'] | null;
  readonly tags?: readonly string[] | null;
}

/** Min and max require each other, and min is not above max; the texts are generic. */
export function autoscalerProblems(scaler: Autoscaler | null | undefined, path: string): readonly ErrorItem[] {
  const { min, max } = scaler ?? {};
  if (min !== undefined && max === undefined) return [{ reason: 'max is required', field: `${path}autoscaler.max` }];
  if (max !== undefined && min === undefined) return [{ reason: 'min is required', field: `${path}autoscaler.min` }];
  return min !== undefined && max !== undefined && min > max ? [{ reason: `Must be 1-${max}`, field: `${path}autoscaler.min` }] : [];
}

/** The type must exist and hold the partitions; the latter text is generic. */
export function poolProblems(world: World, body: PoolBody, path = ''): readonly ErrorItem[] {
  const type = world.store(vmTypes).get(body.type);
  const partitions = (body.disks ?? []).reduce((sum, disk) => sum + disk.size, 0);
  return [
    ...(type === undefined ? [{ reason: 'A valid plan type by that ID was not found', field: `${path}type` }] : []),
    ...(type !== undefined && partitions > type.disk ? [{ reason: `Must be 1-${type.disk}`, field: `${path}disks` }] : []),
    ...autoscalerProblems(body.autoscaler, path),
  ];
}

export function insertPool(ctx: Context<unknown>, clusterId: number, body: PoolBody): Pool {
  const { type, count } = body;
  const { enabled = false, min = count, max = count } = body.autoscaler ?? {};
  const wanted = tagsFor(ctx, body.tags);
  const pool = ctx.store(pools).insert((id) => ({
    id,
    type,
    count,
    autoscaler: { enabled, min, max },
    disks: body.disks ?? [],
    tags: wanted,
    cluster_id: clusterId,
  }));
  fitNodes(ctx, pool);
  return pool;
}

export function shownPool(world: World, pool: Pool): object {
  const { cluster_id: _cluster, ...shown } = pool;
  return {
    ...shown,
    nodes: world
      .store(nodes)
      .by('pool_id', pool.id)
      .map((node) => nodes.view?.(node)),
  };
}
