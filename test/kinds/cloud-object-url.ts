import CloudObjectURL from '../../src/kinds/cloud-object-url.ts';
import type { Fixture } from '../conformance/fixture.ts';

export default {
  kind: CloudObjectURL,
  sample: { name: 'golden', spec: { bucketRef: { name: 'shop-assets' }, object: 'images/golden.gz', expiresInSeconds: 86_400 } },
  needs: { 'shop-assets': { kind: 'CloudBucket' } },
  want: { name: 'golden-abcdefgh', bucketRef: '$shop-assets', object: 'images/golden.gz', expiresInSeconds: 86_400 },
  wants: {
    'an hour, unless something else is said': { expiresInSeconds: undefined },
    'the shortest time': { expiresInSeconds: 360 },
    'a URL to write to': { method: 'PUT', contentType: 'application/gzip' },
    'a form to send': { method: 'POST', contentType: 'text/plain; charset=utf-8' },
    'a URL to delete with': { method: 'DELETE' },
    'a name of all that may be in one': { object: 'a b/ü?&%2F..x/.y' },
  },
  remote: {
    url: 'https://assets.eu-central-1.vmobjects.com/images/golden.gz?Signature=c2ln&Expires=1678183230&AWSAccessKeyID=AK',
    exists: false,
    expires: '2023-03-07T10:00:30Z',
  },

  rejects: {
    'no object': [{ object: '' }, 'object'],
    'a name that is too long': [{ object: 'o'.repeat(1025) }, 'object'],
    'a path from the root': [{ object: '/images/golden.gz' }, 'begins with no slash: write for example images/golden.gz'],
    'a name that climbs': [{ object: 'images/../../other/secret' }, 'no part that is . or ..'],
    'a line break in the name': [{ object: 'golden\n.gz' }, 'no control characters'],
    'a method that there is none of': [{ method: 'HEAD' }, 'method'],
    'a method in small letters': [{ method: 'put', contentType: 'text/plain' }, 'method'],
    'an upload of no type': [{ method: 'PUT' }, 'contentType goes with method PUT or POST'],
    'a type where nothing is sent': [{ contentType: 'text/plain' }, 'leave it out elsewhere'],
    'a type that is none': [{ method: 'PUT', contentType: 'gzip' }, 'write for example application/gzip'],
    'a time that is too short': [{ expiresInSeconds: 359 }, '360'],
    'a time that is too long': [{ expiresInSeconds: 86_401 }, '86400'],
    'a bucket by its label alone': [{ bucketRef: { external: 'shop-assets' } }, 'write for example eu-central-1/shop-assets'],
    'the URL in a ConfigMap': [
      { outputs: [{ configMapName: 'golden', keys: { URL: 'url' } }] },
      'url is secret and cannot go into a ConfigMap: name a Secret with secretName',
    ],
  },
  edits: [
    { field: 'bucketRef', to: 'eu-central-1/other', spec: { external: 'eu-central-1/other' }, refused: true, admissionOnly: true },
    { field: 'object', to: 'images/other.gz', refused: true, admissionOnly: true },
    { field: 'method', to: 'DELETE', calls: [] },
    { field: 'method', to: 'PUT', with: { contentType: 'application/gzip' }, calls: [] },
    { field: 'expiresInSeconds', to: 7200, calls: [] },
    { field: 'contentType', to: 'application/gzip', with: { method: 'PUT' }, calls: [] },
  ],
  plans: [],
} satisfies Fixture<typeof CloudObjectURL>;
