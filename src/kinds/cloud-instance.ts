import { type Call, defineCollection, del, interfacesBody, noRegion, path, post } from '../resource/index.ts';
import { actions } from './instance/actions.ts';
import { deployment } from './instance/deployment.ts';
import {
  Backups,
  Configs,
  Disks,
  Firewalls,
  healthOf,
  Instance,
  Ips,
  isClusterNode,
  isPrivate,
  observe,
  outputs,
} from './instance/remote.ts';
import { addressesToName, foundNames, nameOne, sameNames } from './instance/names.ts';
import { fittedRow, isFittedTo, roomOnPlan } from './instance/room.ts';
import { rules, spec } from './instance/spec.ts';
import { status } from './instance/status.ts';
import { noForwardName } from './ip-address/reverse-dns.ts';

const item = ({ id }: { readonly id: number }): string => path`/vm/instances/${id}`;

/** States in between give no verdict. */
const powers: Readonly<Record<string, 'On' | 'Off'>> = { running: 'On', offline: 'Off' };

/** Names in the spec and in the API. */
const alerts = {
  cpuPercent: 'cpu',
  ioPerSecond: 'io',
  networkInMbps: 'network_in',
  networkOutMbps: 'network_out',
  transferQuotaPercent: 'transfer_quota',
} as const;

