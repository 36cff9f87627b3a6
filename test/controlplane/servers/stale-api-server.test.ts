import { afterAll, beforeAll, expect, it } from 'vitest';
import { sleep, systemClock } from '../../../src/lib/clock.ts';
import type { Cluster } from '../cluster.ts';
import type { ControlPlane } from '../control-plane.ts';
import { START_TIMEOUT_MS } from '../shared.ts';
import { startControlPlane } from '../start.ts';

let cluster: ControlPlane;
beforeAll(async () => {
  cluster = await startControlPlane({ staleSecond: true, controllerManager: false });
}, START_TIMEOUT_MS);
afterAll(() => cluster.stop());

/** The names of a namespace's ConfigMaps as the server's cache has them. */
async function cachedNames(server: Cluster, namespace: string): Promise<string[]> {
  const answer = await server.request<{ items: { metadata: { name: string } }[] }>(
    'GET',
    `/api/v1/namespaces/${namespace}/configmaps?resourceVersion=0`,
  );
  return answer.body.items.map(({ metadata }) => metadata.name);
}

const usersIn = async (server: Cluster): Promise<string[]> => (await server.auditLog()).map(({ user }) => user.username);

it('answers from the past while it is frozen, and catches up when it is thawed', async () => {
  const namespace = await cluster.createNamespace();
  const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
  const write = (name: string): Promise<unknown> => cluster.request('POST', configMaps, { body: { metadata: { name } } });
  await write('old');
  await expect.poll(() => cachedNames(cluster.stale, namespace)).toEqual(['old']);

  cluster.stale.freeze();
  await write('new');
  await cluster.request('DELETE', `${configMaps}/old`);
  await expect.poll(() => cachedNames(cluster, namespace)).toEqual(['new']);
  await sleep(systemClock, 1_000);
  expect(await cachedNames(cluster.stale, namespace)).toEqual(['old']);
  const consistent = cluster.stale.request('GET', `${configMaps}/new`);
  expect(await Promise.race([consistent, sleep(systemClock, 300)])).toBeUndefined();

  cluster.stale.thaw();
  expect((await consistent).status).toBe(200);
  await expect.poll(() => cachedNames(cluster.stale, namespace), { timeout: 5_000 }).toEqual(['new']);
});

it('knows the same users, and writes an audit log of its own', async () => {
  const token = cluster.user('jane');
  expect((await cluster.stale.request('GET', '/api/v1/namespaces', { token })).status).toBe(403);
  expect(await usersIn(cluster.stale)).toContain('jane');
  expect(await usersIn(cluster)).not.toContain('jane');
});
