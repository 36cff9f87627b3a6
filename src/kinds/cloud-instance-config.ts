import * as z from 'zod';
import { defineCollection, optional, path, prefixedId, ready, ref, interfacesBody, interfacesField } from '../resource/index.ts';
import { devicesBody, devicesField, foundDevices } from './instance-config/devices.ts';
import { along, foundInterfaces, sameInterfaces } from './instance-config/interfaces.ts';
import { Config, foundHelpers, helpersBody, isBootPending, slotTexts } from './instance-config/remote.ts';

const nextBoot = 'In force at the next boot with this configuration.';

export default defineCollection({
  kind: 'CloudInstanceConfig',
  summary: 'A configuration profile of a CloudInstance: what it boots, with which disks, volumes and network interfaces.',
  shortName: 'ccfg',

  spec: z.object({
    instanceRef: ref('CloudInstance').describe('Instance that may boot with it, for example `{name: web}`. Cannot be changed.'),
    label: optional(
      z.string().min(1).max(48),
      'Name among the configurations of the instance, 1 to 48 characters, for example `main`. Absent: derived from the name of this object.',
    ),
    comments: optional(z.string().max(65_535), 'A note for people, at most 65535 characters. Absent: left alone; empty: none.'),
    kernel: optional(
      prefixedId(),
      `Kernel to boot, for example \`vm/grub2\` for the one on the disk; \`kubectl cloud get kernels\` lists them. A wrong one shows at the next boot only. ${nextBoot} Absent: left alone, \`vm/latest-64bit\` at creation.`,
    ),
    memoryLimitMB: optional(
      z.int().min(0),
      `Memory that the instance uses of what its plan has, in MB; 0 is all. ${nextBoot} Absent: left alone, all at creation.`,
    ),
    rootDevice: optional(
      z
        .string()
        .regex(/^[a-zA-Z0-9/_-]+$/)
        .max(64),
      `Device that holds the root file system, for example \`/dev/sda\`. ${nextBoot} Absent: left alone, \`/dev/sda\` at creation.`,
    ),
    runLevel: optional(
      z.enum(['default', 'single', 'binbash']),
      `\`single\` boots for one user, \`binbash\` into a shell and nothing else. ${nextBoot} Absent: left alone, \`default\` at creation.`,
    ),
    virtMode: optional(
      z.enum(['paravirt', 'fullvirt']),
      `How the machine is virtualized. ${nextBoot} Absent: left alone, \`paravirt\` at creation.`,
    ),
    devices: devicesField().describe(
      `What is in the slots \`sda\` to \`sdh\`, for example \`{sda: {diskRef: {name: root}}, sdc: {volumeRef: {name: db-data}}}\`. A slot that is not named is left as it is found, because the service puts attached volumes there; \`{empty: true}\` clears it. A volume needs the same instance in its own instanceRef. ${nextBoot}`,
    ),
    helpers: optional(
      z.object({
        updateDBDisabled: optional(z.boolean(), 'Keeps `updatedb` from running by cron. Absent: left alone.'),
        distro: optional(z.boolean(), 'Sets up what the distribution needs to boot here. Absent: left alone.'),
        modulesDep: optional(z.boolean(), 'Makes a `modules.dep` for the kernel. Absent: left alone.'),
        network: optional(z.boolean(), 'Writes the network configuration of the instance. Absent: left alone.'),
        devtmpfsAutomount: optional(z.boolean(), 'Mounts `/dev` as devtmpfs. Absent: left alone.'),
      }),
      `What the service does to the file system right before the boot. ${nextBoot} Absent: left alone; at creation all are on, \`network\` as the settings of the account say.`,
    ),
    interfaces: optional(
      interfacesField(),
      `Network interfaces, \`eth0\` first, for example \`[{purpose: public}, {purpose: vlan, label: backend, ipamAddress: 10.0.0.1/24}]\`. ${nextBoot} Empty: one public interface. Absent: left alone, one public interface at creation.`,
    ),
  }),
  status: z.object({
    label: z.string().describe('Name among the configurations of the instance.'),
    kernel: z.string().describe('Kernel to boot.'),
    devices: z.array(z.string()).describe('What is in the slots, for example `sda disk 25674`.'),
    changed: z.string().nullable().describe('When the account last changed it, in UTC.'),
    lastBoot: z
      .string()
      .nullable()
      .describe(
        'When the last boot with it began, in UTC, as far as events tell: also a resize or a reboot by the provider, where the instance was booted with it before and not shut down since. `never`: none since it was made. Absent: not known.',
      ),
    pendingBoot: z
      .boolean()
      .nullable()
      .describe(
        'Whether it was changed, be it only its label, since the instance last began to boot with it: then the instance runs with something else. Absent: not known.',
      ),
  }),
  remote: Config,

  parent: { ref: 'instanceRef', calls: 1 },
  path: (want) => path`/vm/instances/${want.instanceRef}/configs`,
  key: { enforced: 'counted', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 48 },
  createdAt: 'created',

  create: (want) => ({
    label: want.label ?? want.name,
    comments: want.comments,
    kernel: want.kernel,
    memory_limit: want.memoryLimitMB,
    root_device: want.rootDevice,
    run_level: want.runLevel,
    virt_mode: want.virtMode,
    devices: devicesBody(want.devices, undefined),
    helpers: want.helpers && helpersBody(want.helpers),
    interfaces: interfacesBody(want.interfaces),
  }),
  // The service wants every interface with every update: as found, and as the spec has them where that differs, because the last one counts.
  fields: {
    instanceRef: { immutable: true },
    label: { read: ({ label }) => label, put: (label, _, config) => ({ label, ...along(config) }), readFirst: 'item' },
    comments: {
      read: ({ comments }) => comments ?? '',
      put: (comments, _, config) => ({ comments, ...along(config) }),
      readFirst: 'item',
    },
    kernel: {
      read: ({ kernel }) => kernel,
      put: (kernel, _, config) => ({ kernel, ...along(config) }),
      catalogue: { path: '/vm/kernels' },
      readFirst: 'item',
    },
    memoryLimitMB: {
      read: ({ memory_limit: limit }) => limit ?? 0,
      put: (memory_limit, _, config) => ({ memory_limit, ...along(config) }),
      errors: ['memory_limit'],
      readFirst: 'item',
    },
    rootDevice: {
      read: ({ root_device: device }) => device,
      put: (root_device, _, config) => ({ root_device, ...along(config) }),
      readFirst: 'item',
    },
    runLevel: {
      read: ({ run_level: level }) => level,
      put: (run_level, _, config) => ({ run_level, ...along(config) }),
      readFirst: 'item',
    },
    virtMode: {
      read: ({ virt_mode: mode }) => mode,
      put: (virt_mode, _, config) => ({ virt_mode, ...along(config) }),
      readFirst: 'item',
    },
    devices: {
      read: (config, { devices }) => foundDevices(config.devices, devices),
      put: (devices, _, config) => ({ devices: devicesBody(devices, config.devices), ...along(config) }),
      inner: { disk_id: 'diskRef', volume_id: 'volumeRef' },
      readFirst: 'item',
    },
    helpers: {
      read: ({ helpers }) => foundHelpers(helpers),
      put: (helpers, _, config) => ({ helpers: { ...config.helpers, ...helpersBody(helpers) }, ...along(config) }),
      readFirst: 'item',
    },
    interfaces: {
      read: foundInterfaces,
      put: (interfaces) => ({ interfaces: interfacesBody(interfaces) }),
      as: sameInterfaces,
      inner: { ipam_address: 'ipamAddress' },
      readFirst: 'item',
    },
  },
  health: () => ready,
  observe: (config, { recalled = {}, overtaken = {} }) => ({
    label: config.label,
    kernel: config.kernel,
    devices: slotTexts(config.devices),
    changed: config.updated ?? null,
    lastBoot: recalled.lastBoot ?? null,
    pendingBoot: isBootPending(config, recalled, overtaken['lastBoot']) ?? null,
  }),
  recalls: ['lastBoot', 'changed', 'pendingBoot'],
  lastJobs: {
    lastBoot: {
      actions: ['vm_boot', 'vm_reboot'],
      // Each boots what ran with the configuration of before, and no event of its own tells of that boot.
      again: { by: ['vm_resize', 'vm_mutate', 'host_reboot', 'lassie_reboot'], unless: ['vm_shutdown'] },
      changes: ['vm_config_create', 'vm_config_update'],
    },
  },

  sweep: { by: 'list' },
  events: [
    {
      entity: 'vm',
      secondary: 'vm_config',
      // A rebuild and a restored backup take all configurations away and name none; what boots by itself names none either.
      actions: [
        'vm_config_',
        'vm_boot',
        'vm_reboot',
        'vm_rebuild',
        'vm_resize',
        'vm_mutate',
        'vm_shutdown',
        'host_reboot',
        'lassie_reboot',
        'backups_restore',
      ],
      creates: ['vm_config_create'],
      deletes: ['vm_config_delete'],
    },
  ],
  scopes: { read: ['vms:read_only'], write: ['vms:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  goesWithParent: true,
  completesParent: true,
  columns: { Instance: '.spec.instanceRef.name', Kernel: '.status.kernel', PendingBoot: '.status.pendingBoot' },
});
