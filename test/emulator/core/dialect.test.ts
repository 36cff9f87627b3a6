import { expect, test } from 'vitest';
import { testClient } from '../test-client.ts';
import { createDialect } from './dialect.ts';
import { probeAreas } from './probe-area.ts';

const client = () => testClient({ areas: probeAreas, providerWord: 'linode' });

test("paths, properties, ids, actions, entity types, urls and scopes speak the provider's word", async () => {
  const api = client();
  const created = await api.post('/linode/probes', { label: 'linode', linode_id: 5, image: 'linode/debian11', tags: ['linode', 'a-vm'] });
  expect(created.body).toMatchObject({
    label: 'linode',
    linode_id: 5,
    image: 'linode/debian11',
    tags: ['a-vm', 'linode'],
    filesystem_path: '/dev/disk/by-id/scsi-0Linode_Volume_linode',
  });
  expect(created.headers['x-accepted-oauth-scopes']).toBe('linodes:read_write,volumes:read_write');
  expect((await api.as('token-readonly').get('/linode/probes')).headers['x-oauth-scopes']).toContain('linodes:read_only');
  expect((await api.get('/account/events')).data).toMatchObject([
    { action: 'linode_create', entity: { type: 'linode', label: 'linode', url: '/v4/linode/probes/1' } },
  ]);
  expect((await api.get('/account')).body['billing_source']).toBe('linode');
  expect(api.emulator.control.rows('probes')).toMatchObject([{ vm_id: 5, image: 'vm/debian11' }]);
});

test('filters and error fields are translated, values of labels and tags are not', async () => {
  const api = client();
  await api.post('/linode/probes', { label: 'vm1', linode_id: 5 });
  await api.post('/linode/probes', { label: 'other', linode_id: 6, image: 'linode/debian11' });
  const found = async (filter: unknown) => (await api.filter('/linode/probes', filter)).data.map((row) => row['label']);
  expect(await found({ linode_id: { '+gte': 6 } })).toEqual(['other']);
  expect(await found({ label: { '+contains': 'vm' } })).toEqual(['vm1']);
  expect(await found({ '+or': [{ image: 'linode/debian11' }], '+order_by': 'linode_id' })).toEqual(['other']);
  const events = await api.filter('/account/events', { action: 'linode_create', 'entity.type': 'linode', 'entity.id': 1 });
  expect(events.body['results']).toBe(1);
  expect((await api.filter('/linode/probes', { linode_foo: 1 })).errors).toEqual(['X-Filter: Cannot filter on linode_foo']);
  expect((await api.post('/linode/probes', { label: 'abc', linode_id: 'x' })).errors).toEqual(['linode_id: linode_id is not valid']);
});

test('the neutral word finds nothing there', async () => {
  const api = client();
  expect((await api.get('/vm/probes')).status).toBe(404);
  expect((await api.post('/linode/probes', { label: 'abc', vm_id: 5 })).body['linode_id']).toBe(null);
});

test.each([
  ['/linode/kernels/linode/latest-64bit', '/vm/kernels/vm/latest-64bit'],
  ['/linode/kernels/linode%2Fgrub2', '/vm/kernels/vm%2Fgrub2'],
  ['/images/linode/debian11', '/images/vm/debian11'],
  ['/images/private/12', '/images/private/12'],
  ['/managed/linode-settings/5', '/managed/vm-settings/5'],
  ['/tags/linode', '/tags/linode'],
  ['/object-storage/buckets/us-east-1/linode', '/object-storage/buckets/us-east-1/linode'],
  ['/linode/instances/', '/vm/instances/'],
  ['/account', '/account'],
])('path %s', (wire, neutral) => {
  const dialect = createDialect('linode');
  expect([dialect.path(wire), dialect.path(neutral)]).toEqual([neutral, wire]);
});

test('host names, device paths and makers carry the word, what merely looks like them does not', () => {
  const dialect = createDialect('linode');
  const neutral = {
    filesystem_path: '/dev/disk/by-id/scsi-0Vm_Volume_scsi-0Vm_Volume_vm',
    hostname: 'shop.us-east-1.vmobjects.com',
    domain: 'us-east-1.vmobjects.com',
    rdns: '192-0-2-1.ip.vmusercontent.com',
    hosts: { primary: 'lin-1.servers.vmdb.net', secondary: null, peers: ['lin-2.servers.vmdb.net'] },
    created_by: 'vm',
  };
  const wire = {
    filesystem_path: '/dev/disk/by-id/scsi-0Linode_Volume_scsi-0Vm_Volume_vm',
    hostname: 'shop.us-east-1.linodeobjects.com',
    domain: 'us-east-1.linodeobjects.com',
    rdns: '192-0-2-1.ip.linodeusercontent.com',
    hosts: { primary: 'lin-1.servers.linodedb.net', secondary: null, peers: ['lin-2.servers.linodedb.net'] },
    created_by: 'linode',
  };
  expect([dialect.body(neutral), dialect.body(wire)]).toEqual([wire, neutral]);
  const others = { hostname: 'vmobjects.com.example.org', domain: 'vm.example.org', rdns: 'notvmdb.net', filesystem_path: '/dev/sda' };
  expect(dialect.body(others)).toEqual(others);
});

test('what users choose and what merely contains the letters stays', () => {
  const body = {
    kvm: true,
    stackscript_data: { vm_id: 'vm' },
    label: 'vm',
    type: 'g6-standard-1',
    id: 'g6-vm',
    devices: [{ type: 'vm' }],
    entities: { vms: [1] },
    secondary_entity: { type: 'vm_config', id: 'vm/debian9' },
    from_vm: false,
    message: 'vm',
    hostname: 'vm.example.org',
  };
  expect(createDialect('linode').body(body)).toEqual({
    ...body,
    devices: [{ type: 'linode' }],
    entities: { linodes: [1] },
    secondary_entity: { type: 'linode_config', id: 'linode/debian9' },
    from_vm: undefined,
    from_linode: false,
  });
});
