import type * as z from 'zod';
import { type Acted, type Action, del, type Given, minutes, path as pathOf, post, type Wrong } from '../../resource/index.ts';
import { type Member, otherPools, type Owner, poolsShown } from './members.ts';
import { isScaled, isWhole, nodeIds, type Pool } from './pool.ts';
import type { Endpoints } from './row.ts';

interface Row {
  readonly pools?: readonly Pool[] | undefined;
  readonly endpoints?: z.output<typeof Endpoints> | undefined;
}
type OfCluster = Action<Row, Owner>;

const nodesOf = (pools: readonly Pool[] = []): readonly string[] => pools.flatMap(nodeIds);
const wholeAgain = ({ pools }: Row): 'done' | undefined => (pools?.every(isWhole) === true ? 'done' : undefined);

const poolOf = ({ pools }: Row, { nodeId }: Given): Pool | undefined => pools?.find(({ nodes }) => nodes.some(({ id }) => id === nodeId));
const nodePath = (path: string, { nodeId }: Given): string => `${path}${pathOf`/nodes/${String(nodeId)}`}`;
const noSuchNode = ({ name, remote, inner }: Acted<Row, Owner>, given: Given): Wrong | undefined =>
  inner === undefined || poolOf(remote, given) === undefined
    ? { field: 'nodeId', says: `${name} has no node ${String(given['nodeId'])}: those that it has are ${shortly(nodesOf(remote.pools))}` }
    : undefined;
const shortly = (ids: readonly string[]): string =>
  `${ids.slice(0, 20).join(', ')}${ids.length > 20 ? ` and ${ids.length - 20} more` : ''}`;
const thatNode = (remote: Row, given: Given): readonly string[] => (poolOf(remote, given) === undefined ? [] : [String(given['nodeId'])]);
const onDisks = (what: string): string => `${what}: what runs there is stopped, and what is on their disks is lost`;

const cutOff =
  'the kubeconfig that was given out ends to work, in all Secrets and for everybody: whoever has it is cut off until he has the new one';
const newToken = ({ path }: Acted<Row, Owner>): string =>
  `the service token of ${path} ends to work: parts of its control plane and the drivers of its volumes are started again, and without high availability its API may be away for a while`;
const answersAgain = ({ endpoints }: Row): 'done' | undefined => ((endpoints ?? []).length > 0 ? 'done' : undefined);

function wishFor(want: Owner, { pools = [] }: Row, { id }: Pool): Member | undefined {
  const own = poolsShown(want, pools).find((one) => one.id === id);
  return want.nodePools?.find(({ name }) => name === own?.name);
}

/** A node goes for good only where nothing makes another in its place. */
function madeAnew({ remote, want }: Acted<Row, Owner>, given: Given): string | Wrong | undefined {
  const pool = poolOf(remote, given);
  const wish = pool && wishFor(want, remote, pool);
  if (pool === undefined || wish === undefined)
    return {
      field: 'nodeId',
      says: `node ${String(given['nodeId'])} is in a pool that is not of this object, whose own count says how many nodes it has: lower that instead`,
    };
  const scaled = isScaled(pool, wish);
  const least = scaled ? (wish.autoscaler?.min ?? pool.autoscaler.min) : wish.count;
  const field = `spec.nodePools[${wish.name}].${scaled ? 'autoscaler.min' : 'count'}`;
  return pool.count > least ? undefined : `would make another node in its place, as ${field} is ${least}; lower that first`;
}

/** What can be done to a cluster once. Of none of it events tell. */
export const actions = {
  RecycleCluster: {
    says: 'Replaces all nodes of the cluster by new ones, pool by pool, with the version of its control plane.',
    effect: 'Rebuild',
    parts: ['pools'],
    call: ({ path }) => post(`${path}/recycle`),
    jobs: [],
    rests: wholeAgain,
    replaces: ({ pools }) => nodesOf(pools),
    within: minutes(240),
    loses: ({ path, remote: { pools = [] }, want }) => {
      const others = otherPools(want, pools).map(({ id }) => id);
      return [
        onDisks(`all ${nodesOf(pools).length} nodes of ${path} are replaced by new ones, one after the other`),
        ...(others.length === 0 ? [] : [`also those of pools that are not of this object: ${others.join(', ')}`]),
      ];
    },
  },
  RecycleNode: {
    says: 'Replaces the node `nodeId` of the cluster by a new one.',
    effect: 'Rebuild',
    parts: ['pools'],
    inner: nodePath,
    call: ({ path }, given) => post(`${nodePath(path, given)}/recycle`),
    jobs: [],
    rests: wholeAgain,
    replaces: thatNode,
    within: minutes(60),
    against: noSuchNode,
    loses: ({ remote }, given) => [
      onDisks(`node ${String(given['nodeId'])} of pool ${poolOf(remote, given)?.id ?? ''} is replaced by a new one`),
    ],
  },
  DeleteNode: {
    says: 'Deletes the node `nodeId` of the cluster, where the pool has one more than its count asks for.',
    effect: 'Rebuild',
    parts: ['pools'],
    inner: nodePath,
    call: ({ path }, given) => del(nodePath(path, given)),
    jobs: [],
    rests: () => 'done',
    replaces: thatNode,
    within: minutes(30),
    against: (acted, given) => noSuchNode(acted, given) ?? madeAnew(acted, given),
    loses: ({ remote }, given) => [onDisks(`node ${String(given['nodeId'])} of pool ${poolOf(remote, given)?.id ?? ''} is deleted`)],
  },
  ResetKubeconfig: {
    says: 'Gives the cluster a new kubeconfig, which the Secret of its object has as soon as it is there. Whoever has the old one is cut off.',
    effect: 'Reboot',
    call: ({ path }) => del(`${path}/kubeconfig`),
    jobs: [],
    renews: () => 'kubeconfig',
    within: minutes(60),
    loses: () => [cutOff],
  },
  ResetServiceToken: {
    says: 'Gives the control plane of the cluster a new token for the account, and starts what uses it again.',
    effect: 'Reboot',
    parts: ['endpoints'],
    call: ({ path }) => del(`${path}/servicetoken`),
    jobs: [],
    rests: answersAgain,
    within: minutes(60),
    loses: (acted) => [newToken(acted)],
  },
  RegenerateClusterAccess: {
    says: 'Renews with one call what `kubeconfig` and `serviceToken` name.',
    effect: 'Reboot',
    parts: ['endpoints'],
    call: ({ path }, { kubeconfig, serviceToken }) =>
      post(`${path}/regenerate`, { kubeconfig: kubeconfig === true, servicetoken: serviceToken === true }),
    jobs: [],
    rests: answersAgain,
    renews: ({ kubeconfig }) => (kubeconfig === true ? 'kubeconfig' : undefined),
    within: minutes(60),
    against: (_, { kubeconfig, serviceToken }) =>
      kubeconfig === true || serviceToken === true
        ? undefined
        : { field: 'kubeconfig', says: 'nothing is renewed: set kubeconfig or serviceToken to true' },
    loses: (acted, { kubeconfig, serviceToken }) => [
      ...(kubeconfig === true ? [cutOff] : []),
      ...(serviceToken === true ? [newToken(acted)] : []),
    ],
  },
} satisfies Readonly<Record<string, OfCluster>>;
