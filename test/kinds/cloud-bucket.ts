import CloudBucket from '../../src/kinds/cloud-bucket.ts';
import { Sensitive } from '../../src/resource/index.ts';
import type { Fixture } from '../conformance/fixture.ts';

const pem = (what: string): Sensitive => new Sensitive(`-----BEGIN ${what}-----\nMIIB\n-----END ${what}-----\n`);
const tls = { certificate: pem('CERTIFICATE'), privateKey: pem('PRIVATE KEY') };

export default {
  kind: CloudBucket,
  sample: { name: 'shop-assets', spec: { cluster: 'eu-central-1', acl: 'private', corsEnabled: false } },
  want: { name: 'shop-assets-abcdefgh', cluster: 'eu-central-1', acl: 'private', corsEnabled: false },
  wants: {
    'a label of its own': { label: 'assets.example.org' },
    'access left alone': { acl: undefined, corsEnabled: undefined },
    'a certificate of its own': { label: 'assets.example.org', tls },
    'for the public': { acl: 'public-read', corsEnabled: true },
  },
  conflicts: [
    {
      id: 9,
      label: 'confidential',
      bucket_access: [
        { cluster: 'ap-south-1', bucket_name: 'others', permissions: 'read_write' },
        { cluster: 'eu-central-1', bucket_name: 'shop-assets-abcdefgh', permissions: 'read_only' },
      ],
    },
  ],
  remote: {
    label: 'shop-assets-abcdefgh',
    cluster: 'eu-central-1',
    hostname: 'shop-assets-abcdefgh.eu-central-1.vmobjects.com',
    created: '2023-03-06T10:00:00',
    size: 0,
    objects: 0,
    access: { acl: 'private', acl_xml: '<AccessControlPolicy/>', cors_enabled: false, cors_xml: null },
  },

  rejects: {
    'outputs twice to one place': [
      {
        outputs: [
          { configMapName: 'assets', keys: { BUCKET: 'BUCKET_NAME' } },
          { configMapName: 'assets', keys: { HOST: 'BUCKET_HOST' } },
        ],
      },
      'name each Secret and ConfigMap once',
    ],
    'a key that no ConfigMap can have': [
      { outputs: [{ configMapName: 'assets', keys: { 'a b': 'BUCKET_NAME' } }] },
      'write for example DB_HOST',
    ],
    'a cluster that leads elsewhere': [{ cluster: 'eu/../..' }, 'cluster'],
    'a label that is too short': [{ label: 'ab' }, 'label'],
    'a label that is too long': [{ label: 'a'.repeat(64) }, 'label'],
    capitals: [{ label: 'Assets' }, 'lower-case'],
    'an underscore': [{ label: 'shop_assets' }, 'lower-case'],
    'a dash at the end': [{ label: 'shop-' }, 'begins and ends with'],
    'a period at the end': [{ label: 'shop.' }, 'begins and ends with'],
    'two periods in a row': [{ label: 'shop..assets' }, 'period beside a period or a dash'],
    'a period beside a dash': [{ label: 'shop.-assets' }, 'period beside a period or a dash'],
    'an IP address': [{ label: '203.0.113.7' }, 'look like an IP address'],
    'no cluster': [{ cluster: undefined }, 'cluster'],
    'an access that can only be seen': [{ acl: 'custom' }, 'acl'],
    'a certificate without its key': [{ tls: { certificate: { name: 'shop-tls', key: 'tls.crt' } } }, 'tls'],
    'a text for a switch': [{ corsEnabled: 'yes' }, 'corsEnabled'],
  },
  edits: [
    { field: 'label', to: 'other-assets', refused: true },
    { field: 'cluster', to: 'ap-south-1', refused: true },
    { field: 'acl', to: 'public-read', calls: ['POST {item}/access'], body: { acl: 'public-read', cors_enabled: false } },
    { field: 'corsEnabled', to: true, calls: ['POST {item}/access'], body: { acl: 'private', cors_enabled: true } },
  ],
  exempt: {
    'complete after one POST: a certificate of its own': 'only the ssl call takes a certificate',
    'edits tls': 'its value is never shown; the rows below show it',
  },
  plans: [
    {
      name: 'a certificate is uploaded where there is none',
      want: { tls },
      remote: { tls: { ssl: false } },
      step: { do: 'update', call: { method: 'POST', path: '/object-storage/buckets/eu-central-1/shop-assets-abcdefgh/ssl' } },
    },
    { name: 'a certificate that is there is left alone', want: { tls }, remote: { tls: { ssl: true } }, step: { do: 'nothing' } },
    {
      name: 'a certificate that was rotated is uploaded again',
      want: { tls },
      remote: { tls: { ssl: true } },
      context: { applied: () => false },
      step: { do: 'update', call: { method: 'POST' } },
    },
    { name: 'whether there is a certificate is read first', want: { tls }, step: { do: 'read', part: 'tls' } },
    {
      name: 'a certificate that was uploaded goes when the spec drops it',
      want: { tls: undefined },
      remote: { tls: { ssl: true } },
      context: { applied: () => false },
      step: { do: 'update', call: { method: 'DELETE', path: '/object-storage/buckets/eu-central-1/shop-assets-abcdefgh/ssl' } },
    },
    {
      name: 'whether it is still there is read first',
      want: { tls: undefined },
      context: { applied: () => false },
      step: { do: 'read', part: 'tls' },
    },
    {
      name: 'one that is gone already is not taken away',
      want: { tls: undefined },
      remote: { tls: { ssl: false } },
      context: { applied: () => false },
      step: { do: 'nothing' },
    },
    {
      name: 'one that others uploaded stays',
      want: { tls: undefined },
      remote: { tls: { ssl: true } },
      step: { do: 'nothing' },
    },
    {
      name: 'custom access is no drift where access is not managed',
      want: { acl: undefined },
      remote: { access: { acl: 'custom', cors_enabled: false } },
      step: { do: 'nothing' },
    },
    {
      name: 'custom access is drift where it is',
      remote: { access: { acl: 'custom', cors_enabled: false } },
      step: { do: 'update', call: { method: 'POST', body: { acl: 'private' } } },
    },
    {
      name: 'only what is managed is sent',
      want: { acl: undefined },
      remote: { access: { acl: 'custom', cors_enabled: true } },
      step: { do: 'update', call: { method: 'PUT', body: { cors_enabled: false } } },
    },
    {
      name: 'access that was not read gives no verdict',
      remote: { access: undefined },
      context: { pending: false },
      step: { do: 'nothing' },
    },
    { name: 'access is read before an edit', remote: { access: undefined }, step: { do: 'read', part: 'access' } },
    {
      name: 'access that nobody manages is not read',
      want: { acl: undefined, corsEnabled: undefined },
      remote: { access: undefined },
      step: { do: 'nothing' },
    },
    {
      name: 'it is made with its access',
      remote: null,
      step: { do: 'create', call: { path: '/object-storage/buckets', body: { acl: 'private', cors_enabled: false } } },
    },
    {
      name: 'a bucket that holds something waits for a person, who is told how much',
      remote: { objects: 12 },
      deleting: true,
      step: { do: 'refuse', reason: 'Rejected' },
    },
    {
      name: 'an empty one is',
      deleting: true,
      step: { do: 'delete', call: { path: '/object-storage/buckets/eu-central-1/shop-assets-abcdefgh' } },
    },
  ],
} satisfies Fixture<typeof CloudBucket>;
