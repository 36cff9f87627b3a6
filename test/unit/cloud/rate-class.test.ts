import { expect, test } from 'vitest';
import { pathTemplate } from '../../../src/cloud/http/path-template.ts';
import { rateClasses } from '../../../src/cloud/requests/rate-class.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import type { Call, RateClass } from '../../../src/resource/index.ts';
import { areas } from '../../emulator/areas.ts';

const rateClassOf = rateClasses(kinds);

test.each<[Call['method'], string, string]>([
  ['GET', '/volumes/1', 'general'],
  ['GET', '/volumes?page=1&page_size=500', 'list'],
  ['GET', '/account/events?page_size=100', 'list'],
  ['PUT', '/volumes/1', 'general'],
  ['POST', '/volumes', 'volume-create'],
  ['POST', '/volumes/1/attach', 'general'],
  ['POST', '/vm/instances', 'instance-create'],
  ['POST', '/volumes/1/clone', 'volume-create'],
  ['POST', '/vm/instances/1/boot', 'general'],
  ['GET', '/vm/instances?page=1', 'list'],
  ['GET', '/images?page=1&page_size=500', 'image-list'],
  ['GET', '/images/private%2F1', 'general'],
  ['POST', '/object-storage/buckets', 'object-write'],
  ['POST', '/object-storage/buckets/us-east-1/a/access', 'object-write'],
  ['GET', '/object-storage/buckets/us-east-1/a/access', 'general'],
  ['PUT', '/object-storage/buckets/us-east-1/a/access', 'object-storage'],
  ['POST', '/object-storage/buckets/us-east-1/a/object-url', 'object-storage'],
  ['GET', '/object-storage/buckets?page=1', 'list'],
])('%s %s counts as %s', (method, path, rate) => {
  expect(rateClassOf({ method, path })).toBe(rate);
});

/** The emulator's words for the windows that the service keeps apart. */
const apart: Readonly<Record<string, RateClass>> = {
  vm_create: 'instance-create',
  volume_create: 'volume-create',
  image_list: 'image-list',
  stackscript_list: 'script-list',
  object_write: 'object-write',
  object: 'object-storage',
  ticket: 'ticket',
};
/** Sent by the plugin alone, one at a time; and the access of a bucket, which may be a write of the bucket as well. */
const elsewhere = [/\/object-list$/, /\/(?:account\/)?[a-z-]*transfers\/\{\w+\}\/accept$/, /^POST .*\/access$/];
const limited = areas
  .flatMap(({ operations }) => operations)
  .flatMap(({ method, path, rate = 'default' }) => (apart[rate] === undefined ? [] : [[method, path, apart[rate]] as const]))
  .filter(([method, path]) => !elsewhere.some((one) => one.test(`${method} ${path}`)));

// The URLs of objects were sent 24 at a time: the second was refused, and everybody's calls rested for it.
test.each(limited)('%s %s is counted where the service counts it: %s', (method, path, rate) => {
  expect(rateClassOf({ method, path: path.replaceAll(/\{\w+\}/g, 'x') })).toBe(rate);
});

test.each([
  ['/volumes/12?page=1', '/volumes/{id}'],
  ['/images/private%2F12', '/images/{id}'],
  ['/vm/instances/12/ips/192.0.2.1', '/vm/instances/{id}/ips/{id}'],
  ['/object-storage/buckets/us-east-1/my-bucket/object-acl', '/object-storage/buckets/{id}/{id}/object-acl'],
  ['/databases/mysql/instances/3/credentials/reset', '/databases/mysql/instances/{id}/credentials/reset'],
  ['/tags/secret-project', '/tags/{id}'],
])('%s is counted as %s', (path, template) => {
  expect(pathTemplate(path)).toBe(template);
});
