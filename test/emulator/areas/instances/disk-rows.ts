import type { World } from '../../contract/world.ts';
import { accountSettings } from '../../records/account.ts';
import type { Config, Devices, NetworkInterface } from '../../records/configs.ts';
import { configs, defaultBootHelpers, noDevices } from '../../records/configs.ts';
import type { Disk } from '../../records/disks.ts';
import { disks } from '../../records/disks.ts';
import type { Instance } from '../../records/instances.ts';
import type { Deployment } from './deployment.ts';

type NewDisk = Pick<Disk, 'label' | 'size' | 'filesystem' | 'vm_id'> & Partial<Pick<Disk, 'status' | 'used' | 'access'>>;

export function insertDisk(world: World, wanted: NewDisk): Disk {
  const now = world.timestamp();
  const { label, size, filesystem, vm_id: vmId, status = 'not ready', used = 1, access = { password: null, keys: [] } } = wanted;
  return world
    .store(disks)
    .insert((id) => ({ id, label, status, size, filesystem, created: now, updated: now, vm_id: vmId, used, access }));
}

type NewConfig = Pick<Config, 'label' | 'vm_id' | 'devices'> & Partial<Config>;

/** With the defaults of a create answer. */
export function insertConfig(world: World, wanted: NewConfig): Config {
  const now = world.timestamp();
  return world.store(configs).insert((id) => ({
    kernel: 'vm/latest-64bit',
    comments: '',
    memory_limit: 0,
    root_device: '/dev/sda',
    run_level: 'default',
    virt_mode: 'paravirt',
    helpers: { ...defaultBootHelpers, network: world.store(accountSettings).get(world.euuid)?.network_helper ?? true },
    interfaces: [],
    ...wanted,
    initrd: null,
    created: now,
    updated: now,
    id,
  }));
}

export interface Layout {
  readonly disk: number;
  readonly swap: number;
  readonly interfaces: readonly NetworkInterface[];
}

/** The default config and disks of an image. Swap 0 makes no swap disk. */
export function layOut(world: World, vm: Instance, { image, password, keys }: Deployment, { disk, swap, interfaces }: Layout): Config {
  const main = insertDisk(world, {
    label: `${image.label} Disk`.slice(0, 48),
    size: disk - swap,
    filesystem: 'ext4',
    vm_id: vm.id,
    used: image.size,
    access: { password, keys },
  });
  const second =
    swap === 0 ? undefined : insertDisk(world, { label: `${swap} MB Swap Image`, size: swap, filesystem: 'swap', vm_id: vm.id });
  const devices: Devices = {
    ...noDevices,
    sda: { disk_id: main.id, volume_id: null },
    sdb: second === undefined ? null : { disk_id: second.id, volume_id: null },
  };
  const label = `My ${image.label} Disk Profile`.slice(0, 48);
  return insertConfig(world, { label, vm_id: vm.id, devices, interfaces, kernel: 'vm/grub2' });
}

/** All disks of the instance become usable. */
export function readyDisks(world: World, vmId: number): void {
  for (const disk of world.store(disks).by('vm_id', vmId)) {
    if (disk.status === 'not ready') world.store(disks).update(disk, { status: 'ready', updated: world.timestamp() });
  }
}

export function removeDisksAndConfigs(world: World, vmId: number): void {
  for (const disk of world.store(disks).by('vm_id', vmId)) world.store(disks).remove(disk);
  for (const config of world.store(configs).by('vm_id', vmId)) world.store(configs).remove(config);
}