export default defineCollection({
  kind: 'CloudInstance',
  summary: 'A virtual machine: made from an image, a script, a backup, or empty.',
  shortName: 'cinst',

  spec,
  rules,
  status,
  remote: Instance,

  path: '/vm/instances',
  createPath: ({ cloneFrom }) => (cloneFrom === undefined ? '/vm/instances' : path`/vm/instances/${cloneFrom.instanceRef}/clone`),
  withoutTags: { cloneFrom: ['vm_clone'] },
  bornWith: { field: 'cloneFrom', job: 'vm_clone' },
  parts: {
    firewalls: { path: (at) => `${at}/firewalls`, paged: true, schema: Firewalls, for: 'status' },
    ips: { path: (at) => `${at}/ips`, paged: false, schema: Ips, for: 'status' },
    names: {
      path: (at) => `${at}/ips`,
      paged: false,
      schema: Ips,
      for: 'drift',
      ifWanted: true,
      // Asked for in time, because the change is below another path than the instance.
      scopes: ['ips:read_write'],
    },
    configs: { path: (at) => `${at}/configs`, paged: true, schema: Configs, for: 'status' },
    snapshots: { path: (at) => `${at}/backups`, paged: false, schema: Backups, for: 'status', toldBy: ['vm_snapshot', 'backups_'] },
    disks: {
      path: (at) => `${at}/disks`,
      paged: true,
      schema: Disks,
      for: 'before',
      toldBy: ['disk_create', 'disk_delete', 'disk_duplicate', 'disk_resize', 'disk_update', 'vm_rebuild', 'vm_resize', 'backups_restore'],
    },
  },
  key: { enforced: 'unique', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 64, refused: /[^a-zA-Z0-9._-]/g },
  tags: 'tags',
  createdAt: 'created',
  isPart: isClusterNode,

  lacks: ({ region }) => (region === undefined ? noRegion : undefined),
  create: (want) => ({
    region: want.region,
    type: want.type,
    label: want.label ?? want.name,
    group: want.group,
    backups_enabled: want.backupsEnabled,
    private_ip: want.privateIp,
    ...(want.cloneFrom === undefined && {
      tags: want.tags,
      backup_id: want.backupId,
      swap_size: want.swapSizeMB,
      interfaces: interfacesBody(want.interfaces),
      ...deployment(want),
    }),
  }),
  fields: {
    label: { read: (instance) => instance.label, put: (label) => ({ label }) },
    region: { read: (instance) => instance.region, immutable: true, catalogue: { path: '/regions' } },
    type: {
      read: (instance) => instance.type,
      call: (type, instance, want) => post(`${item(instance)}/resize`, { type, allow_auto_disk_resize: want.autoResizeDisk }),
      effect: 'Reboot',
      catalogue: { path: '/vm/types', fits: roomOnPlan },
      refusals: [
        {
          text: /not enough free space/i,
          says: 'the disks of the instance that is copied do not fit into it: name a plan with more disk, for example its own',
        },
      ],
    },
    // A disk that grew with its instance would differ from its object.
    autoResizeDisk: {
      local: true,
      beside: {
        kind: 'CloudDisk',
        says: false,
        with: 'type',
        takes: 'a single disk beside swap takes the size of the new plan; spec.autoResizeDisk: false keeps it as it is',
        otherwise: true,
        follows: { field: 'sizeMB', among: fittedRow, may: ({ filesystem = 'ext4' }) => isFittedTo(filesystem) },
      },
      errors: ['allow_auto_disk_resize'],
    },
    image: {
      // The service forgets an image that was deleted since: that is no difference.
      read: (instance) => instance.image ?? undefined,
      call: (_, instance, want) => post(`${item(instance)}/rebuild`, deployment(want)),
      // The account's own images come and go between two readings of the list.
      catalogue: { path: '/images', holds: (image) => image.startsWith('vm/') },
      effect: 'Rebuild',
    },
    // No difference, whatever is deployed: what becomes of another object must not erase disks.
    imageRef: { immutable: true, errors: ['image'] },
    // Read when an image is deployed. Generators of manifests give a Secret another name with each value.
    rootPasswordSecretRef: { local: true, errors: ['root_pass'] },
    authorizedKeys: { immutable: true, errors: ['authorized_keys'] },
    authorizedUsers: { immutable: true, errors: ['authorized_users'] },
    stackscriptId: { immutable: true, errors: ['stackscript_id'] },
    stackscriptRef: { immutable: true },
    stackscriptData: { immutable: true, errors: ['stackscript_data'] },
    backupId: { immutable: true, errors: ['backup_id'] },
    cloneFrom: { immutable: true },
    power: {
      // Not with another configuration while the one that is meant is not there.
      read: (instance, { power, awaited }) =>
        power === 'On' && awaited?.includes('bootConfigRef') === true ? undefined : powers[instance.status],
      call: (power, instance, { bootConfigRef }) =>
        power === 'On'
          ? post(`${item(instance)}/boot`, bootConfigRef === undefined ? undefined : { config_id: bootConfigRef })
          : post(`${item(instance)}/shutdown`),
      errors: ['booted', 'config_id'],
      refusals: [
        {
          field: 'config_id',
          untilComplete: true,
          says: 'the instance has nothing to boot, several configurations of which none was booted yet, or bootConfigRef names one of another instance: name one of its own with bootConfigRef, set image to have one deployed, or leave power out',
        },
      ],
    },
    bootConfigRef: { local: true },
    tags: { read: (instance) => instance.tags ?? [], put: (tags) => ({ tags }), as: 'set' },
    group: { read: (instance) => instance.group, put: (group) => ({ group }) },
    watchdogEnabled: {
      read: (instance) => instance.watchdog_enabled,
      put: (watchdog_enabled) => ({ watchdog_enabled }),
      errors: ['watchdog_enabled'],
    },
    alerts: {
      read: (instance) => Object.fromEntries(Object.entries(alerts).map(([field, name]) => [field, instance.alerts[name]])),
      put: (want, _, instance) => ({
        alerts: {
          ...instance.alerts,
          ...Object.fromEntries(
            Object.entries(alerts).flatMap(([field, name]) =>
              want[field as keyof typeof alerts] === undefined ? [] : [[name, want[field as keyof typeof alerts]]],
            ),
          ),
        },
      }),
      inner: Object.fromEntries(Object.entries(alerts).map(([field, name]) => [name, field])),
    },
    backupsEnabled: {
      read: (instance) => instance.backups.enabled,
      call: (enabled, instance) => post(`${item(instance)}/backups/${enabled === true ? 'enable' : 'cancel'}`),
      effect: 'Rebuild',
      effectOf: (enabled) => (enabled ? 'InPlace' : 'Rebuild'),
      errors: ['backups_enabled'],
    },
    backupSchedule: {
      read: (instance) => (instance.backups.enabled ? (instance.backups.schedule ?? null) : undefined),
      put: (schedule) => ({ backups: { schedule } }),
      errors: ['backups', 'backups.schedule'],
    },
    swapSizeMB: { immutable: true, errors: ['swap_size'] },
    interfaces: { immutable: true },
    reverseDNS: {
      part: 'names',
      read: foundNames,
      call: nameOne,
      readFirst: { path: (instance) => `${item(instance)}/ips`, into: 'names' },
      as: sameNames,
      others: addressesToName,
      errors: ['rdns'],
      refusals: [noForwardName],
    },
    privateIp: {
      read: (instance) => instance.ipv4.some(isPrivate),
      call: (wanted, instance) => movePrivateIp(wanted === true, instance),
      errors: ['private_ip'],
    },
  },
  health: healthOf,
  observe,
  recalls: ['bootedConfigId'],
  lastNamed: { bootedConfigId: ['vm_boot', 'vm_reboot'] },
  outputs,
  actions,
  deletion: {
    waits: ({ status }) =>
      status === 'cloning' || status === 'restoring' ? `the instance is ${status}; it is deleted when that is done` : undefined,
  },

  sweep: { by: 'list' },
  events: [
    {
      entity: 'vm',
      actions: ['vm_', 'backups_', 'host_reboot', 'lassie_reboot', 'lish_boot', 'disk_imagize'],
      creates: ['vm_create', 'vm_clone'],
      deletes: ['vm_delete'],
      // What ran is booted again some time after the job.
      goesOn: ['vm_resize'],
    },
  ],
  windows: { 'POST /vm/instances': 'instance-create', 'POST /vm/instances/{}/clone': 'instance-create', 'GET /images': 'image-list' },
  scopes: { read: ['vms:read_only'], write: ['vms:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Stall' },
  columns: { State: '.status.state', IP: '.status.publicIPv4', Region: '.status.region', Type: '.status.type' },
});

function movePrivateIp(wanted: boolean, instance: Instance): Call | undefined {
  if (wanted) return post(`${item(instance)}/ips`, { type: 'ipv4', public: false });
  const address = instance.ipv4.find(isPrivate);
  return address === undefined ? undefined : del(`${item(instance)}/ips/${address}`);
}
