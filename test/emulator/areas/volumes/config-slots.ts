import { refusal } from '../../contract/refusal.ts';
import type { World } from '../../contract/world.ts';
import type { Config, Devices } from '../../records/configs.ts';
import { configs, slots } from '../../records/configs.ts';
import type { Instance } from '../../records/instances.ts';

const noChoice =
  "Couldn't choose a configuration profile to add this volume to. Please add this volume to the configuration profile you want.";

/** The config that keeps the volume across boots: the one asked for, the only one, or the one booted last. */
export function chooseConfig(world: World, vm: Instance, asked: number | undefined): number {
  const known = world.store(configs).by('vm_id', vm.id);
  if (asked !== undefined) {
    if (known.every((config) => config.id !== asked)) throw refusal(400, 'config_id is not valid', 'config_id');
    return asked;
  }
  const chosen = known.length === 1 ? known[0] : known.find((config) => config.id === vm.bootedConfig);
  if (chosen === undefined) throw refusal(400, noChoice, 'config_id');
  return chosen.id;
}

/** The first free slot takes it; a config whose slots are all used stays as it is. */
export function plugIn(world: World, configId: number, volumeId: number): void {
  const config = world.store(configs).get(configId);
  if (config === undefined || slots.some((slot) => config.devices[slot]?.volume_id === volumeId)) return;
  const free = slots.find((slot) => config.devices[slot] === null);
  if (free === undefined) return;
  const devices: Devices = { ...config.devices, [free]: { disk_id: null, volume_id: volumeId } };
  world.store(configs).update(config, { devices });
}

function without(config: Config, volumeId: number): Devices {
  const kept = slots.map((slot) => [slot, config.devices[slot]?.volume_id === volumeId ? null : config.devices[slot]]);
  return Object.fromEntries(kept) as Devices;
}

/** Takes the volume out of every config of the instance. */
export function unplug(world: World, vmId: number, volumeId: number): void {
  for (const config of world.store(configs).by('vm_id', vmId)) {
    if (slots.some((slot) => config.devices[slot]?.volume_id === volumeId)) {
      world.store(configs).update(config, { devices: without(config, volumeId) });
    }
  }
}
