import * as z from 'zod';
import {
  checked,
  defineCollection,
  type Health,
  labelWithoutNonce,
  type LabelRule,
  openEnum,
  optional,
  privateImage,
  progressing,
  ready,
  ref,
  seconds,
  secretKey,
  segment,
  slug,
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
  /** In the answer to the create of an upload alone. */
  upload_to: z.string().min(1).nullish(),
});

const label: LabelRule & { readonly field: 'label' } = { field: 'label', max: 50, nonce: true };

const health = {
  available: ready,
  creating: progressing('the disk is being captured', seconds(10)),
  pending_upload: progressing(
    'the image waits for its data, which somebody else sends; without it the service removes the image a day after it was made',
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
      'Name in the cloud account, 1 to 50 characters, for example `golden-2026`; it is made under this name with a few characters behind it, which are taken off once it is available. Absent: derived from the name of this object.',
    ),
    description: optional(z.string().min(1).max(65_000), 'Note for people, 1 to 65000 characters. Absent: left alone.'),
    capture: optional(
      z.object({
        diskRef: ref('CloudDisk').describe(
          'Disk to copy, for example `{name: root}`. It is copied as it is at that moment: power its instance off where programs write to it. The disk may go once the image is available.',
        ),
      }),
      'Makes the image of a disk. It is made once: what changes on the disk later does not change the image. Cannot be changed. Absent: upload, or adopt.',
    ),
    upload: optional(
      z.object({
        region: slug().describe('Region in which it is received, for example `us-east`; it can be deployed in every one.'),
        url: optional(
          checked(z.string().max(4096), {
            rule: "self.matches('^https://[^/?#@\\\\s]+([/?#][^\\\\s]*)?$')",
            message: 'url begins with https:// and has no user in it: write for example https://images.example.com/golden.img.gz',
          }),
          'Where the disk is, raw and compressed with gzip, 5 GB at most, for example `https://images.example.com/golden.img.gz`: on a host that the administrator of the operator names (`--image-source`). Absent: urlSecretRef; without either somebody else sends the data.',
        ),
        urlSecretRef: optional(
          secretKey(),
          'Key of a Secret that holds that URL, for example that of a CloudObjectURL: `{name: golden-curl, key: url}`. Absent: url.',
        ),
      }),
      'Makes the image of a file. With url or urlSecretRef the operator sends it; with neither, key upload-url of the Secret of secretName holds, for a day, the address to which somebody else has to PUT it. It is made once. Cannot be changed. Absent: capture, or adopt.',
    ),
  }),
  rules: [
    {
      rule: 'has(self.capture) || has(self.upload) || has(self.adopt)',
      message: 'nothing says what the image is made of: set capture.diskRef, or upload, or adopt an image that is there',
    },
    {
      rule: '!has(self.capture) || !has(self.upload)',
      message: 'an image is made of a disk or of a file: set one of capture and upload',
    },
    {
      rule: '!has(self.upload) || !has(self.upload.url) || !has(self.upload.urlSecretRef)',
      message: 'the file is at one place: set one of upload.url and upload.urlSecretRef, or neither to have somebody else send it',
      fieldPath: '.upload',
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
  label,
  createdAt: 'created',
  createdBy: 'created_by',

  create: ({ capture, upload, ...want }) => ({
    ...(upload === undefined ? { disk_id: capture?.diskRef } : { region: upload.region }),
    label: want.label ?? want.name,
    description: want.description,
  }),
  createPath: ({ upload }) => (upload === undefined ? '/images' : '/images/upload'),
  // Where the data goes is said beside the image.
  born: (answer, { upload }) =>
    upload === undefined ? answer : { ...(answer['image'] as object | undefined), upload_to: answer['upload_to'] },
  transfer: {
    field: 'upload',
    awaits: ({ status }) => status === 'pending_upload',
    from: ({ upload }) => upload?.url ?? upload?.urlSecretRef,
    to: 'upload-url',
    contentType: 'application/octet-stream',
    maxBytes: 5 * 2 ** 30,
    format: { name: 'gzip', begins: [0x1f, 0x8b] },
    attempts: 3,
  },
  fields: {
    label: labelWithoutNonce(label),
    description: { read: (image) => image.description, put: (description) => ({ description }) },
    capture: { immutable: true, errors: ['disk_id'], inner: { disk_id: 'diskRef' } },
    upload: { immutable: true, errors: ['region'], inner: { region: 'region' } },
  },
  health: (image) => health[image.status],
  observe: (image) => ({ label: image.label, state: image.status, sizeMB: image.size, created: `${image.created}Z` }),
  outputs: {
    'image-id': { says: 'Id of the image, for example `private/12345`.', of: (image) => image.id },
    'upload-url': {
      says: 'Address to which the data of the image is PUT, told once; there until the image is available. Whoever has it may send anything.',
      secret: true,
      toldOnce: 'upload_to',
      ifSet: 'upload',
      of: (image) => (image.status === 'available' ? null : (image.upload_to ?? undefined)),
    },
  },

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
