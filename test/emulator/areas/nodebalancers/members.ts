import type { World } from '../../contract/world.ts';
import { addresses } from '../../records/addresses.ts';
import { nodeBalancerNodes } from '../../records/nodebalancers.ts';

/** Ids of the NodeBalancers that send traffic to an address of the instance. */
export function balancersOf(world: World, vmId: number): ReadonlySet<number> {
  const own = new Set(
    world
      .store(addresses)
      .by('vm_id', vmId)
      .map(({ address }) => address),
  );
  const nodes = [...world.store(nodeBalancerNodes).values()].filter(({ address }) => own.has(address.replace(/:\d+$/, '')));
  return new Set(nodes.map(({ nodebalancer_id: id }) => id));
}
