import * as z from 'zod';
import {
  accountId,
  type AnyWant,
  checked,
  defineCollection,
  failed,
  type Health,
  inSameRegion,
  noRegion,
  openEnum,
  optional,
  path,
  post,
  progressing,
  ready,
  ref,
  seconds,
  slug,
  tagList,
  unknownStatus,
} from '../resource/index.ts';

/** The fields of `GET /volumes/{id}` that this operator reads. */
const Volume = z.object({
  id: z.number(),
  label: z.string(),
  region: z.string(),
  size: z.number(),
  tags: z.array(z.string()),
  vm_id: z.number().nullable(),
  vm_label: z.string().nullish(),
  filesystem_path: z.string(),
  hardware_type: z.string().optional(),
  status: openEnum('creating', 'active', 'resizing', 'migrating', 'offline', 'key_rotating', 'contact_support'),
  created: z.string(),
});
type Volume = z.output<typeof Volume>;

const health = {
  active: ready,
  creating: progressing('the volume is being created', seconds(5)),
  resizing: progressing('the volume is growing', seconds(5)),
  migrating: progressing('the provider is migrating the volume', seconds(60)),
  offline: progressing('the volume is offline: it was just detached or deleted', seconds(10)),
  key_rotating: progressing('the provider is rotating the encryption key of the volume', seconds(60)),
  contact_support: failed('the provider marked the volume "contact_support": open a support ticket that names its id'),
  unknown: unknownStatus,
} satisfies Record<Volume['status'], Health>;

/** Without `persistAcrossBoots` a volume is attached only by the attach call, and a clone is born detached. */
const attachesAtBirth = (want: { instanceRef?: unknown; persistAcrossBoots?: boolean | undefined; volumeRef?: unknown }): boolean =>
  want.instanceRef !== undefined && want.persistAcrossBoots !== false && want.volumeRef === undefined;

const usedBy = ({ vm_id: instance }: Volume): readonly string[] => (instance === null ? [] : [path`/vm/instances/${instance}`]);
/** Whoever has the machine writes to it by now: it is neither taken away from there nor brought to where it could be read. */
const anothers = ({ taken: [first] = [] }: Pick<AnyWant, 'taken'>): string | undefined =>
  first &&
  `the volume is attached to ${first.path}, which belongs to ${first.by} and may have its data there. Detach it there or in the account, once it is unmounted; delete this object, which leaves the volume to them; or have the owner of the CloudAccount set spec.access[].adopt: Any for this namespace`;
const ofItsOwn = { withheld: anothers } as const;

