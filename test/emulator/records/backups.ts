import { defineCollection } from '../contract/collection.ts';
import type { Filesystem } from './disks.ts';

export interface Backup {
  readonly id: number;
  readonly type: 'auto' | 'snapshot';
  readonly status: 'paused' | 'pending' | 'running' | 'needsPostProcessing' | 'successful' | 'failed' | 'userAborted';
  readonly available: boolean;
  readonly created: string;
  readonly updated: string;
  readonly finished: string | null;
  readonly label: string | null;
  readonly region: string;
  readonly configs: readonly string[];
  readonly disks: readonly { readonly size: number; readonly filesystem: Filesystem; readonly label: string }[];
  /** Not shown. */
  readonly vm_id: number;
}

export const backups = defineCollection<Backup>({
  name: 'backups',
  indexes: ['vm_id'],
  view: ({ vm_id: _vm, ...shown }) => shown,
});
