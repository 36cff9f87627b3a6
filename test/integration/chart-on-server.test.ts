import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Cluster } from '../controlplane/cluster.ts';
import { sharedControlPlane, START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { only, renderChart, type Release, type RenderedObject, type Values } from '../support/process/rendered-chart.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const endpoints = [{ name: 'main', url: 'https://api.example.com/v4' }];
/** What needs CRDs of somebody else's is rendered only. */
const matrix: readonly (readonly [string, Values])[] = [
  ['the defaults', {}],
  ['namespaces of its own', { watchNamespaces: ['default'] }],
  ['one replica', { replicas: 1, podDisruptionBudget: { create: false } }],
  ['no metrics', { metrics: { service: false } }],
  ['a dashboard and a priority level', { metrics: { dashboard: { create: true } }, flowSchema: { create: true } }],
  [
    'more flags, variables and a private CA',
    {
      endpoints: [{ ...endpoints[0], ca: { configMap: 'provider-ca', key: 'ca.crt' } }],
      extraArgs: ['--lease-duration=30s'],
      extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
      accountSelector: { tier: 'prod' },
    },
  ],
  ['gestures as rights of their own', { gesturePolicy: { create: true } }],
  ['a role for those who only plan', { planner: { create: true } }],
  ['some kinds', { kinds: ['CloudSSHKey'] }],
  ['Secrets of one namespace', { secrets: { mode: 'Namespaces', namespaces: ['default'] } }],
  ['a user that the cluster chooses', { openshift: true }],
  [
    'a pod with a place of its own',
    {
      priorityClassName: 'system-cluster-critical',
      nodeSelector: { disk: 'ssd' },
      tolerations: [{ operator: 'Exists' }],
      podAnnotations: { a: 'b' },
      podLabels: { c: 'd' },
      imagePullSecrets: [{ name: 'pull' }],
      networkPolicy: { metricsFrom: [{ podSelector: {} }], extraEgress: [{ ports: [{ port: 3128 }] }] },
    },
  ],
];

let cluster: Cluster;
let release: Release;
beforeAll(async () => {
  cluster = await sharedControlPlane();
  const namespace = await cluster.createNamespace('chart');
  await cluster.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
  release = { name: `cloud-operator-${randomBytes(4).toString('hex')}`, namespace };
  // Another suite makes the same CRDs at any time: what is tried here shall not be refused because they exist a moment after it looked.
  const crds = (await renderChart({ endpoints }, release)).filter(({ kind }) => kind === 'CustomResourceDefinition');
  await cluster.kubectl(['apply', '--server-side', '-f', '-'], { input: listOf(crds) });
}, START_TIMEOUT_MS);
afterAll(async () => {
  await cluster.kubectl(['delete', 'namespace', release.namespace, '--wait=false']);
  await cluster.disconnect();
});

const listOf = (items: readonly RenderedObject[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
/** What the API server says to each object, and its warnings; nothing is stored. */
async function dryRun(objects: readonly RenderedObject[]): Promise<{ readonly said: readonly string[]; readonly warnings: string }> {
  const dry = ['--dry-run=server', '--validate=strict', '-f', '-'];
  const { stdout, stderr } = await cluster.kubectl(['apply', '--server-side', '--force-conflicts', ...dry], { input: listOf(objects) });
  return { said: stdout.trim().split('\n'), warnings: stderr };
}

describe.each(matrix)('the chart with %s', (_, values) => {
  let objects: readonly RenderedObject[];
  beforeAll(async () => {
    objects = await renderChart({ endpoints, ...values }, release);
  });

  it('is taken by the API server, object by object, without a warning', async () => {
    const { said, warnings } = await dryRun(objects);
    expect(warnings).toBe('');
    expect(said).toHaveLength(objects.length);
    expect(said.filter((line) => !line.endsWith(' serverside-applied (server dry run)'))).toEqual([]);
  });
  it('has a pod that is admitted where the restricted standard is enforced, and no weaker one is', async () => {
    const { template } = only(objects, 'Deployment', release.name)['spec'] as {
      template: { metadata: object; spec: Record<string, unknown> };
    };
    const send = async (spec: object) => {
      const body = { apiVersion: 'v1', kind: 'Pod', metadata: { ...template.metadata, name: 'one' }, spec };
      return (await cluster.request('POST', `/api/v1/namespaces/${release.namespace}/pods?dryRun=All&fieldValidation=Strict`, { body }))
        .status;
    };
    await cluster.serviceAccountToken(release.namespace, release.name);
    expect(await send(template.spec)).toBe(201);
    expect(await send({ ...template.spec, hostNetwork: true })).toBe(403);
  });
});

describe('a release', () => {
  it('is installed, changed and removed by Helm', async () => {
    const chart = `${root}/charts/cloud-operator`;
    const own = { ...release, name: `${release.name}-helm` };
    const helm = (args: readonly string[], more: Values = {}) =>
      cluster.helm([...args, '--namespace', own.namespace, '--values', '-'], {
        input: JSON.stringify({ endpoints, crds: { install: false }, ...more }),
      });
    await helm(['install', own.name, chart]);
    await helm(['upgrade', own.name, chart], { replicas: 1 });
    const { stdout } = await cluster.kubectl(['get', 'deployment', own.name, '-n', own.namespace, '-o', 'jsonpath={.spec.replicas}']);
    expect(stdout).toBe('1');
    await cluster.helm(['uninstall', own.name, '--namespace', own.namespace]);
    const left = await cluster.kubectl(['get', 'deployments,services,roles', '-n', own.namespace, '-o', 'name']);
    expect(left.stdout.split('\n').filter((name) => name.includes(own.name))).toEqual([]);
  });
  it('is refused with a bad value by the chart', async () => {
    await expect(renderChart({ endpoints, replicas: -1 }, release)).rejects.toThrow('replicas');
    await expect(renderChart({ endpoints, watchNamespaces: ['Team A'] }, release)).rejects.toThrow('watchNamespaces');
    await expect(renderChart({ endpoints, logLevel: 'verbose' }, release)).rejects.toThrow('logLevel');
  });
});

describe('the kustomize base', () => {
  it('is taken by the API server, object by object', async () => {
    const built = await cluster.kubectl(['kustomize', `${root}/deploy`]);
    const objects = built.stdout.split(/^---$/m).length;
    await cluster.kubectl(['create', 'namespace', 'cloud-operator'], { allowFail: true });
    const { stdout, stderr } = await cluster.kubectl([
      'apply',
      '-k',
      `${root}/deploy`,
      '--dry-run=server',
      '--server-side',
      '--force-conflicts',
    ]);
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => line.endsWith('serverside-applied (server dry run)')),
    ).toHaveLength(objects);
    expect(stderr).toBe('');
  });
});
