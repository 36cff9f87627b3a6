import { bearsKey, type Leaving, path, type Taken } from '../../resource/index.ts';
import { isMark, isNamed, markedName, type Pool } from './pool.ts';

type Owner = Pick<Leaving, 'taken' | 'marks'>;

/** The object that has this pool, or waits to adopt it. The id of a pool is one in the account. */
export const takenBy = ({ taken = [] }: Owner, pool: Pool): Taken['by'] | undefined =>
  taken.find((one) => one.path.endsWith(path`/pools/${pool.id}`))?.by;

/**
 * Pools of others that bear a mark of this object for a member that it names no more, by the name: that mark is in the way of
 * who took it. `named`: members of the spec. `names`: those that status knows, by id, also under a key that was lost.
 */
export function givenUp(
  owner: Owner,
  pools: readonly Pool[],
  { named, names }: { readonly named: readonly string[]; readonly names: ReadonlyMap<number, string> },
): ReadonlyMap<string, Pool> {
  const found = pools.flatMap((pool) => {
    const known = names.get(pool.id);
    const name = markedName(pool.tags, owner.marks?.keys) ?? (known !== undefined && isNamed(pool, known) ? known : undefined);
    const isOurs = owner.marks?.mayTag === true && takenBy(owner, pool) !== undefined;
    return name === undefined || named.includes(name) || !isOurs ? [] : [[name, pool] as const];
  });
  return new Map(found);
}

/** Its tags without the mark of this object for the member. */
export const withoutMark = ({ marks }: Owner, name: string, pool: Pool): readonly string[] =>
  (pool.tags ?? []).filter((tag) => !isMark(tag) || !(bearsKey(tag, marks?.keys ?? []) || isNamed({ tags: [tag] }, name)));

/** A pool that the spec names, and another object has. */
export const contested = (owner: Owner, name: string, pool: Pool): string =>
  `pool ${pool.id} is that of nodePools[${name}], and of ${String(takenBy(owner, pool))}, which has it or waits to adopt it. To hand it over take ${name} out of spec.nodePools: it stays. To keep it here delete that object; what it adopted stays too. Until then nothing of it is changed, and no other one is made`;
