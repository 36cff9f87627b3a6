import * as z from 'zod';
import {
  type Call,
  checked,
  clusterAndLabel,
  countsAsApplied,
  defineCollection,
  del,
  type Health,
  optional,
  path,
  post,
  put,
  ready,
  secretKey,
  slug,
} from '../resource/index.ts';
import { opens } from './object-storage/grant.ts';

/** The fields of a bucket that this operator reads. It has no id of its own. */
const Bucket = z.object({
  label: z.string(),
  cluster: z.string(),
  hostname: z.string(),
  created: z.string(),
  objects: z.number(),
  size: z.number(),
});
/** Not documented but recorded; without it nobody could see a change of access. */
const Access = z.object({ acl: z.string().optional(), cors_enabled: z.boolean().optional() });
const Tls = z.object({ ssl: z.boolean().optional() });

type Bucket = z.output<typeof Bucket>;

const item = ({ cluster, label }: { readonly cluster: string; readonly label: string }): string =>
  path`/object-storage/buckets/${cluster}/${label}`;

/** One call for all that differs: POST sets both, PUT the one that is given. */
function setAccess(bucket: Bucket, want: { readonly acl?: string | undefined; readonly corsEnabled?: boolean | undefined }): Call {
  const at = `${item(bucket)}/access`;
  const { acl, corsEnabled: cors_enabled } = want;
  if (acl !== undefined && cors_enabled !== undefined) return post(at, { acl, cors_enabled });
  return put(at, { ...(acl !== undefined && { acl }), ...(cors_enabled !== undefined && { cors_enabled }) });
}

