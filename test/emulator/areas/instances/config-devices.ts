import type { Field } from '../../contract/fields.ts';
import { integer, nullable, object } from '../../contract/fields.ts';
import type { ErrorItem } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Config, Devices, Slot } from '../../records/configs.ts';
import { slots } from '../../records/configs.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import { volumes } from '../../records/volumes.ts';

interface SentDevice {
  readonly disk_id?: number | null;
  readonly volume_id?: number | null;
}

export type SentDevices = Partial<Record<Slot, SentDevice | null>>;

export function devicesField(): Field<SentDevices> {
  const slot = nullable(object({ disk_id: nullable(integer()), volume_id: nullable(integer()) }));
  return object(Object.fromEntries(slots.map((name) => [name, slot])), { closed: true });
}

export function storedDevices(sent: SentDevices): Devices {
  const stored = slots.map((slot) => {
    const device = sent[slot];
    const empty = device === undefined || device === null || (typeof device.disk_id !== 'number' && typeof device.volume_id !== 'number');
    return [slot, empty ? null : { disk_id: device.disk_id ?? null, volume_id: device.volume_id ?? null }];
  });
  return Object.fromEntries(stored) as Devices;
}

function* slotProblems(world: World, vm: Instance, slot: Slot, device: SentDevice): Iterable<ErrorItem> {
  const { disk_id: diskId, volume_id: volumeId } = device;
  if (typeof diskId === 'number' && world.store(disks).get(diskId)?.vm_id !== vm.id) {
    yield { reason: 'disk_id is not valid', field: `devices.${slot}.disk_id` };
  }
  if (typeof volumeId !== 'number') return;
  const volume = world.store(volumes).get(volumeId);
  if (volume === undefined) yield { reason: 'volume_id is not valid', field: `devices.${slot}.volume_id` };
  else if (volume.region !== vm.region) {
    yield { reason: `Volume ${volumeId} is not in the same region as Linode ${vm.id}`, field: `devices.${slot}.volume_id` };
  } else if (volume.vm_id !== null && volume.vm_id !== vm.id) {
    yield { reason: `Volume ${volumeId} is already attached`, field: `devices.${slot}.volume_id` };
  }
}

export function deviceProblems(world: World, vm: Instance, sent: SentDevices): readonly ErrorItem[] {
  return slots.flatMap((slot) => {
    const device = sent[slot];
    return device === undefined || device === null ? [] : [...slotProblems(world, vm, slot, device)];
  });
}

/** A volume in a slot is attached to the instance (inferred: clients attach volumes by their configs); one on its way goes on. */
export function attachConfigVolumes(world: World, vm: Instance, config: Config): void {
  for (const slot of slots) {
    const id = config.devices[slot]?.volume_id;
    const volume = typeof id === 'number' ? world.store(volumes).get(id) : undefined;
    if (volume?.vm_id === null && volume.moving === null)
      world.store(volumes).update(volume, { vm_id: vm.id, vm_label: vm.label, moving: null });
  }
}
