import * as z from 'zod';
import { wordOrQuoted } from '../lib/quoted.ts';
import {
  defineCollection,
  failed,
  growing,
  type Health,
  type Leaving,
  minutes,
  path,
  post,
  ready,
  ref,
  seconds,
  type Wanted,
} from '../resource/index.ts';
import {
  isMark,
  isMarked,
  isNamed,
  isScaled,
  isWhole,
  markedName,
  markOf,
  nodeIds,
  noMarks,
  Pool,
  poolBody,
  poolFields,
  readyNodes,
  retag,
  seenMarks,
  userTags,
} from './kubernetes-cluster/pool.ts';
import { keysOf } from './kubernetes-cluster/taken.ts';

const spec = z.object({
  clusterRef: ref('CloudKubernetesCluster').describe('Cluster that the pool is in, for example `{name: prod}`. Cannot be changed.'),
  ...poolFields,
});
const status = z.object({
  count: z.int().describe('Number of nodes that it shall have.'),
  ready: z.int().describe('Number of nodes that are ready.'),
  mark: z.string().optional().describe('Tag by which it is known as the pool of this object.'),
  nodes: z
    .array(
      z.object({
        id: z.string().describe('Id of the node.'),
        instanceId: z.int().optional().describe('Id of its instance; absent until there is one.'),
        state: z.string().describe('`ready` or `not_ready`.'),
      }),
    )
    .describe('Its nodes.'),
});
type Want = Wanted<typeof spec, typeof status>;

/** The name of this object, without what tells it from others of the name. */
const nameOf = ({ name }: Pick<Want, 'name'>): string => name.slice(0, -9).slice(0, 36);
const marks = (want: Want): readonly string[] =>
  want.marks?.mayTag === true && want.marks.keys[0] !== undefined ? [markOf(nameOf(want), want.marks.keys[0])] : [];
/**
 * By a key that is known, be it that of who had it before, or as status remembers it, whatever key that was made with: what is found
 * while the account recovers stays this object's when that is over.
 */
const ownMarkOf = ({ tags }: Pick<Pool, 'tags'>, object: Leaving): string | undefined =>
  tags?.find((tag) => isMark(tag) && (markedName([tag], keysOf(object.marks)) !== undefined || tag === object.recalled?.['mark'])) ??
  (object.marks?.recovers === true ? tags?.find((tag) => isNamed({ tags: [tag] }, nameOf(object))) : undefined);
const isOwnMarked = (pool: Pick<Pool, 'tags'>, object: Leaving): boolean => ownMarkOf(pool, object) !== undefined;

/** A pool that bears the mark of something else, most likely of its cluster's object: who adopted it has it no more. `call`: what takes it off. */
const ofAnother = (pool: Pool, object: Leaving, call?: string): string | undefined =>
  isMarked(pool) && !isOwnMarked(pool, object)
    ? `pool ${pool.id} bears the mark ${wordOrQuoted(pool.tags?.find(isMark) ?? '')}. Whose that is is not known: of an object of another name that is gone, of one that has the pool still, of another namespace or installation, or of a key that was lost. Take that tag off, if nothing else manages the pool any more${call === undefined ? '' : `: ${call}`}. Else name another pool`
    : undefined;

