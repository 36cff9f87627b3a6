import type { DeleteWait, Leaving } from '../../resource/index.ts';
import { otherPools } from './members.ts';
import { isMarked, type Pool } from './pool.ts';
import { takenBy } from './taken.ts';

interface Cluster {
  readonly id: number;
  readonly pools?: readonly Pool[] | undefined;
}

/** Pools of others would go with the cluster. */
export function waits({ id, pools }: Cluster, object: Leaving): DeleteWait | undefined {
  if (pools === undefined) return 'its pools are not read yet';
  const others = otherPools(object, pools);
  if (others.length === 0) return undefined;
  const text = `cluster ${id} has pools that are not of this object and would go with it: ${others.map((pool) => pool.id).join(', ')}. Delete them, or their CloudNodePool objects, first; or set spec.lifecycle.onDelete: Retain to leave the cluster in the account`;
  // Those of other objects are most likely on their way, too.
  return others.every((pool) => isMarked(pool) || takenBy(object, pool) !== undefined) ? text : { personMust: text };
}
