import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { addresses, ipv6Ranges } from '../../records/addresses.ts';
import { configs } from '../../records/configs.ts';
import { firewallDevices } from '../../records/firewalls.ts';
import { managedServices } from '../../records/managed.ts';
import { transfers } from '../../records/transfers.ts';
import { volumes } from '../../records/volumes.ts';
import { balancersOf } from '../nodebalancers/members.ts';

function inTransfer(world: World, vmId: number, own: string | undefined): boolean {
  return [...world.store(transfers).values()].some(
    (transfer) => transfer.token !== own && ['pending', 'accepted'].includes(transfer.status) && transfer.entities.vms.includes(vmId),
  );
}

function sharesAddresses(world: World, vmId: number): boolean {
  return [...world.store(addresses).values()].some(
    (row) => row.sharedWith.includes(vmId) || (row.vm_id === vmId && row.sharedWith.length > 0),
  );
}

function isMonitored(world: World, vmId: number): boolean {
  const own = world.store(addresses).by('vm_id', vmId);
  return [...world.store(managedServices).values()].some((service) => own.some((row) => service.address.includes(row.address)));
}

/** What keeps an instance from changing accounts; the texts are assumed. */
function obstacles(world: World, vmId: number, own: string | undefined): readonly string[] {
  const found = [
    [inTransfer(world, vmId, own), 'is part of another transfer'],
    [balancersOf(world, vmId).size > 0, 'is on a NodeBalancer'],
    [world.store(firewallDevices).count('vm_id', vmId) > 0, 'is assigned to a firewall'],
    [
      world
        .store(configs)
        .by('vm_id', vmId)
        .some((config) => config.interfaces.some((one) => one.purpose === 'vlan')),
      'is in a VLAN',
    ],
    [isMonitored(world, vmId), 'is monitored by a managed service'],
    [world.store(volumes).count('vm_id', vmId) > 0, 'has volumes'],
    [sharesAddresses(world, vmId), 'shares addresses'],
    [world.store(ipv6Ranges).count('vm_id', vmId) > 0, 'has IPv6 ranges'],
  ] as const;
  return found.filter(([holds]) => holds).map(([, text]) => `Linode ${vmId} ${text}.`);
}

export function obstacleItems(world: World, vms: readonly number[], own?: string): readonly ErrorItem[] {
  return vms.flatMap((id, index) => obstacles(world, id, own).map((reason) => ({ reason, field: `entities.vms[${index}]` })));
}
