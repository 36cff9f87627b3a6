import * as z from 'zod';
import {
  checked,
  clusterAndLabel,
  defineIssued,
  namesInBucket,
  optional,
  path,
  post,
  type RemoteId,
  sharedRef,
} from '../resource/index.ts';

/** What `POST /object-storage/buckets/{cluster}/{bucket}/object-url` answers; the engine adds when it expires. */
const Signed = z.object({ url: z.string().min(1), exists: z.boolean().nullish(), expires: z.string() });

const usualMethod = 'GET';
const usualSeconds = 3600;
/** An id of a bucket is its cluster, a slash and its label. */
const signing = (bucket: RemoteId): string => {
  const [cluster = '', ...label] = String(bucket).split('/');
  return path`/object-storage/buckets/${cluster}/${label.join('/')}/object-url`;
};

export default defineIssued({
  kind: 'CloudObjectURL',
  summary:
    'A pre-signed URL of one object in a bucket, in a Secret and always fresh there: whoever has it may read, write or delete that object, until it expires also in another bucket that has come to have the name.',
  shortName: 'curl',

  spec: z.object({
    bucketRef: sharedRef('CloudBucket', clusterAndLabel).describe('Bucket of the object, for example `{name: assets}`. Cannot be changed.'),
    object: checked(
      z.string().min(1).max(1024),
      {
        rule: "!self.startsWith('/')",
        message: 'object is a name in the bucket and begins with no slash: write for example images/golden.gz',
      },
      namesInBucket,
      {
        rule: String.raw`self.matches('^[^\\x00-\\x1f\\x7f]*$')`,
        message: 'object has no control characters: write for example images/golden.gz',
      },
    ).describe('Name of the object in the bucket, for example `images/golden.gz`. It need not be there yet. Cannot be changed.'),
    method: optional(
      z.enum(['GET', 'PUT', 'POST', 'DELETE']),
      'What the URL is for, for example `PUT` to let somebody upload the object without a key. Absent: GET.',
    ),
    contentType: optional(
      checked(z.string().min(3).max(255), {
        rule: "self.matches('^[a-zA-Z0-9!#$&^_.+-]+/[a-zA-Z0-9!#$&^_.+-]+(; ?[a-zA-Z0-9-]+=[a-zA-Z0-9._-]+)*$')",
        message: 'contentType is a media type: write for example application/gzip',
      }),
      'With PUT and POST: the `Content-Type` that whoever uses the URL must send, for example `application/gzip`. Absent: none, as for GET and DELETE.',
    ),
    expiresInSeconds: optional(
      z.int().min(360).max(86_400),
      'How long each URL works, 360 to 86400 seconds, for example `86400`; it is renewed when a third of that is left. Nothing can end it earlier. Absent: 3600.',
    ),
  }),
  rules: [
    {
      rule: "has(self.contentType) == (has(self.method) && self.method in ['PUT', 'POST'])",
      message:
        'contentType goes with method PUT or POST, and only with these: set it there, for example to application/gzip, and leave it out elsewhere',
      fieldPath: '.contentType',
    },
  ],
  status: z.object({ exists: z.boolean().describe('Whether the object was there when the URL was made.') }),
  remote: Signed,

  fields: {
    bucketRef: { immutable: true },
    object: { immutable: true, errors: ['name'] },
    method: {},
    contentType: {},
    expiresInSeconds: { errors: ['expires_in'] },
  },
  issue: {
    call: ({ bucketRef, object, method = usualMethod, contentType, expiresInSeconds = usualSeconds }) =>
      post(signing(bucketRef), {
        name: object,
        method,
        ...(contentType !== undefined && { content_type: contentType }),
        expires_in: expiresInSeconds,
      }),
    seconds: ({ expiresInSeconds = usualSeconds }) => expiresInSeconds,
  },
  observe: ({ exists }) => (typeof exists === 'boolean' ? { exists } : {}),
  outputs: {
    url: { says: 'The URL. It is a credential: whoever has it needs no other.', secret: true, of: ({ url }) => url },
    expires: { says: 'Until when it works, as RFC 3339.', of: ({ expires }) => expires },
  },

  windows: { 'POST /object-storage/buckets/{}/{}/object-url': 'object-storage' },
  scopes: { read: ['object_storage:read_only'], write: ['object_storage:read_write'] },
  columns: { Object: '.spec.object', Method: '.spec.method', Expires: '.status.expires' },
});
