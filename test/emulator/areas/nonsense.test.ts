import { expect, test } from 'vitest';
import { areas } from '../areas.ts';
import type { Operation } from '../contract/operation.ts';
import { createRng } from '../contract/rng.ts';
import type { TestAccount } from './test-account.ts';
import { runningInstance, testAccount } from './test-account.ts';

/** One object of every kind, so that handlers come past their first 404. */
async function furnish(api: TestAccount): Promise<Readonly<Record<string, string>>> {
  const vm = await runningInstance(api, { backups_enabled: true });
  const path = `/vm/instances/${vm}`;
  const id = async (at: string, body: object): Promise<string> => String((await api.made(at, body))['id']);
  const first = async (at: string): Promise<string> => String((await api.get(at)).data[0]?.['id']);
  const domain = await id('/domains', { type: 'master', domain: 'example.org', soa_email: 'a@example.org' });
  const rules = { inbound_policy: 'DROP', outbound_policy: 'DROP' };
  const firewall = await id('/networking/firewalls', { label: 'web', rules, devices: { vms: [vm] } });
  const cluster = await id('/lke/clusters', {
    label: 'c',
    region: 'us-east',
    k8s_version: '1.24',
    node_pools: [{ type: 'g6-standard-1', count: 1 }],
  });
  await api.made('/object-storage/buckets', { label: 'my-bucket', cluster: 'us-east-1' });
  await api.made('/tags', { label: 'prod' });
  const backup = await id(`${path}/backups`, { label: 'snap' });
  const database = await id('/databases/mysql/instances', { label: 'dbs', engine: 'mysql/8.0.26', region: 'us-east', type: 'g6-nanode-1' });
  api.seconds(2000);
  return {
    vmId: String(vm),
    diskId: await first(`${path}/disks`),
    configId: await first(`${path}/configs`),
    backupId: backup,
    address: ((await api.seen(path))['ipv4'] as string[])[0] ?? '',
    volumeId: await id('/volumes', { label: 'data', region: 'us-east' }),
    domainId: domain,
    recordId: await id(`/domains/${domain}/records`, { type: 'A', name: 'a', target: '192.0.2.1' }),
    firewallId: firewall,
    deviceId: await first(`/networking/firewalls/${firewall}/devices`),
    clusterId: cluster,
    poolId: await first(`/lke/clusters/${cluster}/pools`),
    stackscriptId: await id('/vm/stackscripts', { label: 'setup', images: ['any/all'], script: '#!/bin/sh' }),
    imageId: 'vm/debian11',
    bucket: 'my-bucket',
    label: 'prod',
    keyId: await id('/object-storage/keys', { label: 'key' }),
    instanceId: database,
  };
}

const nonsense: readonly unknown[] = [
  null,
  0,
  -1,
  1.5,
  1e12,
  '',
  'nonsense',
  'x'.repeat(70_000),
  true,
  [],
  [null],
  [{}],
  ['a', 'a'],
  {},
  { a: 1 },
  [[1]],
  '\u0000',
  '../../etc',
];

function pathOf({ path, segments }: Operation, ids: Readonly<Record<string, string>>): string {
  const named = path.startsWith('/object-storage/buckets/') ? { ...ids, clusterId: 'us-east-1' } : ids;
  const filled = path.replaceAll(/\{(\w+)\*?\}/g, (_whole, name: string) => named[name] ?? '1');
  return segments === 'v4beta' ? `beta${filled}` : filled;
}

const rule = {
  action: 'ACCEPT',
  protocol: 'TCP',
  ports: '22',
  addresses: { ipv4: ['0.0.0.0/0'], ipv6: ['::/0'] },
  label: 'ssh',
  description: 'd',
};
const pool = {
  type: 'g6-standard-1',
  count: 1,
  autoscaler: { enabled: true, min: 1, max: 2 },
  disks: [{ size: 1, type: 'raw' }],
  tags: ['abc'],
};
const image = { image: 'vm/debian11', root_pass: 'correct-Horse-7', authorized_keys: [], authorized_users: [], stackscript_data: {} };

