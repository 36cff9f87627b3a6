import { type Body, type Call, del, type Effect, type Leaving, path, post, put, type Row } from '../../resource/index.ts';
import { contested, givenUp, keysOf, madeBefore, marked, strange, takenBy, withoutMark } from './taken.ts';
import {
  fits,
  hasScaler,
  isMarked,
  isNamed,
  isScaled,
  markedName,
  markOf,
  mostNodes,
  type Pool,
  poolBody,
  type PoolWish,
  readyNodes,
  retag,
  userTags,
} from './pool.ts';

export interface Member extends PoolWish {
  readonly name: string;
}
/** What tells which pools of a cluster are an object's own. */
export interface Owner extends Leaving {
  readonly nodePools?: readonly Member[] | undefined;
}
interface Cluster {
  readonly id: number;
  readonly pools?: readonly Pool[] | undefined;
}
type Read = Cluster & { readonly pools: readonly Pool[] };

interface Remembered {
  readonly name: string;
  readonly id: number;
  readonly count: number;
  readonly ready: number;
}
const remembered = ({ recalled }: Owner): readonly Remembered[] => (recalled?.['nodePools'] ?? []) as readonly Remembered[];
/** The ids that status remembers, by name. */
const known = (owner: Owner): ReadonlyMap<string, number> => new Map(remembered(owner).map(({ name, id }) => [name, id]));
/** The pools that are this object's own, by member; what another object took is none of them. */
export const ownPools = (owner: Owner, pools: readonly Pool[]): ReadonlyMap<string, Pool> =>
  new Map([...assigned(owner, pools)].filter(([, pool]) => takenBy(owner, pool) === undefined));

/** Those of them that another object took, by the member of the spec. */
const contestedPools = (owner: Owner, pools: readonly Pool[]): ReadonlyMap<string, Pool> =>
  new Map([...assigned(owner, pools)].filter(([name, pool]) => takenBy(owner, pool) !== undefined && isWished(owner, name)));
const isWished = ({ nodePools = [] }: Owner, member: string): boolean => nodePools.some(({ name }) => name === member);

/**
 * The pools of this object, whoever took them, by member: those that status remembers, unless they bear the mark of something else;
 * those that bear the mark, if that is one; and while there are exactly the pools that were asked for, those that bear none,
 * because the create did not keep it. While the account recovers also those that bear its mark under a key that was lost. Every
 * other pool is somebody else's, whatever it bears.
 */
function assigned(owner: Owner, pools: readonly Pool[]): ReadonlyMap<string, Pool> {
  const ids = known(owner);
  const own = new Map<string, Pool>();
  for (const [name, id] of ids) {
    const pool = pools.find((one) => one.id === id);
    if (pool !== undefined && isStillOwn(owner, name, pool)) own.set(name, pool);
  }
  const missing = wished(owner, pools).filter(({ name }) => !own.has(name));
  for (const member of missing) {
    const [pool, ...more] = bearing(owner, member, pools);
    if (pool !== undefined && more.length === 0) own.set(member.name, pool);
  }
  const unknown = missing.filter(({ name }) => !own.has(name) && !ids.has(name));
  return new Map([...own, ...unmarked(owner, unknown, pools, own)]);
}

/** What the spec asks for or, of a cluster that goes before status knew of its pools, what they say of themselves. */
function wished(owner: Owner, pools: readonly Pool[]): readonly Member[] {
  if (owner.nodePools !== undefined || known(owner).size > 0) return owner.nodePools ?? [];
  const names = pools.map(({ tags }) => markedName(tags, owner.marks?.keys));
  return pools.flatMap(({ type, count }, at) => {
    const name = names[at];
    return name === undefined || names.indexOf(name) !== names.lastIndexOf(name) ? [] : [{ name, type, count }];
  });
}

/** Of one that status remembers also a mark under a key that was lost. */
const isStillOwn = (owner: Owner, name: string, pool: Pool): boolean =>
  !isMarked(pool) || markedName(pool.tags, owner.marks?.keys) === name || isNamed(pool, name);

function bearing(owner: Owner, member: Member, pools: readonly Pool[]): readonly Pool[] {
  const proven = marked(owner, member, pools);
  return proven.length > 0 || owner.marks?.recovers !== true ? proven : pools.filter((pool) => isEstranged(owner, member, pool));
}

/** Made for this member under a key that is not known, while status remembers no pools, as in a cluster that was rebuilt, or adopted. */
const isEstranged = (owner: Owner, member: Member, pool: Pool): boolean =>
  known(owner).size === 0 && isNamed(pool, member.name) && markedName(pool.tags, keysOf(owner.marks)) === undefined && fits(member, pool);

