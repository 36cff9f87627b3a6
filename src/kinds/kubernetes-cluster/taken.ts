import { wordOrQuoted } from '../../lib/quoted.ts';
import { bearsKey, type Leaving, path, type Taken, unknownOwner } from '../../resource/index.ts';
import { fits, isMark, isNamed, markedName, type Pool, type PoolWish, seenMarks } from './pool.ts';

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
    const name = markedName(pool.tags, provenKeys(owner.marks)) ?? (known !== undefined && isNamed(pool, known) ? known : undefined);
    const isOurs = owner.marks?.mayTag === true && takenBy(owner, pool) !== undefined;
    return name === undefined || named.includes(name) || !isOurs ? [] : [[name, pool] as const];
  });
  return new Map(found);
}

/** Who only plans has no key, and takes each mark for one of this object: that is too little to tell whose it was. */
const provenKeys = (marks: Owner['marks']): readonly string[] => keysOf(marks).filter((key) => key !== unknownOwner);
/** Its own, and those of who had the cluster before. */
export const keysOf = (marks: Owner['marks']): readonly string[] => [...(marks?.keys ?? []), ...(marks?.former ?? [])];

/** Its tags without the mark of this object for the member. */
export const withoutMark = ({ marks }: Owner, name: string, pool: Pool): readonly string[] =>
  (pool.tags ?? []).filter((tag) => !isMark(tag) || !(bearsKey(tag, provenKeys(marks)) || isNamed({ tags: [tag] }, name)));

/** A pool that the spec names, and another object has. */
export const contested = (owner: Owner, name: string, pool: Pool): string =>
  `pool ${pool.id} is that of nodePools[${name}], and of ${String(takenBy(owner, pool))}, which has it or waits to adopt it. To hand it over take ${name} out of spec.nodePools: it stays. To keep it here delete that object; what it adopted stays too. Until then nothing of it is changed, and no other one is made`;

/** What bears the mark of this member and is nobody else's, but not such as the spec asks for: why no other one is made beside it. */
export function madeBefore(owner: Owner, member: PoolWish & { readonly name: string }, pools: readonly Pool[]): string | undefined {
  const { name, type, disks } = member;
  const isIt = (pool: Pool): boolean => markedName(pool.tags, keysOf(owner.marks)) === name && !fits(member, pool);
  const pool = pools.find((one) => isIt(one) && takenBy(owner, one) === undefined);
  if (pool === undefined) return undefined;
  const is = wordsOf(
    pool.type,
    pool.disks?.map((disk) => ({ sizeMB: disk.size, type: disk.type })),
  );
  const mark = (pool.tags ?? []).filter(isMark).map(wordOrQuoted).join(' ');
  return `pool ${pool.id} bears the mark of nodePools[${name}], and is of ${is}, where the spec asks for ${wordsOf(type, disks)}: an object of this name, or of the one before, made it. Its nodes run and are paid for, so no other one is made beside it. To keep it delete this object, with lifecycle.onDelete: Retain, and apply it with the type and disks of that pool. To have the new one take the tag ${mark} off pool ${pool.id}; it stays, in status.otherPools, until somebody deletes it in the account`;
}
const wordsOf = (type: string, disks: PoolWish['disks'] = []): string =>
  [`type ${type}`, ...disks.map((disk) => `a disk of ${disk.sizeMB} MB (${disk.type})`)].join(' with ');

/** Its mark was made for another object, and nobody can tell of which name, or it is of this one under a key that was lost. */
export function strange(name: string, pools: readonly Pool[], give: (pool: Pool) => string): string {
  const [bear, it] = pools.length === 1 ? ['bears the mark', 'it is'] : ['bear the marks', 'one of them is'];
  const seen = pools.flatMap(({ tags }) => seenMarks({ tags })).map(({ tag }) => wordOrQuoted(tag));
  return `${pools.length === 1 ? 'pool' : 'pools'} ${pools.map(({ id }) => id).join(' and ')} ${bear} ${seen.join(' and ')}, and may be that of nodePools[${name}]. Whose that was is not known: of an object of another name that is gone, of another namespace or installation, or of a key that was lost. If ${it} that of nodePools[${name}], and nothing else manages it any more, give it the mark of this object: ${pools.map(give).join(', or ')}. If not, give it any other tag that begins with pool= in place of its own. Where the key was lost spec.recover of the CloudAccount does it, if there is one such pool. Until then none is made`;
}

/**
 * Marked with this object's key for this member, or else with that of one that had the cluster before, and such as it is asked for: a
 * mark that was copied to another kind of pool says nothing.
 */
export function marked({ marks }: Owner, member: PoolWish & { readonly name: string }, pools: readonly Pool[]): readonly Pool[] {
  const bearing = (keys: readonly string[] = []): readonly Pool[] =>
    pools.filter((pool) => markedName(pool.tags, keys) === member.name && fits(member, pool));
  const own = bearing(marks?.keys);
  return own.length > 0 ? own : bearing(marks?.former);
}
