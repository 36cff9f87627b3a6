import { expect, test } from 'vitest';
import { createEmulator } from '../../emulator.ts';
import { serve } from '../../server.ts';
import type { TestAccount } from '../test-account.ts';
import { testAccount } from '../test-account.ts';

const wanted = { label: 'prod', region: 'us-east', k8s_version: '1.24', node_pools: [{ type: 'g6-standard-2', count: 2 }] };
const usable = 120;

interface Access {
  readonly server: string;
  readonly token: string;
}
async function access(api: TestAccount, path: string): Promise<Access> {
  const text = Buffer.from(String((await api.seen(`${path}/kubeconfig`))['kubeconfig']), 'base64').toString();
  const [, server = ''] = /server: (\S+)/.exec(text) ?? [];
  const [, token = ''] = /token: (\S+)/.exec(text) ?? [];
  return { server: new URL(server).pathname, token };
}
interface Answered {
  readonly status: number;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}
async function asked({ emulator }: TestAccount, { server, token }: Access, path: string): Promise<Answered> {
  const { status, body } = await emulator.handle({ method: 'GET', path: server + path, headers: { authorization: `Bearer ${token}` } });
  const text = String(body);
  return { status, text, body: (text.startsWith('{') ? JSON.parse(text) : {}) as Answered['body'] };
}
const names = ({ body }: Answered): readonly string[] =>
  (body['items'] as readonly { metadata: { name: string } }[]).map(({ metadata }) => metadata.name);

test('GET /cluster-servers/{host}/{rest*}: the kubeconfig leads to a server that answers with the cluster', async () => {
  const api = testAccount();
  const path = `/lke/clusters/${String((await api.made('/lke/clusters', wanted))['id'])}`;
  api.seconds(usable);
  const way = await access(api, path);
  expect((await asked(api, way, '/version')).body).toMatchObject({ major: '1', minor: '24' });
  expect((await asked(api, way, '/readyz')).text).toBe('ok');
  expect((await asked(api, way, '/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
  expect(names(await asked(api, way, '/api/v1/namespaces'))).toContain('kube-system');
  const [pool] = (await api.get(`${path}/pools`)).data;
  const made = (pool?.['nodes'] ?? []) as readonly { readonly id: string }[];
  const ids = made.map(({ id }) => `lke${path.split('/').at(-1)}-${id}`);
  expect(names(await asked(api, way, '/api/v1/nodes'))).toEqual(ids);
  expect(await asked(api, way, '/api/v1/nodes/no-such-node')).toMatchObject({ status: 404, body: { kind: 'Status', code: 404 } });
});

test('only the token of the newest kubeconfig is taken, and the server goes with its cluster', async () => {
  const api = testAccount();
  const path = `/lke/clusters/${String((await api.made('/lke/clusters', wanted))['id'])}`;
  const other = `/lke/clusters/${String((await api.made('/lke/clusters', { ...wanted, label: 'other' }))['id'])}`;
  api.seconds(usable);
  const before = await access(api, path);
  const stranger = { server: before.server, token: (await access(api, other)).token };
  expect(await asked(api, stranger, '/version')).toMatchObject({ status: 401, body: { kind: 'Status', reason: 'Unauthorized' } });
  expect((await asked(api, { ...before, token: '' }, '/version')).status).toBe(401);
  await api.delete(`${path}/kubeconfig`);
  expect((await asked(api, before, '/version')).status).toBe(401);
  api.seconds(usable);
  const after = await access(api, path);
  expect((await asked(api, after, '/version')).status).toBe(200);
  await api.delete(path);
  expect((await asked(api, after, '/version')).status).toBe(404);
});

test('over the wire it is reached at the address that the kubeconfig names', async () => {
  const emulator = createEmulator({ speed: 0 });
  const served = await serve((request) => emulator.handle(request), { listen: '127.0.0.1:0' });
  try {
    emulator.setOrigin(served.origin);
    const headers = { authorization: 'Bearer token-admin', 'content-type': 'application/json' };
    const made = await fetch(`${served.origin}/v4/lke/clusters`, { method: 'POST', headers, body: JSON.stringify(wanted) });
    const { id } = (await made.json()) as { id: number };
    const { kubeconfig } = (await (await fetch(`${served.origin}/v4/lke/clusters/${id}/kubeconfig`, { headers })).json()) as {
      kubeconfig: string;
    };
    const text = Buffer.from(kubeconfig, 'base64').toString();
    const [, server = ''] = /server: (\S+)/.exec(text) ?? [];
    const [, token = ''] = /token: (\S+)/.exec(text) ?? [];
    const nodes = await fetch(`${server}/api/v1/nodes`, { headers: { authorization: `Bearer ${token}` } });
    expect([nodes.status, ((await nodes.json()) as { items: unknown[] }).items.length]).toEqual([200, 2]);
  } finally {
    await served.close();
  }
});