function unmarked(
  owner: Owner,
  members: readonly Member[],
  pools: readonly Pool[],
  own: ReadonlyMap<string, Pool>,
): ReadonlyMap<string, Pool> {
  const asked = owner.nodePools ?? [];
  // Before status knows any, what another object took may be one of those that were asked for.
  const here = known(owner).size === 0 ? pools : pools.filter((pool) => takenBy(owner, pool) === undefined);
  const byAge = here.toSorted((a, b) => a.id - b.id);
  // Who may not tag has one pool here, the first that the cluster had.
  const shown = owner.marks?.mayTag === false ? byAge.slice(0, 1) : byAge;
  if (members.length === 0 || shown.length !== asked.length) return new Map();
  const free = shown.filter((pool) => !isMarked(pool) && ![...own.values()].includes(pool));
  const found = new Map<string, Pool>();
  for (const member of members) {
    const at = free.findIndex((pool) => fits(member, pool) && (owner.marks?.mayTag === false || pool.count === member.count));
    const [pool] = at < 0 ? [] : free.splice(at, 1);
    if (pool === undefined) return new Map();
    found.set(member.name, pool);
  }
  return found;
}

/** Why it cannot be told which pools are this object's; undefined where it can. */
export function ambiguity(owner: Owner, { id: cluster, pools }: Cluster): string | undefined {
  if (pools === undefined) return undefined;
  const [taken] = contestedPools(owner, pools);
  if (taken !== undefined) return contested(owner, ...taken);
  const own = ownPools(owner, pools);
  const newest = Math.max(0, ...known(owner).values(), ...[...own.values()].map(({ id }) => id));
  const missing = (owner.nodePools ?? []).filter(({ name }) => !own.has(name));
  return missing.map((member) => doubt(owner, member, { id: cluster, pools }, newest)).find((text) => text !== undefined);
}

/** Why it cannot be told which pool is that of a member that none is known of. `newest`: of those that are its own. */
function doubt(owner: Owner, member: Member, { id, pools }: Read, newest: number): string | undefined {
  const { name } = member;
  const give = (pool: Pool): string => retag(id, pool, [markOf(name, owner.marks?.keys[0] ?? '')]);
  const proven = marked(owner, member, pools);
  if (proven.length > 1)
    return `pools ${proven.map(({ id }) => id).join(' and ')} both bear the mark of nodePools[${name}]. Take that tag off the one that was not made for it`;
  const estranged = pools.filter((pool) => isEstranged(owner, member, pool));
  if (estranged.length > 0) return strange(name, estranged, give);
  const other = madeBefore(owner, member, pools);
  if (other !== undefined) return other;
  const isStray = (pool: Pool): boolean =>
    !isMarked(pool) && takenBy(owner, pool) === undefined && pool.id > newest && fits(member, pool) && pool.count === member.count;
  const stray = newest === 0 ? undefined : pools.find(isStray);
  if (stray === undefined) return undefined;
  return `pool ${stray.id} may be the one that nodePools[${name}] asked for, and bears no mark. If it is, give it that: ${give(stray)}. Else give it any other tag that begins with pool=`;
}

/** Which of its pools lacks nodes, in words; while they are not read, as they were. */
export function lackingNodes(owner: Owner, pools: readonly Pool[] | undefined): string | undefined {
  const own = pools === undefined ? remembered(owner) : poolsShown(owner, pools);
  const lacking = own.filter(({ count, ready }) => ready < count);
  const texts = lacking.map(({ name, count, ready }) => `of nodePools[${name}] ${ready} of ${count} nodes are ready`);
  return texts.length === 0 ? undefined : texts.join(', ');
}
/** As status shows them, with what the spec names still: forgotten, another one would be made. */
export const poolsShown = (owner: Owner, pools: readonly Pool[]): Remembered[] =>
  [...ownPools(owner, pools), ...contestedPools(owner, pools)].map(([name, pool]) => ({
    name,
    id: pool.id,
    count: pool.count,
    ready: readyNodes(pool),
  }));

/** Pools that are not this object's. */
export const otherPools = (owner: Owner, pools: readonly Pool[]): readonly Pool[] => {
  const own = [...ownPools(owner, pools).values()];
  return pools.filter((pool) => !own.includes(pool));
};

const markFor = ({ marks }: Owner, name: string): readonly string[] =>
  marks?.mayTag === true && marks.keys[0] !== undefined ? [markOf(name, marks.keys[0])] : [];
