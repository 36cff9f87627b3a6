import CloudObjectKey from '../../src/kinds/cloud-object-key.ts';
import type { Fixture } from '../conformance/fixture.ts';

const grant = (name: string, permissions = 'read_write') => ({ cluster: 'eu-central-1', bucket_name: name, permissions });

const row = {
  id: 123,
  label: 'uploads',
  access_key: 'KVAKUTGBA4WTR2NSJQ81',
  secret_key: '[REDACTED]',
  limited: true,
  bucket_access: [grant('shop-assets')],
};

export default {
  kind: CloudObjectKey,
  sample: {
    name: 'uploads',
    spec: {
      label: 'uploads',
      bucketAccess: [{ bucketRef: { name: 'shop-assets' }, permissions: 'read_write' }],
      rotation: { everyDays: 90 },
    },
  },
  needs: { 'shop-assets': { kind: 'CloudBucket' }, backups: { kind: 'CloudBucket' } },
  want: {
    name: 'uploads-abcdefgh',
    label: 'uploads',
    bucketAccess: [{ bucketRef: '$shop-assets', permissions: 'read_write' }],
    borrowed: { bucketHost: 'shop-assets.eu-central-1.vmobjects.com' },
  },
  wants: {
    'a label of the operator': { label: undefined },
    'the longest label': { label: 'u'.repeat(50) },
    'nothing yet': { bucketAccess: [] },
    'two buckets': {
      bucketAccess: [
        { bucketRef: '$shop-assets', permissions: 'read_only' },
        { bucketRef: '$backups', permissions: 'read_write' },
      ],
    },
    everything: { bucketAccess: undefined, unlimited: true },
  },
  remote: row,
  told: { secret_key: 'OiA6F5r0niLs3QA2stbyq7mY5VCV7KqOzcmitmHw' },

  rejects: {
    'a label that is too short': [{ label: 'ab' }, 'label'],
    'a label that is too long': [{ label: 'u'.repeat(51) }, 'label'],
    'nothing about buckets, which the service would take for all of them': [
      { bucketAccess: undefined },
      'exactly one of bucketAccess and unlimited',
    ],
    'buckets and all of them': [{ unlimited: true }, 'exactly one of bucketAccess and unlimited'],
    'an unlimited key that is none': [{ bucketAccess: undefined, unlimited: false }, 'unlimited is true, or is left out'],
    'an unlimited key for an account of another namespace': [
      { bucketAccess: undefined, unlimited: true, accountRef: { name: 'default', namespace: 'platform' } },
      'leave accountRef.namespace out',
    ],
    'a bucket and nothing about what may be done there': [{ bucketAccess: [{ bucketRef: { name: 'shop-assets' } }] }, 'permissions'],
    'a permission that there is not': [
      { bucketAccess: [{ bucketRef: { name: 'shop-assets' }, permissions: 'write_only' }] },
      'permissions',
    ],
    'a bucket that has no cluster': [
      { bucketAccess: [{ bucketRef: { external: 'assets' }, permissions: 'read_only' }] },
      'write for example eu-central-1/shop-assets',
    ],
    'a bucket by object and by id': [
      { bucketAccess: [{ bucketRef: { name: 'shop-assets', external: 'eu-central-1/shop-assets' }, permissions: 'read_only' }] },
      'exactly one of name and external',
    ],
    'more buckets than a key is for': [
      { bucketAccess: Array.from({ length: 33 }, (_, i) => ({ bucketRef: { name: `b-${i}` }, permissions: 'read_only' })) },
      'bucketAccess',
    ],
    'the secret in a ConfigMap': [
      { outputs: [{ configMapName: 's3', keys: { SECRET: 'AWS_SECRET_ACCESS_KEY' } }] },
      'secret and cannot go into a ConfigMap: name a Secret with secretName',
    ],
    'a rotation all the time': [{ rotation: { everyDays: 0 } }, 'everyDays is 1 to 365: write for example 90'],
    'a rotation in the year after next': [{ rotation: { everyDays: 400 } }, 'everyDays is 1 to 365: write for example 90'],
    'an overlap of more than a month': [
      { rotation: { everyDays: 30, overlapHours: 721 } },
      'overlapHours is 0 to 720: write for example 24',
    ],
    'what it does not give out': [{ outputs: [{ secretName: 's3', keys: { TOKEN: 'AWS_SESSION_TOKEN' } }] }, 'gives out AWS_ACCESS_KEY_ID'],
  },
  edits: [
    { field: 'label', to: 'uploads-2', calls: ['PUT {item}'], body: { label: 'uploads-2' } },
    {
      field: 'bucketAccess',
      to: [{ bucketRef: '$shop-assets', permissions: 'read_only' }],
      spec: [{ bucketRef: { name: 'shop-assets' }, permissions: 'read_only' }],
      refused: true,
    },
    { field: 'unlimited', to: true, with: { bucketAccess: undefined }, refused: true },
  ],
  plans: [
    {
      name: 'what it was sent with is taken off a label of the spec',
      remote: { label: 'uploads-k3vq2m7a' },
      step: { do: 'update', call: { method: 'PUT', path: '/object-storage/keys/123', body: { label: 'uploads' } } },
    },
    {
      name: 'and off one of the operator',
      want: { label: undefined },
      remote: { label: 'uploads-abcdefgh-k3vq2m7a' },
      step: { do: 'update', call: { method: 'PUT', path: '/object-storage/keys/123', body: { label: 'uploads-abcdefgh' } } },
    },
    { name: 'any other label is left alone where the spec has none', want: { label: undefined }, step: { do: 'nothing' } },
    {
      name: 'no bucket is said to the service, which takes nothing for everything',
      want: { bucketAccess: [] },
      remote: null,
      step: { do: 'create', call: { path: '/object-storage/keys', body: { label: 'uploads', bucket_access: [] } } },
    },
    {
      name: 'everything is said, too',
      want: { bucketAccess: undefined, unlimited: true },
      remote: null,
      step: { do: 'create', call: { path: '/object-storage/keys', body: { label: 'uploads', bucket_access: null } } },
    },
    {
      name: 'a bucket is named by its cluster and its label',
      remote: null,
      step: { do: 'create', call: { body: { bucket_access: [grant('shop-assets')] } } },
    },
    {
      name: 'the order of buckets is no difference',
      want: {
        bucketAccess: [
          { bucketRef: '$backups', permissions: 'read_only' },
          { bucketRef: '$shop-assets', permissions: 'read_write' },
        ],
      },
      remote: { bucket_access: [grant('shop-assets'), grant('backups', 'read_only')] },
      step: { do: 'nothing' },
    },
    {
      name: 'a key to everything is not what was asked for',
      remote: { limited: false, bucket_access: null },
      step: { do: 'refuse', reason: 'ImmutableField' },
    },
    { name: 'nothing has to come before its deletion', deleting: true, step: { do: 'delete', call: { path: '/object-storage/keys/123' } } },
  ],
} satisfies Fixture<typeof CloudObjectKey>;
