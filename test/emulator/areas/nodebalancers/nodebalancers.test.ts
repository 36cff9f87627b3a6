import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { emptyInstance, testAccount } from '../test-account.ts';

const balancer = {
  label: 'front',
  region: 'us-east',
  hostname: '192-0-2-1.ip.vmusercontent.com',
  ipv4: '192.0.2.1',
  ipv6: null,
  created: '2025-12-01T00:00:00',
  updated: '2025-12-01T00:00:00',
  client_conn_throttle: 0,
  transfer: { total: null, out: null, in: null },
  tags: ['prod'],
};
const port = { port: 80, protocol: 'http', algorithm: 'roundrobin', stickiness: 'none', check: 'connection' };

/** As the provider: a NodeBalancer with one port and two nodes, the first an instance of the account. */
async function planted(api: TestAccount) {
  const { control } = api.emulator;
  const plant = (collection: string, row: Readonly<Record<string, unknown>>): number =>
    (control.edit({ collection, row }) as { readonly id: number }).id;
  const vm = await emptyInstance(api, { private_ip: true });
  const [, address = ''] = (await api.seen(`/vm/instances/${vm}`))['ipv4'] as readonly string[];
  const id = plant('nodebalancers', balancer);
  const config = plant('nodebalancer configs', { ...port, nodebalancer_id: id });
  const node = (label: string, at: string, status: string): number =>
    plant('nodebalancer nodes', { label, address: at, status, weight: 100, mode: 'accept', config_id: config, nodebalancer_id: id });
  const nodes = [node('web', `${address}:80`, 'UP'), node('old', '192.168.255.254:80', 'DOWN')] as const;
  const path = `/nodebalancers/${id}`;
  return { vm, id, config, nodes, path, configPath: `${path}/configs/${config}` };
}

test('GET /nodebalancers GET /nodebalancers/{nodebalancerId} GET /vm/instances/{vmId}/nodebalancers: what the account has, and what an instance is behind', async () => {
  const api = testAccount();
  const { id, path, vm } = await planted(api);
  const other = await emptyInstance(api, { label: 'other' });
  expect((await api.filter('/nodebalancers', { label: 'front' })).data).toEqual([{ id, ...balancer }]);
  expect((await api.filter('/nodebalancers', { region: 'us-west' })).data).toEqual([]);
  expect(await api.seen(path)).toEqual({ id, ...balancer });
  expect((await api.get(`/vm/instances/${vm}/nodebalancers`)).data).toMatchObject([{ id }]);
  expect((await api.get(`/vm/instances/${other}/nodebalancers`)).data).toEqual([]);
  expect((await api.as('token-other').get(path)).status).toBe(404);
  expect((await api.as('token-limited').get(path)).status).not.toBe(200);
  expect((await api.as('token-readonly').get('/nodebalancers')).status).toBe(401);
});

test('GET /nodebalancers/{nodebalancerId}/configs GET /nodebalancers/{nodebalancerId}/configs/{balancerConfigId}: ports, and how many of their nodes are up', async () => {
  const api = testAccount();
  const { id, path, config, configPath, nodes } = await planted(api);
  const shown = { id: config, ...port, nodebalancer_id: id, nodes_status: { up: 1, down: 1 } };
  expect((await api.get(`${path}/configs`)).data).toEqual([shown]);
  expect(await api.seen(configPath)).toEqual(shown);
  api.emulator.control.edit({ collection: 'nodebalancer nodes', key: nodes[1], row: { status: 'UP' } });
  expect(await api.seen(configPath)).toMatchObject({ nodes_status: { up: 2, down: 0 } });
  expect((await api.get(`/nodebalancers/999/configs/${config}`)).status).toBe(404);
});

test('GET /nodebalancers/{nodebalancerId}/configs/{balancerConfigId}/nodes GET /nodebalancers/{nodebalancerId}/configs/{balancerConfigId}/nodes/{balancerNodeId}: back ends', async () => {
  const api = testAccount();
  const { configPath, nodes } = await planted(api);
  expect((await api.get(`${configPath}/nodes`)).data.map((row) => row['label'])).toEqual(['web', 'old']);
  expect(await api.seen(`${configPath}/nodes/${nodes[1]}`)).toMatchObject({ label: 'old', status: 'DOWN', address: '192.168.255.254:80' });
  expect((await api.get(`${configPath}/nodes/999`)).status).toBe(404);
});

test('an instance that a NodeBalancer sends traffic to keeps its account', async () => {
  const api = testAccount();
  const { vm } = await planted(api);
  expect((await api.post('/account/service-transfers', { entities: { vms: [vm] } })).errors).toEqual([
    `entities.vms[0]: Linode ${vm} is on a NodeBalancer.`,
  ]);
});
