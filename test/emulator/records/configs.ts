import { defineCollection } from '../contract/collection.ts';

export const slots = ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'] as const;
export type Slot = (typeof slots)[number];

export interface Device {
  readonly disk_id: number | null;
  readonly volume_id: number | null;
}

export type Devices = Readonly<Record<Slot, Device | null>>;

export interface NetworkInterface {
  readonly purpose: 'public' | 'vlan';
  readonly label: string | null;
  readonly ipam_address: string | null;
}

export interface BootHelpers {
  readonly updatedb_disabled: boolean;
  readonly distro: boolean;
  readonly modules_dep: boolean;
  readonly network: boolean;
  readonly devtmpfs_automount: boolean;
}

export interface Config {
  readonly id: number;
  readonly label: string;
  readonly kernel: string;
  readonly comments: string | null;
  readonly memory_limit: number;
  readonly root_device: string;
  readonly run_level: 'default' | 'single' | 'binbash';
  readonly virt_mode: 'paravirt' | 'fullvirt';
  readonly initrd: null;
  readonly helpers: BootHelpers;
  readonly devices: Devices;
  readonly interfaces: readonly NetworkInterface[];
  readonly created: string;
  readonly updated: string;
  /** Not shown. */
  readonly vm_id: number;
}

export const configs = defineCollection<Config>({
  name: 'configs',
  indexes: ['vm_id'],
  view: ({ vm_id: _vm, ...shown }) => shown,
});

export const noDevices: Devices = { sda: null, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null };

export const defaultBootHelpers: BootHelpers = {
  updatedb_disabled: true,
  distro: true,
  modules_dep: true,
  network: true,
  devtmpfs_automount: true,
};
