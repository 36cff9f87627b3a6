import { describe, expect, test } from 'vitest';
import { createDialect } from '../../../src/cloud/http/dialect.ts';

const dialect = createDialect('acme');

describe('paths', () => {
  test.each([
    ['/vm/instances', '/acme/instances'],
    ['/vm/instances/12/disks?page=1&page_size=500', '/acme/instances/12/disks?page=1&page_size=500'],
    ['/vm/stackscripts/3', '/acme/stackscripts/3'],
    ['/managed/vm-settings/7', '/managed/acme-settings/7'],
    ['/images/vm%2Fdebian11', '/images/acme%2Fdebian11'],
    ['/images/vm/debian11', '/images/acme/debian11'],
    ['/images/private%2F12', '/images/private%2F12'],
    ['/vm/kernels/vm%2Flatest-64bit', '/acme/kernels/acme%2Flatest-64bit'],
    ['/tags/vm', '/tags/vm'],
    ['/object-storage/buckets/us-east-1/vm', '/object-storage/buckets/us-east-1/vm'],
    ['/volumes/1', '/volumes/1'],
  ])('%s is %s', (neutral, service) => {
    expect(dialect.path(neutral)).toBe(service);
  });
});

describe('bodies, both ways', () => {
  test.each([
    ['ids of volumes', { vm_id: 1, vm_label: 'vm-1' }, { acme_id: 1, acme_label: 'vm-1' }],
    ['firewall devices', { devices: { vms: [1] } }, { devices: { acmes: [1] } }],
    ['grants', { global: { add_vms: true }, vm: [] }, { global: { add_acmes: true }, acme: [] }],
    [
      'images',
      { image: 'vm/debian11', id: 'vm/x', images: ['vm/a', 'any/all'] },
      { image: 'acme/debian11', id: 'acme/x', images: ['acme/a', 'any/all'] },
    ],
    ['kernels', { kernel: 'vm/grub2', kvm: true }, { kernel: 'acme/grub2', kvm: true }],
    ['hypervisor', { hypervisor: 'kvm' }, { hypervisor: 'kvm' }],
    [
      'events',
      { action: 'vm_boot', entity: { type: 'vm', url: '/v4/vm/instances/1' }, secondary_entity: { type: 'vm_config', id: 'vm/debian9' } },
      {
        action: 'acme_boot',
        entity: { type: 'acme', url: '/v4/acme/instances/1' },
        secondary_entity: { type: 'acme_config', id: 'acme/debian9' },
      },
    ],
    ['a tag named like an image', { entity: { type: 'tag', id: 'vm/x' } }, { entity: { type: 'tag', id: 'vm/x' } }],
    ['tokens', { scopes: 'vms:read_only volumes:read_write' }, { scopes: 'acmes:read_only volumes:read_write' }],
    ['billing', { billing_source: 'vm', service_type: 'vm_disk' }, { billing_source: 'acme', service_type: 'acme_disk' }],
    [
      'filters',
      { 'entity.type': 'vm', action: { '+neq': 'vm_boot' }, vm_id: 3 },
      { 'entity.type': 'acme', action: { '+neq': 'acme_boot' }, acme_id: 3 },
    ],
    ['combined filters', { '+or': [{ 'entity.type': 'vm' }, { id: 3 }] }, { '+or': [{ 'entity.type': 'acme' }, { id: 3 }] }],
  ])('%s', (_, neutral, service) => {
    expect(dialect.request(neutral)).toEqual(service);
    expect(dialect.answer(service)).toEqual(neutral);
  });

  test.each([
    ['labels', { label: 'acme/x' }],
    ['tags', { tags: ['acme', 'acme/x'] }],
    ['messages', { message: 'acme_boot' }],
    ['device paths', { filesystem_path: '/dev/disk/by-id/scsi-0acme_Volume_a' }],
    ['host names', { hostname: 'acme', target: 'acme.example.org' }],
    ['script data', { stackscript_data: { acme_id: 'acme/x', image: 'acme/x' } }],
  ])('%s are never translated', (_, value) => {
    expect(dialect.answer(value)).toEqual(value);
  });

  test('the service spelling of an id passes outward as it is', () => {
    expect(dialect.request({ image: 'acme/debian11' })).toEqual({ image: 'acme/debian11' });
  });
});

test.each([
  ['acme_id', 'vm_id'],
  ['devices.acmes[0]', 'devices.vms[0]'],
  ['ipv4[0].range', 'ipv4[0].range'],
  ['X-Filter', 'X-Filter'],
])('error field %s is %s', (service, neutral) => {
  expect(dialect.field(service)).toBe(neutral);
});

test.each([
  ['acme/debian11', 'vm/debian11'],
  ['vm/debian11', 'vm/debian11'],
  ['private/12', 'private/12'],
  ['acmeish/debian11', 'acmeish/debian11'],
])('an image written %s is %s', (written, neutral) => {
  expect(dialect.id(written)).toBe(neutral);
});

test('scope headers', () => {
  expect(dialect.scopes('acmes:read_only volumes:read_write')).toEqual(['vms:read_only', 'volumes:read_write']);
  expect(dialect.scopes('images:read_write,acmes:read_only')).toEqual(['images:read_write', 'vms:read_only']);
});

test('the neutral word changes nothing', () => {
  const neutral = createDialect('vm');
  const body = { vm_id: 1, image: 'linode/debian11' };
  expect(neutral.request(body)).toBe(body);
  expect(neutral.answer(body)).toBe(body);
  expect(neutral.path('/vm/instances')).toBe('/vm/instances');
  expect(neutral.id('linode/debian11')).toBe('linode/debian11');
});
