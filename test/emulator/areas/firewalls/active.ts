import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import { firewallDevices, firewalls } from '../../records/firewalls.ts';
import type { Instance } from '../../records/instances.ts';

/** An instance has one enabled firewall at a time; others only while disabled. For instances the text is inferred. */
export function requireNoOtherActive(world: World, vm: Pick<Instance, 'id' | 'label'>, own: number | undefined, field: string): void {
  const assigned = world
    .store(firewallDevices)
    .by('vm_id', vm.id)
    .map((device) => device.firewall_id);
  const active = assigned.some((id) => id !== own && world.store(firewalls).get(id)?.status === 'enabled');
  if (active) throw refusal(400, `Too many active firewalls attached to Linode ${vm.label} (ID ${vm.id})`, field);
}
