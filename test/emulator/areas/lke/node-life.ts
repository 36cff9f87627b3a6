import type { World } from '../../contract/world.ts';
import { vmTypes } from '../../records/catalogue.ts';
import type { KubernetesNode, Pool } from '../../records/clusters.ts';
import { clusters, nodes, pools } from '../../records/clusters.ts';
import { instances } from '../../records/instances.ts';
import { deleteUnseen } from '../instances/delete.ts';
import { insertInstance } from '../instances/new-instance.ts';

/** Seconds until a node has its instance, and until it is ready (plausible; only the order is established). */
const instanceSeconds = 10;
const readySeconds = 80;
/** Between two nodes of a rolling replacement, and until the instances of removed nodes go. */
const rollSeconds = 30;
const disposeSeconds = 15;

/** Nodes are instances without image and tags. */
function giveInstance(world: World, nodeId: string): void {
  const node = world.store(nodes).get(nodeId);
  const pool = node === undefined ? undefined : world.store(pools).get(node.pool_id);
  const cluster = pool === undefined ? undefined : world.store(clusters).get(pool.cluster_id);
  const type = pool === undefined ? undefined : world.store(vmTypes).get(pool.type);
  if (node === undefined || cluster === undefined || type === undefined) return;
  const label = `lke${cluster.id}-${node.id}`;
  const vm = insertInstance(world, { label, region: cluster.region, type, image: null, tags: [] });
  world.store(nodes).update(node, { instance_id: vm.id });
}

function makeReady(world: World, nodeId: string): void {
  const node = world.store(nodes).get(nodeId);
  const vm = typeof node?.instance_id === 'number' ? world.store(instances).get(node.instance_id) : undefined;
  if (node === undefined || vm === undefined) return;
  world.store(instances).update(vm, { status: 'running' });
  world.store(nodes).update(node, { status: 'ready' });
}

export function addNode(world: World, pool: Pool): KubernetesNode {
  const node = world.store(nodes).insert(() => ({
    id: `${pool.id}-${world.rng.hex(12)}`,
    instance_id: null,
    status: 'not_ready',
    pool_id: pool.id,
    cluster_id: pool.cluster_id,
  }));
  world.after(instanceSeconds, (later) => giveInstance(later, node.id));
  world.after(readySeconds, (later) => makeReady(later, node.id));
  return node;
}

/** A node whose instance somebody deleted gets another one (assumed: no source tells). */
export function renewNode(world: World, gone: { readonly id: number }): void {
  for (const node of world.store(nodes).by('instance_id', gone.id)) {
    world.store(nodes).update(node, { instance_id: null, status: 'not_ready' });
    world.after(instanceSeconds, (later) => giveInstance(later, node.id));
    world.after(readySeconds, (later) => makeReady(later, node.id));
  }
}

/** The node goes at once, its instance later. */
export function removeNode(world: World, node: KubernetesNode): void {
  world.store(nodes).remove(node);
  world.after(disposeSeconds, (later) => {
    const vm = node.instance_id === null ? undefined : later.store(instances).get(node.instance_id);
    if (vm !== undefined) deleteUnseen(later, vm);
  });
}

/** As many nodes as the pool counts; the newest go first. */
export function fitNodes(world: World, pool: Pool): void {
  const present = world.store(nodes).by('pool_id', pool.id);
  for (let index = present.length; index < pool.count; index += 1) addNode(world, pool);
  for (const surplus of present.slice(pool.count)) removeNode(world, surplus);
}

function replace(world: World, nodeId: string): void {
  const node = world.store(nodes).get(nodeId);
  const pool = node === undefined ? undefined : world.store(pools).get(node.pool_id);
  if (node === undefined || pool === undefined) return;
  removeNode(world, node);
  addNode(world, pool);
}

/** One node after the other is replaced. */
export function recycle(world: World, old: readonly KubernetesNode[]): void {
  old.forEach((node, index) => world.after(1 + index * rollSeconds, (later) => replace(later, node.id)));
}

export function removePool(world: World, pool: Pool): void {
  for (const node of world.store(nodes).by('pool_id', pool.id)) removeNode(world, node);
  world.store(pools).remove(pool);
}
