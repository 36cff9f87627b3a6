import * as z from 'zod';
import {
  growing,
  type Health,
  openEnum,
  outOfAction,
  outOfOrder,
  type Outputs,
  progressing,
  ready,
  seconds,
  unknownStatus,
} from '../../resource/index.ts';

/** The fields of an instance that this operator reads. */
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
export type Instance = z.output<typeof Instance>;
export const Firewalls = z.array(z.object({ id: z.number() }));
const Ip = z.object({ address: z.string(), rdns: z.string().nullish() });
/** Of `GET /vm/instances/{id}/ips`: the addresses and their names. */
export const Ips = z.object({ ipv4: z.object({ public: z.array(Ip) }), ipv6: z.object({ slaac: Ip.nullish() }).nullish() });
export const Configs = z.array(z.object({ id: z.number(), label: z.string() }));
export const Disks = z.array(
  z.object({ id: z.number(), label: z.string(), size: z.number(), filesystem: z.string().nullish(), status: z.string().nullish() }),
);
/** The service names no limit. */
export const mostConfigs = 50;
const Backup = z.object({
  id: z.number(),
  type: z.string(),
  label: z.string().nullish(),
  status: z.string(),
  created: z.string(),
  region: z.string().nullish(),
  disks: z.array(z.object({ size: z.number() })).nullish(),
});
export type Backup = z.output<typeof Backup>;
export const Backups = z.object({
  automatic: z.array(Backup).nullish(),
  snapshot: z.object({ current: Backup.nullish(), in_progress: Backup.nullish() }).nullish(),
});
export interface PartsRead {
  readonly firewalls?: z.output<typeof Firewalls>;
  readonly ips?: z.output<typeof Ips>;
  readonly configs?: z.output<typeof Configs>;
  readonly snapshots?: z.output<typeof Backups>;
  readonly disks?: z.output<typeof Disks>;
}

/** Jobs of one instance are serial (src/cloud/README.md: facts 15), so nothing is changed before the last one is done. */
const busy = (doing: string, wait: number): Health => progressing(`the instance is ${doing}`, seconds(wait));
const health = {
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
  // Set by the provider's maintenance, which also starts it again: not ours to fight (src/cloud/README.md: facts 15).
  stopped: busy("stopped by the provider's maintenance, which starts it again", 60),
  unknown: unknownStatus,
} satisfies Record<Instance['status'], Health>;

interface Powered {
  readonly power?: 'On' | 'Off' | undefined;
  readonly jobs?: readonly string[];
  readonly goesOn?: true;
  readonly peopled?: readonly string[];
}
/** Jobs at whose end an instance runs. */
const boots = /boot$/;
const offUnasked = 'it is powered off, which spec.power does not ask for';
const orSay = 'set power to Off where it is meant to be off';
const hasNothingToBoot = ({ configs }: PartsRead, peopled: Powered['peopled'] = []): boolean =>
  configs?.length === 0 && !peopled.includes('configs');
/** Off is at rest where the spec says so; else the service is about to boot it, or nothing will. */
export function healthOf(instance: Instance & PartsRead, { power, jobs = [], goesOn, peopled }: Powered): Health {
  if (instance.status !== 'offline' || power === 'Off') return health[instance.status];
  const job = jobs.find((action) => boots.test(action));
  if (job !== undefined) return growing(`the instance is off until its job ${job} has ended`, seconds(10));
  if (goesOn === true)
    return growing('its type was changed; what ran before is booted by the service, at most two minutes after that', seconds(10));
  if (power === 'On') return outOfOrder('it is powered off, and spec.power is On; condition Synced says why it is not booted');
  return outOfAction(
    hasNothingToBoot(instance, peopled)
      ? `${offUnasked}: there is nothing to boot, as it has no configuration (and so no disk in use). Make a CloudDisk and a CloudInstanceConfig of it, or set image, and then power to On; or ${orSay}`
      : `${offUnasked}. Set power to On to have it booted, or ${orSay}`,
  );
}

/** Private addresses of the service are in 192.168.128.0/17. */
export const isPrivate = (address: string): boolean => /^192\.168\.(12[89]|1[3-9]\d|2\d\d)\./.test(address);

const publicIPv4 = ({ ipv4 }: Instance): string | null => ipv4.find((address) => !isPrivate(address)) ?? null;
const privateIPv4 = ({ ipv4 }: Instance): string | null => ipv4.find(isPrivate) ?? null;
const ipv6 = (instance: Instance): string | null => instance.ipv6?.replace(/\/128$/, '') ?? null;

/** What the kind gives out. */
export const outputs = {
  ipv4: { says: 'First public IPv4 address.', of: publicIPv4 },
  ipv6: { says: 'IPv6 address.', of: ipv6 },
  'private-ipv4': { says: 'Private IPv4 address; none without `privateIp: true`.', of: privateIPv4 },
} satisfies Outputs<Instance, unknown>;

interface Recalling {
  readonly recalled?: { readonly bootedConfigId?: number | null | undefined };
}
/** The status of the kind. */
export const observe = (instance: Instance & PartsRead, { recalled = {} }: Recalling) => ({
  state: instance.status,
  publicIPv4: publicIPv4(instance),
  privateIPv4: privateIPv4(instance),
  ipv6: ipv6(instance),
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
  bootedConfigId: recalled.bootedConfigId ?? null,
});

interface OfParts {
  firewallIds?: number[];
  reverseDNS?: string[];
  configs?: { id: number; label: string }[];
  snapshot?: string | null;
  backups?: { id: number; type: string; label: string | null; state: string; created: string }[];
}
/** What only the parts tell; a part that was not read leaves its field as it was. */
function ofParts({ firewalls, ips, configs, snapshots }: PartsRead): OfParts {
  const current = snapshots?.snapshot?.current;
  return {
    ...(firewalls && { firewallIds: firewalls.map(({ id }) => id) }),
    ...(ips && { reverseDNS: addressesIn(ips).map(({ address, rdns }) => `${address} ${rdns ?? ''}`.trim()) }),
    ...(configs && { configs: configs.slice(0, mostConfigs).map(({ id, label }) => ({ id, label })) }),
    ...(snapshots && {
      snapshot: current ? `${current.label ?? ''} ${current.status}`.trim() : null,
      backups: allOf(snapshots).map(({ id, type, label, status, created }) => ({
        id,
        type,
        label: label ?? null,
        state: status,
        created,
      })),
    }),
  };
}

/** An IPv6 address has a name only where somebody gave it one. */
const addressesIn = ({ ipv4, ipv6 }: z.output<typeof Ips>): readonly z.output<typeof Ip>[] => {
  const slaac = ipv6?.slaac;
  return [...ipv4.public, ...(typeof slaac?.rdns === 'string' ? [slaac] : [])];
};

/** The automatic ones first. */
export const allOf = ({ automatic, snapshot }: z.output<typeof Backups>): readonly z.output<typeof Backup>[] =>
  [...(automatic ?? []), snapshot?.current, snapshot?.in_progress].flatMap((backup) => backup ?? []);

/** The service makes the nodes of a Kubernetes cluster, under a label of cluster, pool and node; nobody else may use it. */
export const nodeLabel = '^lke[0-9]+-[0-9]+-[0-9a-f]{12}$';
const isNodeLabel = new RegExp(nodeLabel);
export const isClusterNode = ({ label }: Pick<z.output<typeof Instance>, 'label'>): boolean => isNodeLabel.test(label);
