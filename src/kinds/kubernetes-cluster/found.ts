import { wordOrQuoted } from '../../lib/quoted.ts';
import { type Hidden, path, put, type Row } from '../../resource/index.ts';
import { isMark, isMarked, type Pool, userTags } from './pool.ts';

interface Cluster {
  readonly id: number;
  readonly pools?: readonly Pool[] | undefined;
}

/** Those that bear no mark, as members: what bears one is some object's already. */
export const foundPools = ({ pools }: Cluster): readonly Row[] | undefined =>
  pools
    ?.filter((pool) => !isMarked(pool))
    .map((pool) => ({
      name: `pool-${pool.id}`,
      type: pool.type,
      count: pool.count,
      ...(pool.autoscaler.enabled && { autoscaler: pool.autoscaler }),
      ...((pool.disks ?? []).length > 0 && { disks: (pool.disks ?? []).map(({ size, type }) => ({ sizeMB: size, type })) }),
      ...(userTags(pool).length > 0 && { tags: userTags(pool) }),
    }));

/** Those that bear one. */
export function hiddenPools({ id, pools = [] }: Cluster): Hidden | undefined {
  const marked = pools.filter(isMarked);
  if (marked.length === 0) return undefined;
  const marks = marked.flatMap(({ tags }) => (tags ?? []).filter(isMark));
  return {
    why: `${marked.length} of its ${pools.length} pools ${marked.length === 1 ? 'bears a tag' : 'bear tags'} by which an object has it, or had it before it let go (${marks.map(wordOrQuoted).join(', ')}). Where nothing manages it any more, take the tag off and export again`,
    calls: marked.map((pool) => put(path`/lke/clusters/${id}/pools/${pool.id}`, { tags: userTags(pool) })),
  };
}
