import { defineCollection } from '../contract/collection.ts';

export interface Volume {
  readonly id: number;
  readonly label: string;
  readonly filesystem_path: string;
  readonly hardware_type: 'hdd' | 'nvme';
  readonly status: 'creating' | 'active' | 'resizing' | 'offline' | 'migrating' | 'contact_support';
  readonly size: number;
  readonly region: string;
  readonly vm_id: number | null;
  readonly vm_label: string | null;
  readonly tags: readonly string[];
  readonly created: string;
  readonly updated: string;
  /** The attach or detach under way; shown nowhere, only `vm_id` tells. */
  readonly moving: 'attaching' | 'detaching' | null;
}

export const volumes = defineCollection<Volume>({
  name: 'volumes',
  grant: 'volume',
  indexes: ['label', 'vm_id'],
  view: ({ moving: _hidden, ...shown }) => shown,
});
