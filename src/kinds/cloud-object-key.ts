import * as z from 'zod';
import {
  accountIds,
  checked,
  clusterAndLabel,
  defineCollection,
  labelWithoutNonce,
  type LabelRule,
  optional,
  ready,
  type RemoteId,
  sharedRef,
} from '../resource/index.ts';
import { Grant } from './object-storage/grant.ts';

/** The fields of `GET /object-storage/keys/{id}` that this operator reads. Without a list of buckets a key opens everything. */
const Key = z.object({
  id: z.number(),
  label: z.string(),
  access_key: z.string(),
  secret_key: z.string().nullish(),
  limited: z.boolean(),
  bucket_access: z.array(Grant).nullish(),
});

/** Every answer but that to the create has a mask in its place. */
const isTold = (secret: string): boolean => /^[A-Za-z0-9/+=]{16,}$/.test(secret);

interface Access {
  readonly bucketRef: RemoteId;
  readonly permissions: string;
}
const grantOf = ({ bucketRef, permissions }: Access): Grant => {
  const [cluster = '', name = ''] = String(bucketRef).split('/');
  return { cluster, bucket_name: name, permissions };
};

/** What the service does where one bucket is named twice is not known. */
function namedTwice(access: readonly Access[]): RemoteId | undefined {
  const buckets = access.map(({ bucketRef }) => bucketRef);
  return buckets.find((bucket, index) => buckets.indexOf(bucket) !== index);
}

const label: LabelRule & { readonly field: 'label' } = { field: 'label', max: 50, nonce: true };

export default defineCollection({
  kind: 'CloudObjectKey',
  summary:
    'An access key of object storage, for chosen buckets. Its secret is told once and is in a Secret from then on. It can list the names of all buckets of the account, and goes on opening a bucket whose object no longer admits this namespace, and whatever bucket comes to have the name of one that was deleted: delete the keys before the bucket, or no other namespace gets a bucket of that name.',
  shortName: 'cokey',

  spec: z.object({
    label: optional(
      z.string().min(3).max(50),
      'Name in the cloud account, 3 to 50 characters, for example `uploads`; it is made under this name with a few characters behind it, which are then taken off. Absent: derived from the name of this object.',
    ),
    bucketAccess: optional(
      z
        .array(
          z.object({
            bucketRef: sharedRef('CloudBucket', clusterAndLabel).describe('Bucket that the key opens, for example `{name: assets}`.'),
            permissions: z.enum(['read_write', 'read_only']).describe('What it may do there, for example `read_only`.'),
          }),
        )
        .max(32),
      'Buckets that the key opens, each named once; `[]`: none. Cannot be changed. Absent: unlimited is needed.',
    ),
    unlimited: optional(
      checked(z.boolean(), { rule: 'self', message: 'unlimited is true, or is left out together with its line' }).register(accountIds, {
        ofAccount: true,
        own: true,
      }),
      'True: the key opens every bucket of the account, those to come too. Only in the namespace of the CloudAccount. Cannot be changed. Absent: bucketAccess is needed.',
    ),
  }),
  rules: [
    {
      rule: 'has(self.bucketAccess) != has(self.unlimited)',
      message: 'set exactly one of bucketAccess and unlimited: write for example bucketAccess: [] for a key that opens nothing yet',
    },
    {
      rule: '!has(self.unlimited) || !has(self.accountRef) || !has(self.accountRef.namespace)',
      message: 'an unlimited key is made in the namespace of its CloudAccount alone: leave accountRef.namespace out, and apply it there',
    },
  ],
  status: z.object({
    label: z.string().describe('Name in the cloud account.'),
    accessKey: z.string().describe('Public half of the key.'),
    limited: z.boolean().describe('False: it opens every bucket of the account.'),
  }),
  remote: Key,

  path: '/object-storage/keys',
  key: { enforced: 'counted', names: true, of: (want) => ({ label: want.label ?? want.name }) },
  label,

  // A list that is left out would make a key to everything.
  create: (want) => ({
    label: want.label ?? want.name,
    bucket_access: want.unlimited === true ? null : (want.bucketAccess ?? []).map(grantOf),
  }),
  lacks: ({ bucketAccess = [] }) => {
    const twice = namedTwice(bucketAccess);
    return twice === undefined
      ? undefined
      : `spec.bucketAccess names bucket ${twice} more than once: name it once, with the permissions that it shall have`;
  },
  fields: {
    label: labelWithoutNonce(label),
    bucketAccess: {
      read: (key) =>
        key.bucket_access?.map(({ cluster, bucket_name: name, permissions }) => ({ bucketRef: `${cluster}/${name}`, permissions })) ?? null,
      as: 'set',
      immutable: true,
      errors: ['bucket_access'],
    },
    unlimited: { read: ({ limited }) => !limited, immutable: true },
  },
  health: () => ready,
  observe: (key) => ({ label: key.label, accessKey: key.access_key, limited: key.limited }),

  borrows: { bucketHost: { ref: 'bucketAccess', status: 'hostname' } },
  outputs: {
    AWS_ACCESS_KEY_ID: { says: 'Public half of the key.', of: (key) => key.access_key },
    AWS_SECRET_ACCESS_KEY: {
      says: 'Secret half of the key, told once.',
      secret: true,
      toldOnce: 'secret_key',
      of: ({ secret_key: secret }) => (typeof secret === 'string' && isTold(secret) ? secret : undefined),
    },
    // As consumers of ObjectBucketClaims know them.
    BUCKET_NAME: { says: 'Name of the bucket, where the key opens exactly one.', of: (key) => onlyOf(key)?.bucket_name ?? null },
    BUCKET_HOST: {
      says: 'Host name under which that bucket is reached.',
      of: (key, { borrowed }) => (onlyOf(key) === undefined ? null : borrowed?.['bucketHost']),
    },
    BUCKET_REGION: {
      says: 'Object storage cluster of that bucket, which S3 clients take for a region.',
      of: (key) => onlyOf(key)?.cluster ?? null,
    },
  },

  rotation: {},
  sweep: { by: 'list' },
  events: [],
  windows: {
    'POST /object-storage/keys': 'object-write',
    'PUT /object-storage/keys/{}': 'object-write',
    'DELETE /object-storage/keys/{}': 'object-write',
  },
  // The item asks for the right to write, too, and would answer 401 to less.
  scopes: { read: ['object_storage:read_write'], write: ['object_storage:read_write'] },
  defaults: { onDelete: 'Delete', onMissing: 'Recreate' },
  columns: { Access: '.status.accessKey', Rotates: '.status.rotatesAt' },
});

function onlyOf({ bucket_access: access }: z.output<typeof Key>): Grant | undefined {
  return access?.length === 1 ? access[0] : undefined;
}
