import { z } from 'zod';
import { type Health, openEnum, progressing, ready, seconds, unknownStatus } from '../../resource/index.ts';

/** The fields of an instance that this operator reads (realities 13, Vm; `resizing` is realities 1.2). */
export const Instance = z.object({
  id: z.number(),
  label: z.string(),
  group: z.string().nullish(),
  region: z.string(),
  type: z.string().nullable(),
  image: z.string().nullish(),
  status: openEnum(
    'running',
    'offline',
    'booting',
    'rebooting',
    'shutting_down',
    'provisioning',
    'deleting',
    'migrating',
    'rebuilding',
    'cloning',
    'restoring',
    'stopped',
    'resizing',
  ),
  tags: z.array(z.string()).nullish(),
  ipv4: z.array(z.string()),
  ipv6: z.string().nullish(),
  specs: z.object({ disk: z.number(), memory: z.number(), vcpus: z.number(), transfer: z.number() }),
  alerts: z.object({ cpu: z.number(), io: z.number(), network_in: z.number(), network_out: z.number(), transfer_quota: z.number() }),
  backups: z.object({
    enabled: z.boolean(),
    last_successful: z.string().nullish(),
    schedule: z.object({ day: z.string().nullish(), window: z.string().nullish() }).nullish(),
  }),
  watchdog_enabled: z.boolean(),
  host_uuid: z.string().nullish(),
  created: z.string(),
});
/** With the parts, which come as the service sends them. */
export type Instance = z.output<typeof Instance> & {
  readonly firewalls?: readonly { readonly id: number }[];
  readonly ips?: { readonly ipv4?: { readonly public?: readonly { readonly address: string; readonly rdns: string | null }[] } };
  readonly snapshots?: { readonly snapshot?: { readonly current?: { readonly label: string | null; readonly status: string } | null } };
};

/** Jobs of one instance are serial (realities 11, Q1), so nothing is changed before the last one is done. */
const busy = (doing: string, wait: number): Health => progressing(`the instance is ${doing}`, seconds(wait));
export const health = {
  running: ready,
  offline: ready,
  booting: busy('booting', 5),
  rebooting: busy('rebooting', 5),
  shutting_down: busy('shutting down', 5),
  provisioning: busy('being created', 5),
  deleting: busy('being deleted', 10),
  migrating: busy('moving to another host', 30),
  rebuilding: busy('being rebuilt', 10),
  cloning: busy('being cloned', 30),
  restoring: busy('restoring a backup', 30),
  resizing: busy('changing its type', 30),
  // Set by the provider's maintenance, which also starts it again: not ours to fight (realities 11, Q17).
  stopped: busy("stopped by the provider's maintenance, which starts it again", 60),
  unknown: unknownStatus,
} satisfies Record<Instance['status'], Health>;

/** Private addresses of the service are in 192.168.128.0/17 (realities 13, IPAddress). */
export const isPrivate = (address: string): boolean => /^192\.168\.(12[89]|1[3-9]\d|2\d\d)\./.test(address);

/** The status of the kind. */
export const observe = (instance: Instance) => ({
  state: instance.status,
  publicIPv4: instance.ipv4.find((address) => !isPrivate(address)) ?? null,
  privateIPv4: instance.ipv4.find(isPrivate) ?? null,
  ipv6: instance.ipv6?.replace(/\/128$/, '') ?? null,
  region: instance.region,
  type: instance.type,
  image: instance.image ?? null,
  vcpus: instance.specs.vcpus,
  memoryMB: instance.specs.memory,
  diskMB: instance.specs.disk,
  transferGB: instance.specs.transfer,
  hostUUID: instance.host_uuid ?? null,
  backupsEnabled: instance.backups.enabled,
  lastBackup: instance.backups.last_successful ?? null,
  ...ofParts(instance),
});

/** What only the parts tell; a part that was not read leaves its field as it was. */
function ofParts({ firewalls, ips, snapshots }: Instance): { firewallIds?: number[]; reverseDNS?: string[]; snapshot?: string | null } {
  const current = snapshots?.snapshot?.current;
  return {
    ...(firewalls && { firewallIds: firewalls.map(({ id }) => id) }),
    ...(ips && { reverseDNS: (ips.ipv4?.public ?? []).map(({ address, rdns }) => `${address} ${rdns ?? ''}`.trim()) }),
    ...(snapshots && { snapshot: current ? `${current.label ?? ''} ${current.status}`.trim() : null }),
  };
}
