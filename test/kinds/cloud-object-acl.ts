import CloudObjectACL from '../../src/kinds/cloud-object-acl.ts';
import type { Fixture } from '../conformance/fixture.ts';

/** Put there by the emulated account (knob bucketsHold): no kind stores objects. */
const object = 'img/logo.png';
const xml = '<AccessControlPolicy xmlns="http://s3.amazonaws.com/doc/2006-03-01/"/>';
const call = { method: 'PUT', path: '/object-storage/buckets/eu-central-1/shop-assets/object-acl' };
const inBucket = { bucketRef: 'eu-central-1/shop-assets' };

export default {
  kind: CloudObjectACL,
  sample: { name: 'logo', spec: { bucketRef: { name: 'shop-assets' }, object, acl: 'public-read' } },
  needs: {
    'shop-assets': { kind: 'CloudBucket' },
    'other-assets': { kind: 'CloudBucket' },
  },
  want: { name: 'logo-abcdefgh', bucketRef: '$shop-assets', object, acl: 'public-read' },
  wants: {
    'for nobody else': { acl: 'private' },
    'for all users of the service': { acl: 'authenticated-read' },
    'for everybody to replace': { acl: 'public-read-write' },
  },
  remote: { acl: 'public-read', acl_xml: xml },

  rejects: {
    'no bucket': [{ bucketRef: undefined }, 'bucketRef'],
    'a bucket by its label alone': [{ bucketRef: { external: 'shop-assets' } }, 'write for example eu-central-1/shop-assets'],
    'a bucket that leads elsewhere': [
      { bucketRef: { external: 'eu-central-1/../../volumes' } },
      'write for example eu-central-1/shop-assets',
    ],
    'a bucket that is named twice': [
      { bucketRef: { name: 'shop-assets', external: 'eu-central-1/x1' } },
      'exactly one of name and external',
    ],
    'no object': [{ object: undefined }, 'object'],
    'an object without a name': [{ object: '' }, 'object'],
    'an address in place of a name': [{ object: 's3://shop-assets/img/logo.png' }, 'not an address: write for example img/logo.png'],
    'a name that is too long': [{ object: 'a'.repeat(1025) }, 'object'],
    'a name that climbs into another bucket': [{ object: '../other-bucket/logo.png' }, 'no part that is . or ..'],
    'a name with a line break': [{ object: 'img/\nlogo.png' }, 'control characters'],
    'no access': [{ acl: undefined }, 'acl'],
    'an access that can only be seen': [{ acl: 'custom' }, 'acl'],
    'an access of S3 that the service does not know': [{ acl: 'bucket-owner-read' }, 'acl'],
  },
  edits: [
    { field: 'bucketRef', to: '$other-assets', spec: { name: 'other-assets' }, refused: true, admissionOnly: true },
    { field: 'object', to: 'img/other.png', refused: true, admissionOnly: true },
    {
      field: 'acl',
      to: 'private',
      calls: ['PUT /object-storage/buckets/*/*/object-acl'],
      body: { name: object, acl: 'private' },
    },
  ],
  plans: [
    {
      name: 'what S3 tools set is put back',
      want: inBucket,
      remote: { acl: 'custom' },
      step: { do: 'update', call: { ...call, body: { name: object, acl: 'public-read' } } },
    },
    {
      name: 'the name goes into the body as it is, and into no path',
      want: { ...inBucket, object: '../../x?acl=1&name=y#z' },
      remote: { acl: 'private' },
      step: { do: 'update', call: { ...call, body: { name: '../../x?acl=1&name=y#z', acl: 'public-read' } } },
    },
    { name: 'what is as wanted is left alone', want: inBucket, step: { do: 'nothing' } },
    {
      name: 'in an account that is only read nothing is opened',
      want: inBucket,
      remote: { acl: 'private' },
      policy: { management: 'ReadOnly' },
      step: { do: 'report' },
    },
  ],
} satisfies Fixture<typeof CloudObjectACL>;