export default defineCollection({
  kind: 'CloudBucket',
  summary: 'An object storage bucket.',
  shortName: 'cbkt',

  spec: z.object({
    label: optional(
      checked(
        z.string().min(3).max(63),
        {
          rule: "self.matches('^[a-z0-9][a-z0-9.-]*[a-z0-9]$')",
          message:
            'label has lower-case letters, digits, dashes and periods, and begins and ends with a letter or digit: write for example shop-assets',
        },
        {
          rule: "!self.contains('..') && !self.contains('.-') && !self.contains('-.')",
          message: 'label must not have a period beside a period or a dash: write one of them',
        },
        { rule: "!self.matches('^[0-9]+([.][0-9]+){3}$')", message: 'label must not look like an IP address: add a letter' },
      ),
      'Name of the bucket, 3 to 63 characters, for example `shop-assets`; nobody else in the cluster may have it. Cannot be changed. Absent: derived from the name of this object.',
    ),
    cluster: slug().describe('Object storage cluster, for example `eu-central-1`. Cannot be changed.'),
    acl: optional(
      z.enum(['private', 'public-read', 'authenticated-read', 'public-read-write']),
      'Who may use objects without being asked object by object, for example `private`. Absent: left alone, private at creation.',
    ),
    corsEnabled: optional(
      z.boolean(),
      'True lets web pages of all origins use the bucket. Absent: left alone; the service enables it at creation unless told otherwise.',
    ),
    tls: optional(
      z.object({
        certificate: secretKey().describe(
          'Key of a Secret with the certificate and its chain as PEM, for example `{name: shop-tls, key: tls.crt}`.',
        ),
        privateKey: secretKey().describe('Key of a Secret with the private key as PEM, for example `{name: shop-tls, key: tls.key}`.'),
      }),
      `Certificate for a bucket whose label is a host name of yours; uploaded when there is none, and again when the Secret changes. ${countsAsApplied} Taken out of the spec: the one that this operator uploaded is removed. Absent: one that others uploaded is left alone.`,
    ),
  }),
  status: z.object({
    hostname: z.string().describe('Name under which the bucket is reached, for example `shop-assets.eu-central-1.vmobjects.com`.'),
    objects: z.int().describe('Number of objects; a bucket must be empty to be deleted.'),
    sizeBytes: z.int().describe('Size of all objects in bytes.'),
    acl: z.string().describe('Access as the service sees it; `custom` when it was set object by object or by S3 tools.'),
    corsEnabled: z.boolean().describe('Whether web pages of all origins may use the bucket.'),
    tls: z.boolean().describe('Whether the bucket has a certificate of its own.'),
  }),
  remote: Bucket,

  path: '/object-storage/buckets',
  item,
  id: ({ cluster, label }) => `${cluster}/${label}`,
  ids: clusterAndLabel,
  parts: {
    access: { path: (at) => `${at}/access`, paged: false, schema: Access, for: 'drift' },
    tls: { path: (at) => `${at}/ssl`, paged: false, schema: Tls, for: 'drift' },
  },
  key: { enforced: 'item', names: true, of: (want) => ({ cluster: want.cluster, label: want.label ?? want.name }) },
  label: { field: 'label', max: 63, refused: /[^a-z0-9-]/g },
  // A key names buckets by their names, and outlives them.
  conflictsWith: {
    kind: 'CloudObjectKey',
    says: ({ cluster, label, name }, { bucket_access: access }) =>
      opens(access, { cluster, label: label ?? name }) ? 'an access key that would open it' : undefined,
    unlessAdmitted: true,
  },
  createdAt: 'created',

  create: (want) => ({ label: want.label ?? want.name, cluster: want.cluster, acl: want.acl, cors_enabled: want.corsEnabled }),
  fields: {
    label: { read: (bucket) => bucket.label, immutable: true },
    cluster: { read: (bucket) => bucket.cluster, immutable: true, catalogue: { path: '/object-storage/clusters' } },
    acl: { read: (bucket) => bucket.access?.acl, call: (_, bucket, want) => setAccess(bucket, want), part: 'access' },
    corsEnabled: {
      read: (bucket) => bucket.access?.cors_enabled,
      call: (_, bucket, want) => setAccess(bucket, want),
      part: 'access',
      errors: ['cors_enabled'],
    },
    tls: {
      applied: true,
      // Which one it is, no answer tells.
      read: ({ tls: { ssl } = {} }) => (ssl === undefined ? undefined : ssl ? {} : null),
      call: (tls, bucket) => {
        const at = `${item(bucket)}/ssl`;
        return tls === undefined ? del(at) : post(at, { certificate: tls.certificate, private_key: tls.privateKey });
      },
      unset: 'clear',
      part: 'tls',
      errors: ['certificate', 'private_key'],
    },
  },
  health: (): Health => ready,
  observe: (bucket) => ({
    hostname: bucket.hostname,
    objects: bucket.objects,
    sizeBytes: bucket.size,
    ...(bucket.access?.acl !== undefined && { acl: bucket.access.acl }),
    ...(bucket.access?.cors_enabled !== undefined && { corsEnabled: bucket.access.cors_enabled }),
    ...(bucket.tls?.ssl !== undefined && { tls: bucket.tls.ssl }),
  }),
  // As consumers of ObjectBucketClaims know them.
  outputs: {
    BUCKET_NAME: { says: 'Name of the bucket.', of: (bucket) => bucket.label },
    BUCKET_HOST: { says: 'Host name under which the bucket is reached.', of: (bucket) => bucket.hostname },
    BUCKET_REGION: { says: 'Object storage cluster, which S3 clients take for a region.', of: (bucket) => bucket.cluster },
  },
  deletion: {
    waits: ({ objects }) =>
      objects > 0
        ? {
            personMust: `the bucket holds ${objects} ${objects === 1 ? 'object' : 'objects'}, and only an empty one can be deleted. Empty it, or set spec.lifecycle.onDelete: Retain to leave it in the account`,
          }
        : undefined,
  },

  sweep: { by: 'list' },
  events: [],
  windows: {
    'POST /object-storage/buckets': 'object-write',
    'POST /object-storage/buckets/{}/{}/access': 'object-write',
    'PUT /object-storage/buckets/{}/{}/access': 'object-storage',
  },
  scopes: { read: ['object_storage:read_only'], write: ['object_storage:read_write'] },
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  shareable: true,
  columns: { Cluster: '.spec.cluster', Objects: '.status.objects', Hostname: '.status.hostname' },
});