const sameSet = (a: readonly string[], b: readonly string[] = []): boolean =>
  a.length === new Set(b).size && a.every((one) => b.includes(one));

const needsNoMark = ({ marks }: Owner, name: string, pool: Pool): boolean =>
  marks?.mayTag !== true ||
  marks.looksOnly === true ||
  markedName(pool.tags, marks.keys) === name ||
  (marks.recovers === true && isNamed(pool, name));

/** In the words of the spec. `nodes`: how many there are, also where the spec does not say how many there shall be. */
function seen(owner: Owner, name: string, pool: Pool): Row {
  const wish = owner.nodePools?.find((one) => one.name === name);
  const tags = userTags(pool);
  return {
    name: needsNoMark(owner, name, pool) ? name : `pool ${pool.id} without the mark of ${name}`,
    type: pool.type,
    count: wish !== undefined && isScaled(pool, wish) ? wish.count : pool.count,
    nodes: pool.count,
    autoscaler: pool.autoscaler,
    disks: (pool.disks ?? []).map((disk) => ({ sizeMB: disk.size, type: disk.type })),
    tags: sameSet(tags, wish?.tags) ? (wish?.tags ?? []) : tags,
  };
}

const leftPools = (owner: Owner, pools: readonly Pool[]): ReadonlyMap<string, Pool> =>
  givenUp(owner, pools, {
    named: (owner.nodePools ?? []).map(({ name }) => name),
    names: new Map(remembered(owner).map(({ name, id }) => [id, name])),
  });
/** Of one that is not removed. */
const handedOver = (owner: Owner, pool: Pool) => ({ handedOver: `pool ${pool.id} stays, as that of ${String(takenBy(owner, pool))}` });

/** Undefined while the pools are not read, or where it cannot be told whose they are. */
export function readMembers({ id, pools }: Cluster, owner: Owner): Readonly<Record<string, Row>> | undefined {
  if (pools === undefined || ambiguity(owner, { id, pools }) !== undefined) return undefined;
  const given = [...leftPools(owner, pools)].map(([name, pool]) => [name, { name, ...handedOver(owner, pool) }] as const);
  return Object.fromEntries([...[...ownPools(owner, pools)].map(([name, pool]) => [name, seen(owner, name, pool)] as const), ...given]);
}

export function memberCall(name: string, member: Member | undefined, { id, pools = [] }: Cluster, owner: Owner): Call | undefined {
  const own = ownPools(owner, pools);
  const pool = own.get(name);
  const below = path`/lke/clusters/${id}/pools`;
  const left = leftPools(owner, pools).get(name);
  if (left !== undefined) return put(`${below}/${left.id}`, { tags: [...withoutMark(owner, name, left)] });
  if (pool === undefined) return member && post(below, poolBody(member, markFor(owner, name)));
  const at = `${below}/${pool.id}`;
  if (member !== undefined) return put(at, changes(pool, member, markFor(owner, name)));
  // What runs on its nodes must have somewhere to go.
  const others = [...own.values()].filter((one) => one !== pool);
  return others.some((one) => readyNodes(one) > 0) ? del(at) : undefined;
}

/** Only what differs: nodes that were added by hand meanwhile, or that are more than the autoscaler lets it have, are not its business. */
function changes(pool: Pool, wish: Member, marks: readonly string[]): Body {
  const { autoscaler, tags } = wish;
  const kept = marks.length > 0 ? marks : (pool.tags ?? []).filter((tag) => !userTags(pool).includes(tag));
  return {
    ...(!isScaled(pool, wish) && wish.count !== pool.count && { count: wish.count }),
    ...(autoscaler && !hasScaler(pool, autoscaler) && { autoscaler: { ...autoscaler } }),
    ...((tags !== undefined || marks.length > 0) && { tags: [...(tags ?? userTags(pool)), ...kept] }),
  };
}

/** Fewer nodes, and what is on their disks is gone. */
export function memberEffect(member: Member | undefined, have: Row | undefined): Effect {
  if (member === undefined) return have !== undefined && 'handedOver' in have ? 'InPlace' : 'Rebuild';
  if (have === undefined) return 'InPlace';
  // As the account shows it, or as a spec had it.
  const { count = 0, nodes = count, autoscaler } = have as Partial<Member> & { readonly nodes?: number };
  const [before = nodes, after] = [mostNodes(autoscaler), mostNodes({ ...autoscaler, ...member.autoscaler })];
  // It may have more nodes than its autoscaler lets it have: that is nothing that this change does.
  const isFewer = after === undefined ? member.count < nodes : after < Math.min(nodes, before);
  return isFewer ? 'Rebuild' : 'InPlace';
}
