import { defineCollection } from '../contract/collection.ts';

export const filesystems = ['raw', 'swap', 'ext3', 'ext4', 'initrd'] as const;
export type Filesystem = (typeof filesystems)[number];

export interface Disk {
  readonly id: number;
  readonly label: string;
  readonly status: 'ready' | 'not ready' | 'deleting';
  readonly size: number;
  readonly filesystem: Filesystem;
  readonly created: string;
  readonly updated: string;
  /** Not shown: the instance, the MB that its files need, and the last password and keys that were set. */
  readonly vm_id: number;
  readonly used: number;
  readonly access: { readonly password: string | null; readonly keys: readonly string[] };
}

export const disks = defineCollection<Disk>({
  name: 'disks',
  indexes: ['vm_id'],
  view: ({ vm_id: _vm, used: _used, access: _access, ...shown }) => shown,
});