export default defineCollection({
  kind: 'CloudVolume',
  summary: 'A block storage volume, optionally attached to one CloudInstance.',
  shortName: 'cvol',

  spec: z.object({
    label: optional(
      checked(
        z.string().min(1).max(32),
        {
          rule: "self.matches('^[a-zA-Z][a-zA-Z0-9_-]*$')",
          message: 'label begins with a letter and has only letters, digits, dashes and underscores: write for example db-data',
        },
        {
          rule: "!self.contains('--') && !self.contains('__')",
          message: 'label must not have two dashes or underscores in a row: write one',
        },
      ),
      'Name in the cloud account, 1 to 32 characters, for example `db-data`. It forms the device path, so changing it changes the path after the next attach. Absent: derived from the name of this object.',
    ),
    region: optional(
      slug(),
      'Region, for example `eu-central`. Cannot be changed. With instanceRef the volume is made in the region of the instance, with volumeRef in that of the source. Absent: the default region of the account.',
    ),
    sizeGiB: optional(
      z.int().min(10),
      'Capacity in GiB, for example 20; the service takes 10 to 10240. It can grow, never shrink; the file system must then be grown inside the instance. Absent: 20 at creation, or the size of the source.',
    ),
    tags: tagList(),
    instanceRef: optional(
      inSameRegion(ref('CloudInstance')),
      'Instance that holds the volume, in the same region. Another one moves it: detach, wait, attach; unmount it first. Absent: detached; an adopted volume stays where it is until instanceRef was set once.',
    ),
    configId: optional(
      accountId(),
      'Id of the configuration profile of the instance that gets the volume, for example 23456; needed when the instance has several and was never booted. Read at the next attach. From other namespaces than that of the account only where its `access` says adopt: Any. Absent: configRef is used.',
    ),
    configRef: optional(
      ref('CloudInstanceConfig'),
      'The same profile by its object, for example `{name: web-main}`, which must be of that instance; the volume waits until it is there. Absent: configId is used; without both the service chooses.',
    ),
    persistAcrossBoots: optional(
      z.boolean(),
      'False adds the volume to no configuration profile, so that it is gone after a reboot; the instance must be running, and more than 8 volumes may be attached. Read at the next attach. Absent: true.',
    ),
    volumeRef: optional(
      inSameRegion(ref('CloudVolume')),
      'Volume to copy, with its data and size; it must be active. Only at creation, cannot be changed. Absent: a new, empty volume.',
    ),
  }),
  rules: [
    {
      rule: '!has(self.configId) || !has(self.configRef)',
      message: 'configId and configRef both name the configuration profile: leave one out',
    },
    {
      rule: '!has(self.configRef) || has(self.instanceRef)',
      message: 'configRef says how to attach: set instanceRef too, or leave configRef out',
    },
    {
      rule: '!has(self.configRef) || !has(self.persistAcrossBoots) || self.persistAcrossBoots',
      message: 'with persistAcrossBoots: false the volume is added to no configuration profile: leave configRef out',
    },
    {
      rule: '!has(self.configId) || has(self.instanceRef)',
      message: 'configId says how to attach: set instanceRef too, or leave configId out',
    },
    {
      rule: '!has(self.configId) || !has(self.persistAcrossBoots) || self.persistAcrossBoots',
      message: 'with persistAcrossBoots: false the volume is added to no configuration profile: leave configId out',
    },
  ],
  status: z.object({
    state: z.string().describe('What the service says of the volume, for example `active` or `resizing`.'),
    devicePath: z.string().describe('Path of the device inside the instance, for example `/dev/disk/by-id/scsi-0Vm_Volume_db-data`.'),
    instanceId: z.int().nullable().describe('Id of the instance that holds the volume; absent while it is detached.'),
    instanceLabel: z.string().nullable().describe('Label of that instance.'),
    sizeGiB: z.int().describe('Capacity in GiB.'),
    region: z.string().describe('Region of the volume.'),
    hardwareType: z.string().describe('`hdd` or `nvme`.'),
  }),
  remote: Volume,

  path: '/volumes',
  createPath: (want) => (want.volumeRef === undefined ? '/volumes' : path`/volumes/${want.volumeRef}/clone`),
  // The service may accept a second volume with the same label (src/cloud/README.md: facts 14), so it never proves that this one is ours.
  key: { enforced: 'counted', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label: { field: 'label', max: 32, refused: /[^a-zA-Z0-9_-]/g },
  tags: 'tags',
  createdAt: 'created',

  create: (want) => {
    const label = want.label ?? want.name;
    if (want.volumeRef !== undefined) return { label };
    const place = attachesAtBirth(want) ? { vm_id: want.instanceRef, config_id: want.configId ?? want.configRef } : { region: want.region };
    return { label, size: want.sizeGiB, tags: want.tags, ...place };
  },
  lacks: (want) => (attachesAtBirth(want) || want.volumeRef !== undefined || want.region !== undefined ? undefined : noRegion),
  fields: {
    label: { read: (volume) => volume.label, put: (label) => ({ label }), ...ofItsOwn },
    region: {
      read: (volume, want) => (attachesAtBirth(want) || want.volumeRef !== undefined ? undefined : volume.region),
      immutable: true,
      catalogue: { path: '/regions' },
      ...ofItsOwn,
    },
    sizeGiB: {
      read: (volume) => volume.size,
      call: (size, volume) => post(path`/volumes/${volume.id}/resize`, { size }),
      only: 'grows',
      errors: ['size'],
      ...ofItsOwn,
    },
    tags: { read: (volume) => volume.tags, put: (tags) => ({ tags }), as: 'set' },
    instanceRef: {
      read: (volume) => volume.vm_id,
      // A move takes two reconciles: attach is refused until the old detach is done, which only `vm_id` tells (src/cloud/README.md: facts 16).
      call: (id, volume, want) => {
        // Without it the service would choose a profile that nobody wished for.
        if (id !== undefined && want.awaited?.includes('configRef')) return undefined;
        if (volume.vm_id !== null) return post(path`/volumes/${volume.id}/detach`);
        if (id === undefined) return undefined;
        return post(path`/volumes/${volume.id}/attach`, {
          vm_id: id,
          config_id: want.configId ?? want.configRef,
          persist_across_boots: want.persistAcrossBoots,
        });
      },
      unset: 'clear',
      errors: ['vm_id'],
      ...ofItsOwn,
    },
    configId: { local: true, errors: ['config_id'] },
    configRef: {
      local: true,
      errors: ['config_id'],
      refusals: [
        {
          text: /choose a configuration profile/i,
          says: 'the instance has no configuration profile, or several of which none was ever booted: name the CloudInstanceConfig that gets the volume here (or its id in configId), which must not name the volume in its spec.devices before that is there; or boot the instance once',
          // Of several configurations it takes the one that was booted last, and so passes with the first boot.
          as: 'Busy',
          whileAt: 'instanceRef',
        },
      ],
    },
    persistAcrossBoots: { local: true },
    volumeRef: { immutable: true },
  },
  changesAlso: usedBy,
  usedBy,
  health: (volume) => health[volume.status],
  observe: (volume, { taken = [] }) => ({
    state: volume.status,
    devicePath: volume.filesystem_path,
    instanceId: volume.vm_id,
    // What others call theirs is for them to tell.
    instanceLabel: taken.length > 0 ? null : (volume.vm_label ?? null),
    sizeGiB: volume.size,
    region: volume.region,
    ...(volume.hardware_type !== undefined && { hardwareType: volume.hardware_type }),
  }),
  outputs: {
    'device-path': { says: 'Path of the device inside the instance.', of: (volume) => volume.filesystem_path },
  },
  // The service refuses DELETE of an attached volume, and of one that is not settled (src/cloud/README.md: facts 16).
  deletion: {
    release: (volume) => (volume.vm_id === null ? undefined : post(path`/volumes/${volume.id}/detach`)),
    keeps: (_, { taken: [first] = [] }) =>
      first && `it is attached to ${first.path}, which belongs to ${first.by} and may have its data there`,
    waits: (volume) =>
      volume.status === 'resizing' || volume.status === 'migrating'
        ? `the volume is ${volume.status}; it is deleted when that is done`
        : undefined,
  },

  sweep: { by: 'list' },
  events: [{ entity: 'volume', actions: ['volume_'], creates: ['volume_create'], deletes: ['volume_delete'] }],
  windows: { 'POST /volumes': 'volume-create', 'POST /volumes/{}/clone': 'volume-create' },
  scopes: { read: ['volumes:read_only'], write: ['volumes:read_write', 'vms:read_write'] },
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { Region: '.status.region', GiB: '.status.sizeGiB', State: '.status.state', Instance: '.status.instanceId' },
});