export default defineCollection({
  kind: 'CloudNodePool',
  summary: 'A further node pool of a Kubernetes cluster, with a life of its own.',
  shortName: 'cpool',

  spec,
  rules: [noMarks],
  status,
  remote: Pool,

  parent: { ref: 'clusterRef', calls: 1 },
  path: (want) => path`/lke/clusters/${want.clusterRef}/pools`,
  parts: {
    all: { path: (at) => at.slice(0, at.lastIndexOf('/')), paged: true, schema: z.array(Pool.pick({ id: true })), for: 'before' },
  },
  marked: seenMarks,
  recalls: ['mark'],
  // Where the user may not tag only its type tells what a pool is, and a second one of that type is not made.
  key: {
    enforced: 'counted',
    names: true,
    of: (want) => ({ tags: marks(want)[0] ?? want.type }),
    row: ({ tags, type }, want) => ({ tags: want.marks?.mayTag === true ? ownMark(tags, want) : type }),
  },
  tags: 'tags',

  create: (want) => poolBody(want, marks(want)),
  fields: {
    clusterRef: { immutable: true },
    type: { read: (pool) => pool.type, immutable: true },
    count: {
      read: (pool, want) => (isScaled(pool, want) ? (want.count ?? pool.count) : pool.count),
      put: (count) => ({ count }),
      effect: 'Rebuild',
      effectOf: (want, have) => (typeof have === 'number' && want < have ? 'Rebuild' : 'InPlace'),
    },
    autoscaler: {
      read: (pool) => ({ ...pool.autoscaler, nodes: pool.count }),
      put: (autoscaler) => ({ autoscaler: { ...autoscaler } }),
      effect: 'Rebuild',
      effectOf: (want, have) => (want.enabled && fewerThan(want.max, have) ? 'Rebuild' : 'InPlace'),
    },
    disks: { read: (pool) => (pool.disks ?? []).map(({ size, type }) => ({ sizeMB: size, type })), immutable: true },
    tags: {
      read: userTags,
      put: (tags, want, pool) => ({ tags: [...tags, ...(isOwnMarked(pool, want) ? (pool.tags ?? []).filter(isMark) : marks(want))] }),
      as: 'set',
    },
  },
  health: (pool, want): Health => {
    const call = want.awaited?.includes('clusterRef') === true ? undefined : retag(want.clusterRef, pool, []);
    const foreign = ofAnother(pool, want, call);
    if (foreign !== undefined) return failed(foreign);
    const up = readyNodes(pool);
    return up >= pool.count ? ready : growing(`${up} of ${pool.count} nodes are ready`, seconds(15));
  },
  observe: (pool, want) => ({
    mark: ownMarkOf(pool, want),
    count: pool.count,
    ready: readyNodes(pool),
    nodes: pool.nodes.map(({ id, instance_id: instance, status: state }) => ({
      id,
      ...(typeof instance === 'number' && { instanceId: instance }),
      state,
    })),
  }),
  actions: {
    RecycleNodePool: {
      says: 'Replaces all nodes of the pool by new ones, one after the other, with the version of the control plane.',
      effect: 'Rebuild',
      call: ({ path: at }) => post(`${at}/recycle`),
      // No event tells of it.
      jobs: [],
      rests: (pool) => (isWhole(pool) ? 'done' : undefined),
      replaces: nodeIds,
      within: minutes(240),
      against: ({ remote, want }) => {
        const says = ofAnother(remote, want);
        return says === undefined ? undefined : { field: 'target', says };
      },
      loses: ({ remote }) => [
        `all ${nodeIds(remote).length} nodes of pool ${remote.id} are replaced by new ones, one after the other: what runs there is stopped, and what is on their disks is lost`,
      ],
    },
  },
  deletion: {
    part: 'all',
    waits: (pool, object) => {
      const foreign = ofAnother(pool, object);
      if (foreign !== undefined) return { personMust: foreign };
      return pool.all?.length === 1
        ? {
            personMust:
              'it is the last pool of its cluster. Make another one first, delete the cluster, or set spec.lifecycle.onDelete: Retain',
          }
        : undefined;
    },
  },

  sweep: { by: 'list' },
  events: [{ entity: 'lkecluster', actions: ['lke_node', 'lke_pool'], ofParent: true }],
  scopes: { read: ['lke:read_only'], write: ['lke:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  columns: { Type: '.spec.type', Count: '.status.count', NodesReady: '.status.ready' },
});

/** As this object would write it, also where it is of a key that was lost and the account recovers. */
function ownMark(tags: unknown, want: Pick<Want, 'name' | 'marks'>): string | null {
  const { keys = [], recovers } = want.marks ?? {};
  const [key] = keys;
  const isLost = recovers === true && isNamed({ tags: textsOf(tags) }, nameOf(want));
  const name = markedName(tags, keys) ?? (isLost ? nameOf(want) : undefined);
  return name === undefined || key === undefined ? null : markOf(name, key);
}
const textsOf = (tags: unknown): readonly string[] => (Array.isArray(tags) ? tags.map(String) : []);
const fewerThan = (max: number | undefined, have: unknown): boolean =>
  typeof have === 'object' && have !== null && 'nodes' in have && typeof have.nodes === 'number' && max !== undefined && max < have.nodes;
