import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sleep, systemClock } from '../../src/lib/clock.ts';
import type { ControlPlane } from './control-plane.ts';
import { START_TIMEOUT_MS } from './shared.ts';
import { startControlPlane } from './start.ts';

const CRD = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.test.cloudhosting.dev' },
  spec: {
    group: 'test.cloudhosting.dev',
    scope: 'Namespaced',
    names: { kind: 'Widget', plural: 'widgets' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer', maximum: 1000 } },
                'x-kubernetes-validations': [
                  { rule: 'self.size % 10 == 0', message: 'size must be a multiple of 10: write 10, 20, 30, ...' },
                ],
              },
            },
          },
        },
      },
    ],
  },
});

const widget = (name: string, namespace: string, size: number): string =>
  JSON.stringify({ apiVersion: 'test.cloudhosting.dev/v1', kind: 'Widget', metadata: { name, namespace }, spec: { size } });

let cluster: ControlPlane;
beforeAll(async () => {
  cluster = await startControlPlane();
  await cluster.kubectl(['apply', '-f', '-'], { input: CRD });
  await cluster.kubectl(['wait', '--for=condition=Established', 'crd/widgets.test.cloudhosting.dev']);
}, START_TIMEOUT_MS);
afterAll(() => cluster.stop());

describe('kubectl', () => {
  it('shows the message of a CEL rule when it refuses an object', async () => {
    const namespace = await cluster.createNamespace();
    const refused = await cluster.kubectl(['apply', '-f', '-'], { input: widget('a', namespace, 15), allowFail: true });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain('size must be a multiple of 10: write 10, 20, 30, ...');
    expect((await cluster.kubectl(['apply', '-f', '-'], { input: widget('a', namespace, 20) })).stdout).toContain(
      'widget.test.cloudhosting.dev/a created',
    );
  });

  it('throws its own words when a failure was not expected', async () => {
    await expect(cluster.kubectl(['get', 'nothing-of-this-kind'])).rejects.toThrow(/doesn't have a resource type "nothing-of-this-kind"/);
  });
});

describe('identities', () => {
  it('refuses a ServiceAccount what RBAC does not grant, and the audit log says so', async () => {
    const namespace = await cluster.createNamespace();
    const token = await cluster.serviceAccountToken(namespace, 'robot');
    const from = await cluster.auditPosition();
    const refused = await cluster.kubectl(['get', 'widgets', '-n', namespace], { token, allowFail: true });
    expect(refused.stderr).toContain(`User "system:serviceaccount:${namespace}:robot" cannot list resource "widgets"`);
    const entry = (await cluster.auditLog(from)).find(({ objectRef }) => objectRef?.resource === 'widgets');
    expect(entry).toMatchObject({
      verb: 'list',
      user: { username: `system:serviceaccount:${namespace}:robot` },
      objectRef: { namespace, apiGroup: 'test.cloudhosting.dev' },
      responseStatus: { code: 403 },
    });
    expect(entry?.requestURI).toContain(`/apis/test.cloudhosting.dev/v1/namespaces/${namespace}/widgets`);
  });

  it('grants a user what a binding to the user’s group grants', async () => {
    const namespace = await cluster.createNamespace();
    const token = cluster.user('jane', ['developers']);
    const list = `/api/v1/namespaces/${namespace}/configmaps`;
    expect((await cluster.request('GET', list, { token })).status).toBe(403);
    await cluster.kubectl(['create', 'rolebinding', 'see', '-n', namespace, '--clusterrole=view', '--group=developers']);
    await expect.poll(async () => (await cluster.request('GET', list, { token })).status).toBe(200);
    const who = await cluster.kubectl(['auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}'], { token });
    expect(who.stdout).toBe('jane');
  });

  it('knows no token that it did not make', async () => {
    expect((await cluster.request('GET', '/api', { token: `${cluster.user('jane')}x` })).status).toBe(401);
  });
});

describe('helm', () => {
  it(
    'installs a chart into this cluster, with nothing of the user’s own Helm files',
    async () => {
      const namespace = await cluster.createNamespace();
      const chart = join(cluster.coordinates.folder, 'chart');
      await mkdir(join(chart, 'templates'), { recursive: true });
      await writeFile(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: tiny\nversion: 1.0.0\n');
      await writeFile(join(chart, 'templates', 'a.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}"}\n');
      await cluster.helm(['install', 'first', chart, '-n', namespace]);
      expect((await cluster.request('GET', `/api/v1/namespaces/${namespace}/configmaps/first`)).status).toBe(200);
      const listed = await cluster.helm(['list', '-n', namespace, '-o', 'json']);
      expect(JSON.parse(listed.stdout)).toMatchObject([{ name: 'first', status: 'deployed' }]);
    },
    START_TIMEOUT_MS,
  );
});

describe('the controllers', () => {
  it('empty and remove a deleted namespace', async () => {
    const namespace = await cluster.createNamespace();
    await cluster.kubectl(['apply', '-f', '-'], { input: widget('a', namespace, 10) });
    await cluster.request('DELETE', `/api/v1/namespaces/${namespace}`);
    await expect.poll(async () => (await cluster.request('GET', `/api/v1/namespaces/${namespace}`)).status, { timeout: 15_000 }).toBe(404);
  });
});

describe('the API server in the hands of a test', () => {
  it('comes back after a kill with the same address, certificate, tokens and objects', async () => {
    const namespace = await cluster.createNamespace();
    const token = await cluster.serviceAccountToken(namespace, 'robot');
    await cluster.killApiServer();
    await expect(cluster.request('GET', '/readyz')).rejects.toThrow(/ECONNREFUSED|other side closed/);
    await cluster.startApiServer();
    expect((await cluster.request('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(200);
    expect((await cluster.request('GET', `/api/v1/namespaces/${namespace}`, { token })).status).toBe(403);
  });

  it('answers nothing while it is paused, and the same request afterwards', async () => {
    let asking = Promise.resolve({ status: 0 });
    cluster.pauseApiServer();
    const answer = (): Promise<unknown> => {
      asking = cluster.request('GET', '/api/v1/namespaces');
      return Promise.race([asking, sleep(systemClock, 300)]);
    };
    // The signal goes by way of another process, and what was asked before it comes is answered.
    await expect.poll(answer, { timeout: 5_000 }).toBeUndefined();
    cluster.resumeApiServer();
    expect((await asking).status).toBe(200);
  });
});
