import { expect, test } from 'vitest';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';

const wanted = { label: 'prod', region: 'us-east', k8s_version: '1.24', node_pools: [{ type: 'g6-standard-2', count: 3 }] };

async function cluster(api: TestAccount, more: object = {}): Promise<string> {
  const made = await api.made('/lke/clusters', { ...wanted, ...more });
  api.seconds(120);
  return `/lke/clusters/${String(made['id'])}`;
}

const nodeIds = (pool: Readonly<Record<string, unknown>> | undefined): readonly unknown[] =>
  ((pool?.['nodes'] ?? []) as readonly { id: string }[]).map((node) => node.id);

test('POST /lke/clusters GET /lke/clusters/{clusterId} GET /lke/clusters: ready from the first answer, without an event', async () => {
  const api = testAccount();
  const made = await api.made('/lke/clusters', { ...wanted, tags: ['prod', 'app'] });
  expect(made).toEqual({
    id: made['id'],
    label: 'prod',
    region: 'us-east',
    k8s_version: '1.24',
    control_plane: { high_availability: false },
    tags: ['app', 'prod'],
    status: 'ready',
    created: '2026-01-01T00:00:00',
    updated: '2026-01-01T00:00:00',
  });
  expect(await api.seen(`/lke/clusters/${String(made['id'])}`)).toEqual(made);
  expect((await api.filter('/lke/clusters', { label: 'prod', tags: 'app' })).data).toEqual([made]);
  expect(await api.log()).toEqual([]);
  const told = testAccount({ knobs: { clusterEvents: true } });
  await cluster(told);
  expect(await told.log()).toEqual(['lke_cluster_create finished']);
});

test('a cluster is refused for each bad field', async () => {
  const api = testAccount();
  const create = async (more: object) => (await api.post('/lke/clusters', { ...wanted, ...more })).errors;
  expect((await api.post('/lke/clusters', {})).errors).toEqual(
    ['label', 'region', 'k8s_version', 'node_pools'].map((name) => `${name}: ${name} is required`),
  );
  expect(await create({ k8s_version: '1.99', region: 'mars' })).toEqual([
    'region: region is not valid',
    'k8s_version: k8s_version is not valid',
  ]);
  expect(await create({ node_pools: [{ type: 'huge', count: 101 }] })).toEqual(['node_pools[0].count: Must be 1-100']);
  expect(await create({ node_pools: [{ type: 'huge', count: 1 }] })).toEqual([
    'node_pools[0].type: A valid plan type by that ID was not found',
  ]);
  expect(await create({ label: 'x'.repeat(33) })).toEqual(['label: Length must be 1-32 characters']);
  expect(await create({ label: 'cl\u{1F600}' })).toEqual(['label: label is not valid']);
  const strict = testAccount({ knobs: { clusterLabelsUnique: true } });
  await cluster(strict);
  expect((await strict.post('/lke/clusters', wanted)).errors).toEqual(['label: Label must be unique']);
});

test('labels beyond ASCII come back as escapes', async () => {
  const api = testAccount();
  expect(await api.seen(await cluster(api, { label: 'café' }))).toMatchObject({ label: 'caf\\u00e9' });
});

test('GET /lke/clusters/{clusterId}/kubeconfig GET /lke/clusters/{clusterId}/api-endpoints GET /lke/clusters/{clusterId}/dashboard: 503 until ready', async () => {
  const api = testAccount();
  const path = `/lke/clusters/${String((await api.made('/lke/clusters', wanted))['id'])}`;
  const early = await api.get(`${path}/kubeconfig`);
  expect([early.status, early.errors]).toEqual([503, ['Cluster kubeconfig is not yet available. Please try again later.']]);
  expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
  expect((await api.get(`${path}/api-endpoints`)).errors).toEqual(['Cluster API Endpoints are not yet available. Please try again later.']);
  api.seconds(60);
  const [first] = (await api.get(`${path}/api-endpoints`)).data;
  const text = Buffer.from(String((await api.seen(`${path}/kubeconfig`))['kubeconfig']), 'base64').toString();
  expect(text).toContain(`server: ${String(first?.['endpoint'])}`);
  expect((await api.seen(`${path}/dashboard`))['url']).toMatch(/^https:\/\/[0-9a-f-]+\.dashboard\.us-east-1\./);
  await api.delete(path);
  expect((await api.get(`${path}/dashboard`)).status).toBe(404);
});

