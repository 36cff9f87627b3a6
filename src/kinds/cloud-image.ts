import { z } from 'zod';
import {
  checked,
  defineCollection,
  type Health,
  openEnum,
  optional,
  privateImage,
  progressing,
  ready,
  ref,
  seconds,
  segment,
  unknownStatus,
} from '../resource/index.ts';

/** The fields of `GET /images/{id}` that this operator reads. */
const Image = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string().nullish(),
  status: openEnum('creating', 'pending_upload', 'available'),
  size: z.number(),
  is_public: z.boolean(),
  created: z.string(),
  created_by: z.string().nullish(),
});

const health = {
  available: ready,
  creating: progressing('the disk is being captured', seconds(10)),
  pending_upload: progressing(
    'the image waits for its data, which somebody uploads; without it the service removes it after a day',
    seconds(60),
  ),
  unknown: unknownStatus,
} satisfies Record<z.output<typeof Image>['status'], Health>;

export default defineCollection({
  kind: 'CloudImage',
  summary:
    'An image of the account, from which instances and disks are deployed. Whoever may deploy it reads all that is in it: passwords and keys that lie on a captured disk too.',
  shortName: 'cimg',

  spec: z.object({
    label: optional(
      checked(z.string().min(1).max(50), {
        rule: `self.matches("^[a-zA-Z0-9 ,.?_'-]*$")`,
        message: "label has letters, digits, blanks and , . ? - _ ' only: write for example golden-2026",
      }),
      'Name in the cloud account, 1 to 50 characters, for example `golden-2026`. Absent: derived from the name of this object.',
    ),
    description: optional(z.string().min(1).max(65_000), 'Note for people, 1 to 65000 characters. Absent: left alone.'),
    capture: optional(
      z.object({
        diskRef: ref('CloudDisk').describe(
          'Disk to copy, for example `{name: root}`. It is copied as it is at that moment: power its instance off where programs write to it. The disk may go once the image is available.',
        ),
      }),
      'Makes the image of a disk. It is made once: what changes on the disk later does not change the image. Cannot be changed. Absent: only with adopt.',
    ),
  }),
  rules: [
    {
      rule: 'has(self.capture) || has(self.adopt)',
      message: 'nothing says what the image is made of: set capture.diskRef, or adopt an image that is there',
    },
  ],
  status: z.object({
    label: z.string().describe('Name in the cloud account.'),
    state: z.string().describe('What the service says of the image: `creating`, `pending_upload` or `available`.'),
    sizeMB: z.int().describe('Size in MB; while it is being captured, that of the disk.'),
    created: z.string().describe('When the image was made, by the clock of the service.'),
  }),
  remote: Image,

  path: '/images',
  // The slash of an id stays one, as events and the service itself write it.
  item: ({ id }, collection) => [collection, ...id.split('/').map(segment)].join('/'),
  ids: privateImage,
  key: { enforced: 'counted', names: true, of: (want) => ({ label: want.label ?? want.name, is_public: false }) },
  label: { field: 'label', max: 50 },
  createdAt: 'created',
  createdBy: 'created_by',

  create: (want) => ({ disk_id: want.capture?.diskRef, label: want.label ?? want.name, description: want.description }),
  fields: {
    label: { read: (image) => image.label, put: (label) => ({ label }) },
    description: { read: (image) => image.description, put: (description) => ({ description }) },
    capture: { immutable: true, errors: ['disk_id'], inner: { disk_id: 'diskRef' } },
  },
  health: (image) => health[image.status],
  observe: (image) => ({ label: image.label, state: image.status, sizeMB: image.size, created: `${image.created}Z` }),
  outputs: { 'image-id': { says: 'Id of the image, for example `private/12345`.', of: (image) => image.id } },

  // Without the filter it is the images of the provider too, of which none is anybody's.
  sweep: { by: 'list', filter: { is_public: false } },
  events: [
    { entity: 'image', actions: ['image_'], deletes: ['image_delete'] },
    { entity: 'vm', secondary: 'image', actions: ['disk_imagize'], creates: ['disk_imagize'] },
  ],
  windows: { 'GET /images': 'image-list' },
  // To capture a disk takes the right to read it.
  scopes: { read: ['images:read_only'], write: ['images:read_write', 'vms:read_only'] },
  // Whoever deploys it names its id, and what is in it cannot be had again.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  shareable: true,
  columns: { Image: '.status.id', State: '.status.state', MB: '.status.sizeMB' },
});
