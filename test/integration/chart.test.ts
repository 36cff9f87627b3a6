import { readdir, readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { documents, only, renderChart, type RenderedObject, type Values } from '../support/process/rendered-chart.ts';
import { configOf, podOf, rulesOf } from '../support/process/chart-parts.ts';

/** Helm may have to be built first. */
const HELM_TIMEOUT_MS = 10 * 60_000;
const endpoint = { name: 'main', url: 'https://api.example.com/v4', word: 'vm' };
const everything: Values = {
  endpoints: [
    { ...endpoint, ca: { configMap: 'provider-ca', key: 'ca.crt' } },
    { name: 'second', url: 'https://other.example.com/v4' },
  ],
  watchNamespaces: ['team-a', 'team-b'],
  accountSelector: { tier: 'prod', team: 'a' },
  logLevel: 'debug',
  extraArgs: ['--lease-duration=30s'],
  extraEnv: [{ name: 'HTTPS_PROXY', value: 'http://proxy:3128' }],
  image: { digest: `sha256:${'0'.repeat(64)}` },
  imagePullSecrets: [{ name: 'pull' }],
  resources: { limits: { memory: '1Gi' } },
  priorityClassName: 'system-cluster-critical',
  terminationGracePeriodSeconds: 45,
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ operator: 'Exists' }],
  podAnnotations: { a: 'b' },
  podLabels: { c: 'd' },
  commonLabels: { team: 'platform', c: 'common' },
  deploymentAnnotations: { f: 'g' },
  affinity: { nodeAffinity: {} },
  topologySpreadConstraints: [{ maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule' }],
  extraVolumes: [{ name: 'bundle', configMap: { name: 'bundle' } }],
  extraVolumeMounts: [{ name: 'bundle', mountPath: '/bundle' }],
  serviceAccount: { annotations: { e: 'f' } },
  networkPolicy: { metricsFrom: [{ podSelector: {} }], extraEgress: [{ ports: [{ port: 3128 }] }] },
  flowSchema: { create: true },
  metrics: { serviceMonitor: { create: true }, rules: { create: true }, dashboard: { create: true } },
};
const nothing: Values = Object.fromEntries(
  ['serviceAccount', 'rbac', 'protectPolicy', 'podDisruptionBudget', 'networkPolicy'].map((part) => [part, { create: false }]),
);

let plain: readonly RenderedObject[];
let full: readonly RenderedObject[];
let bare: readonly RenderedObject[];
beforeAll(async () => {
  plain = await renderChart({ endpoints: [endpoint] });
  full = await renderChart(everything);
  bare = await renderChart({
    endpoints: [endpoint],
    endpointsReadable: false,
    ...nothing,
    crds: { install: false },
    metrics: { service: false },
    replicas: 1,
  });
}, HELM_TIMEOUT_MS);

describe('the chart', () => {
  it('puts what is in a namespace into its own', () =>
    expect(
      [...plain, ...full]
        .filter(({ metadata: { namespace } }) => namespace !== undefined && namespace !== 'cloud-operator')
        .map(({ kind }) => kind),
    ).toEqual(['Role', 'Role', 'RoleBinding', 'RoleBinding']));
  it('names each object once', () => {
    const names = full.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`);
    expect(names).toEqual([...new Set(names)]);
  });
  it('labels everything but CRDs', () =>
    expect(
      full.filter(({ kind, metadata }) => kind !== 'CustomResourceDefinition' && !metadata.labels?.['app.kubernetes.io/name']),
    ).toEqual([]));
  it('is only a Deployment when everything else is switched off', () => expect(bare.map(({ kind }) => kind)).toEqual(['Deployment']));
});

describe('CRDs', () => {
  it('are those of the folder crds, and stay when the release goes', async () => {
    const folder = new URL('../../crds/', import.meta.url);
    const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
    const texts = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
    const kept = texts.flatMap(documents).map((crd) => {
      const { annotations } = crd.metadata as { annotations?: Values };
      return { ...crd, metadata: { ...crd.metadata, annotations: { ...annotations, 'helm.sh/resource-policy': 'keep' } } };
    });
    const rendered = plain.filter(({ kind }) => kind === 'CustomResourceDefinition');
    expect(rendered.toSorted(byName)).toEqual(kept.toSorted(byName));
  });
});
describe('the release', () => {
  /** Helm keeps templates and manifest in one Secret, which the API server takes up to 1 MiB: gzip of JSON, then base64. */
  it('fits into the Secret that Helm keeps it in', async () => {
    const folder = new URL('../../charts/cloud-operator/', import.meta.url);
    const files = await readdir(folder, { recursive: true, withFileTypes: true });
    const texts = await Promise.all(files.filter((file) => file.isFile()).map((file) => readFile(`${file.parentPath}/${file.name}`)));
    const release = JSON.stringify({ templates: texts.map((text) => text.toString('base64')), manifest: full });
    expect((gzipSync(release).length * 4) / 3).toBeLessThan(900_000);
  });
});
const byName = (a: RenderedObject, b: RenderedObject): number => a.metadata.name.localeCompare(b.metadata.name);

describe('permissions', () => {
  it('are for all namespaces by default', () => expect(rulesOf(only(plain, 'ClusterRole'))).toContain('"secrets"'));
  it('end at the named namespaces where there are any', () => {
    expect(rulesOf(only(full, 'ClusterRole'))).not.toMatch(/secrets|cloudvolumes"|events/);
    const roles = full.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'cloud-operator-objects');
    expect(roles.map(({ metadata }) => metadata.namespace)).toEqual(['team-a', 'team-b']);
    expect(roles.every((role) => rulesOf(role).includes('"secrets"'))).toBe(true);
  });
  it('cover one lease, the one that the flags name', () => {
    expect(rulesOf(only(plain, 'Role'))).toContain(`"resourceNames":["${configOf(plain).leaseName}"]`);
  });
  it('never list or watch Secrets', () => {
    const rules = full.flatMap(
      (object) => (object['rules'] ?? []) as readonly { resources: readonly string[]; verbs: readonly string[] }[],
    );
    const verbs = rules.filter(({ resources }) => resources.includes('secrets')).flatMap((rule) => rule.verbs);
    expect(verbs.filter((verb) => !['get', 'create', 'patch', 'delete'].includes(verb))).toEqual([]);
  });
});

describe('the pod', () => {
  it('has flags that the operator understands', () => {
    expect(configOf(plain)).toMatchObject({ endpoints: [endpoint], watchNamespaces: [], accountSelector: {}, logLevel: 'info' });
    expect(configOf(full)).toMatchObject({
      endpoints: [
        { ...endpoint, ca: '/etc/cloud-operator/ca/main/ca.crt' },
        { name: 'second', url: 'https://other.example.com/v4', word: 'vm' },
      ],
      watchNamespaces: ['team-a', 'team-b'],
      accountSelector: { tier: 'prod', team: 'a' },
      logLevel: 'debug',
      leaseDuration: 30_000,
      shutdownGrace: 35_000,
    });
  });
  it('listens where its probes and Prometheus ask', () => {
    const { metricsAddress, healthAddress } = configOf(plain);
    expect(podOf(plain).containers[0]['ports']).toEqual([
      { name: 'metrics', containerPort: Number(metricsAddress.slice(1)) },
      { name: 'health', containerPort: Number(healthAddress.slice(1)) },
    ]);
  });
  it('passes the restricted pod security standard', () => {
    const pod = podOf(full);
    expect(pod['securityContext']).toMatchObject({ runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } });
    expect(pod.containers[0]['securityContext']).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      privileged: false,
      capabilities: { drop: ['ALL'] },
    });
    expect(['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => name in pod)).toEqual([]);
    expect(pod['automountServiceAccountToken']).toBe(false);
    expect(JSON.stringify(pod.volumes)).not.toMatch(/hostPath|secret"/);
  });
  it.each([
    ['512Mi', () => plain, 384],
    ['1Gi', () => full, 768],
  ])('leaves a quarter of %s to everything but the heap', (_, objects, heap) => {
    const options = podOf(objects()).containers[0].env.find(({ name }) => name === 'NODE_OPTIONS');
    expect(options?.value).toContain(`--max-old-space-size=${heap} `);
  });
  it("has labels, places and volumes of its user beside the chart's", () => {
    const pod = podOf(full);
    expect(only(full, 'Deployment')['spec']).toMatchObject({
      template: { metadata: { labels: { team: 'platform', c: 'd', 'app.kubernetes.io/name': 'cloud-operator' } } },
    });
    expect(full.filter(({ kind, metadata }) => kind !== 'CustomResourceDefinition' && metadata.labels?.['team'] !== 'platform')).toEqual(
      [],
    );
    expect(pod['affinity']).toEqual({ nodeAffinity: {} });
    const { matchLabels } = (only(full, 'Deployment')['spec'] as { selector: { matchLabels: object } }).selector;
    expect(pod['topologySpreadConstraints']).toEqual([
      { maxSkew: 2, topologyKey: 'rack', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels } },
    ]);
    expect(pod.volumes).toContainEqual({ name: 'bundle', configMap: { name: 'bundle' } });
    expect(pod.containers[0]['volumeMounts']).toContainEqual({ name: 'bundle', mountPath: '/bundle' });
  });
  it('asks again for what a tag means, and not for what a digest means', () => {
    expect(podOf(plain).containers[0]['imagePullPolicy']).toBe('Always');
    expect(podOf(full).containers[0]['imagePullPolicy']).toBe('IfNotPresent');
  });
  it('takes a digest before a tag', () => expect(podOf(full).containers[0]['image']).toBe(`cloud-operator@sha256:${'0'.repeat(64)}`));
});

describe('values that are refused', () => {
  it.each<[string, Values, RegExp]>([
    ['an unknown one', { replicaCount: 2 }, /replicaCount/],
    ['no API at all', { endpoints: [] }, /endpoints: name at least one API.*--set 'endpoints\[0\]\.name=main/],
    ['two APIs of one name', { endpoints: [endpoint, endpoint] }, /endpoints: there are two called main/],
    [
      'another NODE_OPTIONS',
      { endpoints: [endpoint], extraEnv: [{ name: 'NODE_OPTIONS', value: '--inspect' }] },
      /extraEnv: NODE_OPTIONS is set by the chart/,
    ],
    [
      'an image that changes under its tag',
      { endpoints: [endpoint], image: { tag: 'latest' } },
      /image\.tag: latest changes under its name/,
    ],
    ['a URL that is no API', { endpoints: [{ name: 'main', url: 'https://api.example.com' }] }, /url/],
    ['an endpoint that smuggles in a setting', { endpoints: [{ name: 'main', url: 'https://a.example.com,ca=/x/v4' }] }, /url/],
    [
      'a kind that there is not',
      { endpoints: [endpoint], kinds: ['CloudVolumes'] },
      /kinds: there is no kind CloudVolumes; there are CloudAccount, /,
    ],
    [
      'no namespace with Secrets',
      { endpoints: [endpoint], secrets: { mode: 'Namespaces' } },
      /secrets\.namespaces: with secrets\.mode Namespaces, name those/,
    ],
    [
      'namespaces that narrow nothing',
      { endpoints: [endpoint], secrets: { namespaces: ['a'] } },
      /it narrows nothing while secrets\.mode is Cluster/,
    ],
    [
      'Secrets of a namespace that is not served',
      { endpoints: [endpoint], watchNamespaces: ['a'], secrets: { mode: 'Namespaces', namespaces: ['b'] } },
      /secrets\.namespaces: b is not among watchNamespaces/,
    ],
    [
      'a label of the chart',
      { endpoints: [endpoint], commonLabels: { 'app.kubernetes.io/name': 'x' } },
      /commonLabels: app\.kubernetes\.io\/name is set/,
    ],
    ['a volume of the chart', { endpoints: [endpoint], extraVolumes: [{ name: 'token' }] }, /extraVolumes: the name token is taken/],
    ['root', { endpoints: [endpoint], podSecurityContext: { runAsUser: 0 } }, /runAsUser/],
    ['a mode of Secrets that there is not', { endpoints: [endpoint], secrets: { mode: 'None' } }, /mode.*'Cluster', 'Namespaces'/s],
    ['a memory limit that no heap follows from', { resources: { limits: { memory: '500M' } } }, /memory/],
  ])('%s', async (_, values, message) => {
    await expect(renderChart(values)).rejects.toThrow(message);
  });
});

describe('the kustomize base', () => {
  it.each(['operator.yaml', 'endpoints.yaml', 'rbac.yaml', 'protect-policy.yaml'])('%s says what the chart says', async (file) => {
    const base = documents(await readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8'));
    for (const object of base.filter(({ kind }) => kind !== 'Namespace')) {
      expect(bareOf(object)).toEqual(bareOf(only(plain, object.kind, object.metadata.name)));
    }
  });
});

/** Without what only one of the two has: labels and selectors of the release. */
function bareOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bareOf);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !key.startsWith('app.kubernetes.io/') && key !== 'helm.sh/chart');
  const entries = kept.map(([key, item]) => [key, bareOf(item)] as const);
  return Object.fromEntries(entries.filter(([key, item]) => key !== 'labels' || JSON.stringify(item) !== '{}'));
}
