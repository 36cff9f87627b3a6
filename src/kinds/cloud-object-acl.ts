import * as z from 'zod';
import {
  type Call,
  checked,
  clusterAndLabel,
  defineSingleton,
  filters,
  isOneLine,
  namesInBucket,
  path,
  put,
  ready,
  ref,
  type RemoteId,
} from '../resource/index.ts';

/** The fields of `GET .../object-acl` that this operator reads. */
const Access = z.object({ acl: z.string() });

/** The id of a bucket is its cluster, a slash and its label. */
function below(bucket: RemoteId): string {
  const [cluster = '', label = ''] = String(bucket).split('/');
  return path`/object-storage/buckets/${cluster}/${label}/object-acl`;
}
const setAccess = (bucket: RemoteId, name: string, acl: string): Call => put(below(bucket), { name, acl });

export default defineSingleton({
  kind: 'CloudObjectACL',
  summary: 'Who may use one object of a bucket, whatever the bucket says: for example a logo that all may see.',
  shortName: 'cacl',

  spec: z.object({
    // Who may write into a bucket of another namespace may not open to the public what is in it.
    bucketRef: ref('CloudBucket', clusterAndLabel).describe(
      'Bucket that holds the object, for example `{name: shop-assets}`; of the same namespace, whomever the bucket admits. Cannot be changed.',
    ),
    object: checked(
      z.string().min(1).max(1024),
      {
        rule: "!self.matches('^[a-z0-9]+://')",
        message: 'object is the name within the bucket, not an address: write for example img/logo.png',
      },
      namesInBucket,
      { rule: isOneLine('self'), message: 'object must not have control characters: write for example img/logo.png' },
    ).describe(
      'Name of the object within the bucket, 1 to 1024 characters, for example `img/logo.png`. It is waited for where there is none yet. Cannot be changed.',
    ),
    acl: z
      .enum(['private', 'public-read', 'authenticated-read', 'public-read-write'])
      .describe(
        'Who may use the object: `private`, `public-read` (everybody on the internet may read it), `authenticated-read` (every user of the object storage may), `public-read-write` (everybody may read and replace it).',
      ),
  }),
  status: z.object({
    acl: z.string().describe('Access as the service sees it; `custom` when S3 tools set something else.'),
  }),
  remote: Access,

  parent: { ref: 'bucketRef', calls: 1 },
  path: (want) => `${below(want.bucketRef)}?name=${filters.uri(want.object)}`,
  fields: {
    bucketRef: { immutable: true, errors: ['bucket', 'cluster'] },
    object: { immutable: true, errors: ['name'] },
    acl: {
      read: (access) => access.acl,
      call: (acl, _, want) => setAccess(want.bucketRef, want.object, acl),
    },
  },
  health: () => ready,
  observe: ({ acl }) => ({ acl }),
  comesLater: {
    what: ({ object }) => `object ${JSON.stringify(object)} of the bucket`,
    bring: 'upload it first, under exactly this name, with any S3 tool',
  },

  // No event tells of a change; each is read by itself in the rounds, so that these are not for thousands of objects.
  events: [],
  windows: {
    'GET /object-storage/buckets/{}/{}/object-acl': 'object-storage',
    'PUT /object-storage/buckets/{}/{}/object-acl': 'object-storage',
  },
  scopes: { read: ['object_storage:read_only'], write: ['object_storage:read_write'] },
  // What it was before nobody knows, and private is no safe guess: a page may show it.
  defaults: { onDelete: 'Retain', onMissing: 'Stall' },
  columns: { Object: '.spec.object', ACL: '.status.acl' },
});