test('DELETE /lke/clusters/{clusterId}/kubeconfig POST /lke/clusters/{clusterId}/regenerate DELETE /lke/clusters/{clusterId}/servicetoken renew credentials', async () => {
  const api = testAccount();
  const path = await cluster(api);
  const before = await api.seen(`${path}/kubeconfig`);
  expect((await api.delete(`${path}/servicetoken`)).body).toEqual({});
  expect(await api.seen(`${path}/kubeconfig`)).toEqual(before);
  expect((await api.delete(`${path}/kubeconfig`)).body).toEqual({});
  expect((await api.get(`${path}/kubeconfig`)).status).toBe(503);
  api.seconds(20);
  const renewed = await api.seen(`${path}/kubeconfig`);
  expect(renewed).not.toEqual(before);
  expect((await api.post(`${path}/regenerate`, {})).status).toBe(400);
  expect((await api.post(`${path}/regenerate`, { kubeconfig: true })).body).toEqual({});
  api.seconds(20);
  expect(await api.seen(`${path}/kubeconfig`)).not.toEqual(renewed);
});

test('PUT /lke/clusters/{clusterId}: the next minor only, high availability for ever', async () => {
  const api = testAccount();
  const path = await cluster(api, { k8s_version: '1.23' });
  const before = nodeIds((await api.get(`${path}/pools`)).data[0]);
  expect((await api.put(path, { k8s_version: '1.25' })).errors).toEqual(['k8s_version: k8s_version is not valid']);
  await api.put(path, { k8s_version: '1.24', label: 'renamed', tags: ['test=true'] });
  expect(await api.seen(path)).toMatchObject({ k8s_version: '1.24', label: 'renamed', tags: ['test=true'] });
  expect((await api.put(path, { k8s_version: '1.23' })).status).toBe(400);
  expect((await api.put(path, { control_plane: { high_availability: true } })).body).toMatchObject({
    control_plane: { high_availability: true },
  });
  expect((await api.put(path, { control_plane: { high_availability: false } })).status).toBe(400);
  api.seconds(200);
  const after = nodeIds((await api.get(`${path}/pools`)).data[0]);
  expect(after).toHaveLength(3);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
});

test('DELETE /lke/clusters/{clusterId}: the instances of its nodes go later', async () => {
  const api = testAccount();
  const path = await cluster(api);
  expect((await api.get('/vm/instances')).body).toMatchObject({ results: 3 });
  expect((await api.delete(path)).body).toEqual({});
  expect((await api.get(path)).status).toBe(404);
  expect((await api.get('/vm/instances')).body).toMatchObject({ results: 3 });
  api.seconds(60);
  expect((await api.get('/vm/instances')).body).toMatchObject({ results: 0 });
  expect(await api.log()).toEqual([]);
});

test('POST /lke/clusters/{clusterId}/pools GET /lke/clusters/{clusterId}/pools GET /lke/clusters/{clusterId}/pools/{poolId}: nodes come up step by step', async () => {
  const api = testAccount();
  const path = await cluster(api);
  const made = await api.made(`${path}/pools`, { type: 'g6-standard-4', count: 2, tags: null, disks: null });
  expect(made).toMatchObject({ count: 2, autoscaler: { enabled: false, min: 2, max: 2 }, disks: [], tags: [] });
  expect(made['nodes']).toMatchObject([
    { instance_id: null, status: 'not_ready' },
    { id: expect.stringMatching(new RegExp(`^${String(made['id'])}-`)) },
  ]);
  api.seconds(20);
  const [node] = (await api.seen(`${path}/pools/${String(made['id'])}`))['nodes'] as { id: string; instance_id: number; status: string }[];
  expect(node).toMatchObject({ instance_id: expect.any(Number), status: 'not_ready' });
  const number = path.split('/').at(-1);
  expect(await api.seen(`/vm/instances/${String(node?.instance_id)}`)).toMatchObject({
    label: `lke${String(number)}-${String(node?.id)}`,
    image: null,
    tags: [],
  });
  api.seconds(80);
  expect((await api.get(`${path}/pools`)).data[1]).toMatchObject({ nodes: [{ status: 'ready' }, { status: 'ready' }] });
  const disks = Array.from({ length: 8 }, () => ({ size: 1, type: 'raw' }));
  expect((await api.post(`${path}/pools`, { type: 'g6-standard-4', count: 1, disks })).errors).toEqual(['disks: Must be 0-7 items']);
  expect((await api.post(`${path}/pools`, { type: 'g6-standard-4', count: 0, autoscaler: { min: 1 } })).errors).toEqual([
    'count: Must be 1-100',
  ]);
  expect((await api.post(`${path}/pools`, { type: 'g6-standard-4', count: 1, autoscaler: { min: 1 } })).errors).toEqual([
    'autoscaler.max: max is required',
  ]);
});

