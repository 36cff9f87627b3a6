import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Cluster, type Coordinates } from './cluster.ts';
import type { ControlPlane } from './control-plane.ts';
import { ToolsMissing } from './programs/finder.ts';
import { setup } from './global-setup.ts';
import { startK3s } from './programs/k3s.ts';
import { thisMachine } from './programs/machine.ts';
import { START_TIMEOUT_MS } from './shared.ts';
import { startControlPlane } from './start.ts';

let own: ControlPlane;
beforeAll(async () => {
  own = await startControlPlane();
  vi.stubEnv('USE_EXISTING_CLUSTER', 'true');
  vi.stubEnv('KUBECONFIG', own.kubeconfig);
}, START_TIMEOUT_MS);
afterAll(async () => {
  vi.unstubAllEnvs();
  await own.stop();
});

const administrators = async (): Promise<string[]> => {
  const { stdout } = await own.kubectl(['get', 'serviceaccounts', '-n', 'kube-system', '-o', 'name']);
  return stdout.split('\n').filter((name) => name.includes('cloud-operator-test-'));
};

describe('an existing cluster', () => {
  it('is used as it is, says so, and is left as it was', async () => {
    const lines: string[] = [];
    const existing = await startControlPlane({ log: (line) => lines.push(line) });
    expect(lines).toEqual([`Control plane: existing cluster ${own.url} of KUBECONFIG=${own.kubeconfig}`]);
    const namespace = await existing.createNamespace();
    expect((await own.request('GET', `/api/v1/namespaces/${namespace}`)).status).toBe(200);
    const token = await existing.serviceAccountToken(namespace, 'robot');
    expect((await existing.request('GET', '/api/v1/namespaces', { token })).status).toBe(403);
    expect(await administrators()).toHaveLength(1);
    await existing.stop();
    expect(await administrators()).toEqual([]);
  });

  it('says what it cannot do', async () => {
    const existing = await startControlPlane({ log: () => undefined });
    expect(() => existing.user('jane')).toThrow(/not on an existing cluster: use serviceAccountToken/);
    expect(() => existing.killApiServer()).toThrow(/not started here/);
    await existing.stop();
  });

  it('needs KUBECONFIG', async () => {
    vi.stubEnv('KUBECONFIG', '');
    await expect(startControlPlane()).rejects.toThrow('USE_EXISTING_CLUSTER=true needs KUBECONFIG');
    vi.stubEnv('KUBECONFIG', own.kubeconfig);
  });
});

/** Stands in for the container library. */
function k3s(start: () => Promise<unknown>): void {
  vi.doMock('@testcontainers/k3s', () => ({
    K3sContainer: class {
      withCommand() {
        return this;
      }
      start = start;
    },
  }));
}

describe('K3s in Docker', () => {
  const missing = new ToolsMissing(['etcd'], ['Go build: no Go found']);

  it('is used through its kubeconfig, and its container is stopped at the end', async () => {
    const stop = vi.fn<() => void>();
    const kubeconfig = await readFile(own.kubeconfig, 'utf8');
    k3s(() => Promise.resolve({ getKubeConfig: () => kubeconfig, stop }));
    const lines: string[] = [];
    const cluster = await startK3s(
      thisMachine((line) => lines.push(line)),
      missing,
    );
    expect(lines.join('\n')).toMatch(/Trying K3s in Docker .*because etcd could not be found or built\nControl plane: K3s in Docker/);
    expect((await cluster.request('GET', '/api/v1/namespaces')).status).toBe(200);
    expect(stop).not.toHaveBeenCalled();
    await cluster.stop();
    expect(stop).toHaveBeenCalledOnce();
    expect(await administrators()).toEqual([]);
  });

  it('adds its own reason to the others when there is no Docker', async () => {
    k3s(() => Promise.reject(new Error('Could not find a working container runtime strategy')));
    const silent = thisMachine(() => undefined);
    await expect(startK3s(silent, missing)).rejects.toThrow(
      /Go build: no Go found\n {2}- K3s in Docker: Could not find .*\nAny one of these/,
    );
  });
});

describe('the control plane that suites share', () => {
  it('starts at the first question only, is the same for all, and ends with the run', async () => {
    let broker = '';
    const tearDown = await setup({ provide: (_name, url) => void (broker = url) });
    expect(await administrators()).toEqual([]);
    const [a, b] = await Promise.all([fetch(broker), fetch(broker)].map(async (answer) => (await (await answer).json()) as Coordinates));
    expect(a).toEqual(b);
    expect(await administrators()).toHaveLength(1);
    const suite = new Cluster(a as Coordinates);
    expect((await suite.request('GET', '/readyz')).status).toBe(200);
    await suite.disconnect();
    expect((await fetch(new URL('/other', broker))).status).toBe(404);
    await tearDown();
    expect(await administrators()).toEqual([]);
    await expect(fetch(broker)).rejects.toThrow('fetch failed');
  });
});
