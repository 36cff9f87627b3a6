import { expect } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance } from '../test-account.ts';
import type { Fact, Row } from './fact.ts';

const bucket = { label: 'my-bucket', cluster: 'us-east-1' };
const rules = { inbound_policy: 'DROP', outbound_policy: 'DROP' };
const mysql = { label: 'dbs', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' };
const cluster = { label: 'k', region: 'us-east', k8s_version: '1.24', node_pools: [{ type: 'g6-standard-1', count: 1 }] };

async function domain(api: TestAccount): Promise<string> {
  return `/domains/${String((await api.made('/domains', { type: 'master', domain: 'example.org', soa_email: 'a@example.org' }))['id'])}`;
}

async function madeDatabase(api: TestAccount): Promise<string> {
  return `/databases/mysql/instances/${String((await api.made('/databases/mysql/instances', mysql))['id'])}`;
}

async function pools(api: TestAccount): Promise<Row> {
  const { id } = await api.made('/lke/clusters', cluster);
  return (await api.get(`/lke/clusters/${String(id)}/pools`)).data[0] ?? {};
}

const networkFacts: readonly Fact[] = [
  [
    '4 too many firewalls',
    async (api) => {
      const vm = await emptyInstance(api, { label: 'host' });
      await api.made('/networking/firewalls', { label: 'one', rules, devices: { vms: [vm] } });
      return (await api.post('/networking/firewalls', { label: 'two', rules, devices: { vms: [vm] } })).errors;
    },
    ['devices.vms: Too many active firewalls attached to Linode host (ID 1000)'],
  ],
  [
    '11 Q10 null stays null',
    async (api) => {
      const made = await api.made('/networking/firewalls', { label: 'one', rules: { ...rules, outbound: null } });
      return made['rules'];
    },
    { outbound: null },
  ],
  [
    '6.10 device events carry the firewall',
    async (api) => {
      const vm = await emptyInstance(api);
      const { id } = await api.made('/networking/firewalls', { label: 'one', rules });
      await api.made(`/networking/firewalls/${String(id)}/devices`, { type: 'vm', id: vm });
      return api.event('firewall_device_add');
    },
    { entity: expect.objectContaining({ type: 'firewall', label: 'one' }), secondary_entity: null },
  ],
  [
    '13 private addresses are not listed',
    async (api) => {
      await emptyInstance(api, { private_ip: true });
      return (await api.get('/networking/ips')).data.map((row) => row['type']);
    },
    ['ipv4', 'ipv6'],
  ],
  [
    '9b one range per instance',
    async (api) => {
      const vm_id = await emptyInstance(api);
      await api.made('/networking/ipv6/ranges', { prefix_length: 64, vm_id });
      return (await api.post('/networking/ipv6/ranges', { prefix_length: 64, vm_id })).status;
    },
    400,
  ],
  [
    '9b transfer of an instance with a firewall',
    async (api) => {
      const vm = await emptyInstance(api);
      await api.made('/networking/firewalls', { label: 'one', rules, devices: { vms: [vm] } });
      return (await api.post('/account/service-transfers', { entities: { vms: [vm] } })).status;
    },
    400,
  ],
];

const domainFacts: readonly Fact[] = [
  ['11 Q11 unset texts', async (api) => api.seen(await domain(api)), { group: '', description: '', errors: '', ttl_sec: 0 }],
  [
    '11 Q11 a name given as FQDN',
    async (api) => api.made(`${await domain(api)}/records`, { type: 'A', name: 'www.example.org', target: '192.0.2.1' }),
    { name: 'www' },
  ],
  [
    '11 Q11 the bare domain',
    async (api) => api.made(`${await domain(api)}/records`, { type: 'A', name: 'example.org', target: '192.0.2.1' }),
    { name: '' },
  ],
  [
    '13 a record as answered',
    async (api) => api.made(`${await domain(api)}/records`, { type: 'A', name: 'a', target: '192.0.2.1' }),
    {
      priority: 0,
      weight: 0,
      port: 0,
      service: null,
      protocol: null,
      tag: null,
      ttl_sec: 0,
    },
  ],
  [
    '10 identical records',
    async (api) => {
      const path = `${await domain(api)}/records`;
      await api.made(path, { type: 'A', name: 'a', target: '192.0.2.1' });
      return (await api.post(path, { type: 'A', name: 'a', target: '192.0.2.1' })).status;
    },
    200,
  ],
  [
    '6.10 record events carry the domain',
    async (api) => {
      await api.made(`${await domain(api)}/records`, { type: 'A', name: 'a', target: '192.0.2.1' });
      return api.event('domain_record_create');
    },
    { entity: expect.objectContaining({ type: 'domain', label: 'example.org' }) },
  ],
  ['13 zone file of a fresh domain', async (api) => api.seen(`${await domain(api)}/zone-file`), { zone_file: [] }],
];

const storageFacts: readonly Fact[] = [
  [
    '10 a bucket again',
    async (api) => {
      await api.made('/object-storage/buckets', bucket);
      return (await api.post('/object-storage/buckets', bucket)).status;
    },
    200,
  ],
  [
    '6.12 no event of a bucket',
    async (api) => {
      await api.made('/object-storage/buckets', bucket);
      return api.log();
    },
    [],
  ],
  [
    '9b access',
    async (api) => {
      await api.made('/object-storage/buckets', bucket);
      return Object.keys(await api.seen('/object-storage/buckets/us-east-1/my-bucket/access'));
    },
    ['acl', 'acl_xml', 'cors_enabled', 'cors_xml'],
  ],
  [
    '10 the secret is shown once',
    async (api) => {
      const { id } = await api.made('/object-storage/keys', { label: 'key' });
      return api.seen(`/object-storage/keys/${String(id)}`);
    },
    { secret_key: '[REDACTED]', bucket_access: null, limited: false },
  ],
  ['4 cancel', async (api) => (await api.post('/object-storage/cancel')).errors, ['Object Storage is not enabled on your account']],
  [
    '10 tags are sorted',
    (api) => api.made('/volumes', { label: 'data', region: 'us-east', tags: ['foo', 'bar', 'foo'] }),
    { tags: ['bar', 'foo'] },
  ],
];

const managedFacts: readonly Fact[] = [
  [
    '7 hosts of a new database',
    (api) => api.made('/databases/mysql/instances', mysql),
    {
      status: 'provisioning',
      hosts: { primary: null, secondary: null },
      ssl_connection: false,
    },
  ],
  [
    '4 update while provisioning',
    async (api) => (await api.put(await madeDatabase(api), { label: 'other' })).errors,
    ['Your database is provisioning; please wait until provisioning is complete to perform this operation.'],
  ],
  [
    '6.4 database_create',
    async (api) => {
      await madeDatabase(api);
      const before = (await api.event('database_create'))['status'];
      api.seconds(3600);
      return [before, (await api.event('database_create'))['status']];
    },
    ['notification', 'finished'],
  ],
  [
    '13 ca without ssl',
    async (api) => {
      const path = await madeDatabase(api);
      api.seconds(3600);
      return api.seen(`${path}/ssl`);
    },
    { ca_certificate: null },
  ],
  ['7 a new cluster', (api) => api.made('/lke/clusters', cluster), { status: 'ready' }],
  [
    '7 a new pool',
    pools,
    { nodes: [expect.objectContaining({ status: 'not_ready', instance_id: null })], autoscaler: { enabled: false, min: 1, max: 1 } },
  ],
  [
    '2.12 kubeconfig',
    async (api) => {
      const { id } = await api.made('/lke/clusters', cluster);
      return (await api.get(`/lke/clusters/${String(id)}/kubeconfig`)).errors;
    },
    ['Cluster kubeconfig is not yet available. Please try again later.'],
  ],
  [
    '6.12 no event of a cluster',
    async (api) => {
      await pools(api);
      api.seconds(600);
      return api.log();
    },
    [],
  ],
  [
    '13 nodes are instances',
    async (api) => {
      await pools(api);
      api.seconds(600);
      const [vm] = (await api.get('/vm/instances')).data;
      return [/^lke1000-1000-[0-9a-f]+$/.test(String(vm?.['label'])), vm?.['image'], vm?.['tags']];
    },
    [true, null, []],
  ],
  [
    '4 longview by settings',
    async (api) => {
      const [error = ''] = (await api.put('/account/settings', { longview_subscription: 'longview-3' })).errors;
      return error.includes('longview_subscription editing at this location is no longer available.');
    },
    true,
  ],
];

/** Sections 4, 6, 7, 9, 10, 11 and 13 of everything else. */
export const factsOfServices: readonly Fact[] = [...networkFacts, ...domainFacts, ...storageFacts, ...managedFacts];