test('PUT /lke/clusters/{clusterId}/pools/{poolId} DELETE /lke/clusters/{clusterId}/pools/{poolId}: nodes follow the count', async () => {
  const api = testAccount();
  const path = await cluster(api);
  const [pool] = (await api.get(`${path}/pools`)).data;
  const own = `${path}/pools/${String(pool?.['id'])}`;
  expect((await api.put(own, { count: 5 })).body).toMatchObject({ count: 5, autoscaler: { min: 3 } });
  api.seconds(120);
  expect((await api.get('/vm/instances')).body).toMatchObject({ results: 5 });
  await api.put(own, { count: 1, autoscaler: { enabled: true, min: 1, max: 4 }, tags: ['pool'] });
  api.seconds(60);
  expect((await api.filter(`${path}/pools`, { tags: 'pool' })).data).toMatchObject([
    { count: 1, autoscaler: { enabled: true, min: 1, max: 4 } },
  ]);
  expect((await api.get('/vm/instances')).body).toMatchObject({ results: 1 });
  expect((await api.delete(own)).body).toEqual({});
  expect((await api.get(own)).status).toBe(404);
});

test('GET /lke/clusters/{clusterId}/nodes/{nodeId} DELETE /lke/clusters/{clusterId}/nodes/{nodeId} POST /lke/clusters/{clusterId}/nodes/{nodeId}/recycle', async () => {
  const api = testAccount();
  const path = await cluster(api);
  const ids = async () => nodeIds((await api.get(`${path}/pools`)).data[0]);
  const [first, second] = await ids();
  expect(await api.seen(`${path}/nodes/${String(first)}`)).toEqual({ id: first, instance_id: expect.any(Number), status: 'ready' });
  await api.delete(`${path}/nodes/${String(first)}`);
  expect((await api.get(`${path}/pools`)).data).toMatchObject([{ count: 2 }]);
  await api.post(`${path}/nodes/${String(second)}/recycle`);
  api.seconds(120);
  expect(await ids()).toHaveLength(2);
  expect(await ids()).not.toContain(second);
  expect((await api.get(`${path}/nodes/${String(second)}`)).status).toBe(404);
});

test('POST /lke/clusters/{clusterId}/pools/{poolId}/recycle POST /lke/clusters/{clusterId}/recycle replace one node after the other', async () => {
  const api = testAccount();
  const path = await cluster(api);
  const [pool] = (await api.get(`${path}/pools`)).data;
  const before = nodeIds(pool);
  await api.post(`${path}/pools/${String(pool?.['id'])}/recycle`);
  api.seconds(20);
  const midway = nodeIds((await api.get(`${path}/pools`)).data[0]);
  expect(midway.filter((id) => before.includes(id))).toHaveLength(2);
  api.seconds(200);
  const after = nodeIds((await api.get(`${path}/pools`)).data[0]);
  expect(after.filter((id) => before.includes(id))).toEqual([]);
  await api.post(`${path}/recycle`);
  api.seconds(200);
  expect(nodeIds((await api.get(`${path}/pools`)).data[0]).filter((id) => after.includes(id))).toEqual([]);
});

test('GET /lke/versions GET /lke/versions/{version}: newest first', async () => {
  const api = testAccount();
  expect((await api.get('/lke/versions')).data).toEqual([{ id: '1.25' }, { id: '1.24' }, { id: '1.23' }]);
  expect(await api.seen('/lke/versions/1.24')).toEqual({ id: '1.24' });
  expect((await api.get('/lke/versions/1.0')).status).toBe(404);
  api.emulator.control.edit({ collection: 'kubernetes versions', row: { id: '1.26' } });
  expect((await api.get('/lke/versions')).data).toContainEqual({ id: '1.26' });
  expect(await api.seen('/lke/versions/1.26')).toEqual({ id: '1.26' });
  expect(await api.made('/lke/clusters', { ...wanted, k8s_version: '1.26' })).toMatchObject({ k8s_version: '1.26' });
});
