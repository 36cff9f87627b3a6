import { defineCollection } from '../contract/collection.ts';

export type InstanceStatus =
  | 'running'
  | 'offline'
  | 'booting'
  | 'rebooting'
  | 'shutting_down'
  | 'provisioning'
  | 'deleting'
  | 'migrating'
  | 'rebuilding'
  | 'cloning'
  | 'restoring'
  | 'resizing'
  | 'stopped';

export interface Alerts {
  readonly cpu: number;
  readonly io: number;
  readonly network_in: number;
  readonly network_out: number;
  readonly transfer_quota: number;
}

export interface BackupSettings {
  readonly enabled: boolean;
  readonly available: boolean;
  readonly schedule: { readonly day: string | null; readonly window: string | null };
  readonly last_successful: string | null;
}

export interface Instance {
  readonly id: number;
  readonly label: string;
  readonly group: string;
  readonly region: string;
  readonly type: string;
  readonly image: string | null;
  readonly status: InstanceStatus;
  readonly hypervisor: 'kvm';
  readonly host_uuid: string;
  readonly specs: {
    readonly disk: number;
    readonly memory: number;
    readonly vcpus: number;
    readonly gpus: number;
    readonly transfer: number;
  };
  readonly alerts: Alerts;
  readonly backups: BackupSettings;
  readonly tags: readonly string[];
  readonly ipv4: readonly string[];
  readonly ipv6: string | null;
  readonly watchdog_enabled: boolean;
  readonly created: string;
  readonly updated: string;
  /** The config of the last boot: the next boot takes it unless told otherwise. Not shown. */
  readonly bootedConfig: number | null;
}

export const instances = defineCollection<Instance>({
  name: 'instances',
  grant: 'vm',
  indexes: ['label'],
  view: ({ bootedConfig: _hidden, ...shown }) => shown,
});

/** A label is free again only when the delete job has ended. */
export interface ReservedLabel {
  readonly id: number;
  readonly label: string;
  readonly vm_id: number;
}

/** Its removal says that the instance is gone for good: volumes are let go then. */
export const reservedInstanceLabels = defineCollection<ReservedLabel>({
  name: 'instance labels of running deletes',
  indexes: ['label'],
  unlisted: true,
});