/** Good bodies, of which one value after the other, however deep, is replaced. */
const good: Readonly<Record<string, object>> = {
  'POST /vm/instances': {
    region: 'eu-west',
    type: 'g6-nanode-1',
    ...image,
    swap_size: 256,
    interfaces: [{ purpose: 'vlan', label: 'lan', ipam_address: '10.0.0.1/24' }],
  },
  'PUT /vm/instances/{vmId}': { alerts: { cpu: 1, io: 1 }, backups: { schedule: { day: 'Monday', window: 'W2' } } },
  'POST /vm/instances/{vmId}/configs': {
    label: 'c',
    devices: { sda: { disk_id: 1, volume_id: null } },
    helpers: { distro: true },
    interfaces: [],
  },
  'POST /vm/instances/{vmId}/disks': { size: 100, label: 'd', ...image },
  'POST /volumes': { label: 'v', region: 'us-east', size: 20, vm_id: null, config_id: null, tags: ['abc'] },
  'POST /domains': { type: 'slave', domain: 'example.net', master_ips: ['192.0.2.1'], axfr_ips: ['192.0.2.0/24'], ttl_sec: 300 },
  'POST /domains/{domainId}/records': {
    type: 'SRV',
    service: 's',
    protocol: 'tcp',
    target: 't',
    priority: 1,
    weight: 1,
    port: 1,
    name: '',
    tag: null,
  },
  'POST /networking/firewalls': {
    label: 'fire',
    rules: { inbound: [rule], outbound: [rule], inbound_policy: 'DROP', outbound_policy: 'DROP' },
    devices: { vms: [] },
  },
  'PUT /networking/firewalls/{firewallId}/rules': { inbound: [rule], outbound: [rule], inbound_policy: 'DROP' },
  'POST /networking/ips/assign': { region: 'us-east', assignments: [{ address: '192.0.2.1', vm_id: 1 }] },
  'POST /lke/clusters': {
    label: 'k',
    region: 'us-east',
    k8s_version: '1.24',
    node_pools: [pool],
    control_plane: { high_availability: true },
  },
  'POST /lke/clusters/{clusterId}/pools': pool,
  'POST /object-storage/keys': {
    label: 'key',
    bucket_access: [{ cluster: 'us-east-1', bucket_name: 'my-bucket', permissions: 'read_only' }],
  },
  'POST /databases/mysql/instances': {
    label: 'dbx',
    engine: 'mysql/8.0.26',
    region: 'us-east',
    type: 'g6-nanode-1',
    allow_list: ['192.0.2.1'],
  },
  'PUT /databases/mysql/instances/{instanceId}': {
    updates: { frequency: 'monthly', day_of_week: 1, week_of_month: 1, duration: 1, hour_of_day: 1 },
  },
  'POST /vm/stackscripts': { label: 'abc', images: ['any/all'], script: '#!/bin/sh\n# <UDF name="a" label="A">' },
};

type Json = unknown;

/** Copies of the value in which one part is each kind of nonsense. */
function spoiled(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => [...nonsense, ...spoiled(item)].map((bad) => value.with(at, bad)));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [...nonsense, ...spoiled(inner)].map((bad) => ({ ...value, [key]: bad })));
}

/** Every field with every kind of nonsense alone, then all fields with something drawn by chance. */
function bodiesFor(operation: Operation, seed: number): readonly object[] {
  const fields = Object.keys(operation.body ?? {});
  const rng = createRng(seed);
  const single = fields.flatMap((field) => nonsense.map((value) => ({ [field]: value })));
  const mixed = Array.from({ length: 20 }, () => Object.fromEntries(fields.map((field) => [field, rng.pick(nonsense)])));
  const base = good[`${operation.method} ${operation.path}`] ?? {};
  return [...single, ...mixed, ...(spoiled(base) as readonly object[])];
}

const writes = areas
  .flatMap((area) => area.operations)
  .filter(
    (operation) => operation.outside !== true && operation.raw !== true && operation.method !== 'GET' && operation.body !== undefined,
  );

test('nonsense in any field is refused or taken, and never a defect', { timeout: 120_000 }, async () => {
  const api = testAccount();
  const ids = await furnish(api);
  const headers = { authorization: 'Bearer token-admin' };
  const defects: string[] = [];
  let sent = 0;
  for (const [index, operation] of writes.entries()) {
    for (const body of bodiesFor(operation, index)) {
      const answer = await api.send(operation.method, pathOf(operation, ids), headers, body);
      sent += 1;
      if (![200, 202, 400, 403, 404, 409].includes(answer.status)) {
        defects.push(
          `${operation.method} ${operation.path} ${JSON.stringify(body).slice(0, 200)}: ${answer.status} ${answer.errors.join('; ')}`,
        );
      }
    }
  }
  expect([...new Set(defects)].slice(0, 20)).toEqual([]);
  expect(sent).toBeGreaterThan(1000);
});

test('bodies that are no object, and no JSON, are refused', async () => {
  const api = testAccount();
  const ids = await furnish(api);
  const headers = { authorization: 'Bearer token-admin' };
  for (const operation of writes) {
    for (const body of ['[]', '"text"', '{"a":']) {
      const answer = await api.send(operation.method, pathOf(operation, ids), headers, body);
      expect([operation.path, body, answer.errors]).toEqual([operation.path, body, ['Invalid JSON']]);
    }
  }
});
