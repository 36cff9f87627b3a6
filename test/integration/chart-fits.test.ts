import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { servedKinds } from '../../src/commands/served-kinds.ts';
import { endpoints } from '../../src/flag-values.ts';
import { plural } from '../../src/generate/names.ts';
import { runCommand } from '../controlplane/command.ts';
import { findTool } from '../controlplane/programs/finder.ts';
import { thisMachine } from '../controlplane/programs/machine.ts';
import { configOf, podOf, rulesOf } from '../support/process/chart-parts.ts';
import { documents, only, renderChart, type RenderedObject, type Values } from '../support/process/rendered-chart.ts';

/** Helm may have to be built first. */
const HELM_TIMEOUT_MS = 10 * 60_000;
const endpoint = { name: 'main', url: 'https://api.example.com/v4', word: 'vm' };
const byText = (a: string, b: string): number => a.localeCompare(b);
let plain: readonly RenderedObject[];
beforeAll(async () => {
  plain = await renderChart({ endpoints: [endpoint] });
}, HELM_TIMEOUT_MS);

const networkOf = (objects: readonly RenderedObject[]) =>
  (only(objects, 'NetworkPolicy')['spec'] as { egress: readonly { to?: unknown; ports: readonly { port: number }[] }[] }).egress;

describe('the network policy', () => {
  it('lets DNS through wherever the cluster has it, and to the ports that API servers and endpoints have', async () => {
    expect(networkOf(plain).map(({ to, ports }) => [to, [...new Set(ports.map(({ port }) => port))]])).toEqual([
      [undefined, [53, 5353]],
      [undefined, [443, 6443, 8443, 16443]],
    ]);
    const elsewhere = await renderChart({ endpoints: [{ name: 'main', url: 'https://[2001:db8::1]:9443/v4' }] });
    expect(networkOf(elsewhere)[1]?.ports.map(({ port }) => port)).toContain(9443);
  });
});

const dataRights = (objects: readonly RenderedObject[]): readonly string[] =>
  (only(objects, 'ClusterRole', 'cloud-operator')['rules'] as readonly Record<string, readonly string[]>[])
    .filter(({ resources = [] }) => resources.includes('secrets') || resources.includes('configmaps'))
    .map(({ resources = [], verbs = [] }) => `${verbs.join()} ${resources.join()}`);

describe('kinds', () => {
  it('bring their CRDs, permissions and flag, and those that they can refer to', async () => {
    const objects = await renderChart({ endpoints: [endpoint], kinds: ['CloudVolume'] });
    const crds = objects
      .filter(({ kind }) => kind === 'CustomResourceDefinition')
      .map(({ metadata }) => metadata.name.split('.', 1).join());
    expect(crds).toEqual(expect.arrayContaining(['cloudaccounts', 'cloudinstances', 'cloudvolumes']));
    expect(crds).not.toContain('clouddomains');
    expect(
      servedKinds(configOf(objects).kinds)
        .map((kind) => plural(kind.kind))
        .toSorted(byText),
    ).toEqual(crds.toSorted(byText));
    const named = JSON.stringify(objects.filter(({ kind }) => /Role|Policy/.test(kind))).match(/\bcloud[a-z]+s\b/g);
    expect([...new Set<string>(named)].toSorted(byText)).toEqual(crds.toSorted(byText));
  });
  it('that give nothing out let nothing be written to Secrets and ConfigMaps', async () => {
    expect(dataRights(await renderChart({ endpoints: [endpoint], kinds: ['CloudSSHKey'] }))).toEqual(['get secrets']);
    expect(dataRights(await renderChart({ endpoints: [endpoint], kinds: ['CloudStackScript'] }))).toEqual([
      'get secrets',
      'get configmaps',
    ]);
    const giving = ['get secrets', 'get configmaps', 'create,patch secrets,configmaps'];
    expect(dataRights(await renderChart({ endpoints: [endpoint], kinds: ['CloudBucket'] }))).toEqual(giving);
    expect(dataRights(plain)).toEqual(giving);
  });
  it('leave no role for users without a rule that the API server would refuse', async () => {
    const objects = await renderChart({ endpoints: [endpoint], kinds: ['CloudSSHKey'] });
    expect(only(objects, 'ClusterRole', 'cloud-operator-edit')['rules']).toEqual([]);
  });
});

describe('the ConfigMap of endpoints', () => {
  it('says what the flag says, but for the certificates, and is all that everybody may read', async () => {
    const other = { name: 'other', url: 'https://api.example.org/v4', ca: { configMap: 'provider-ca', key: 'ca.crt' } };
    const objects = await renderChart({ endpoints: [endpoint, other] });
    const { data } = only(objects, 'ConfigMap', 'cloud-operator-endpoints') as unknown as { data: { endpoints: string } };
    expect(endpoints(data.endpoints)).toEqual([endpoint, { name: 'other', url: other.url, word: 'vm' }]);
    const open = objects.filter((object) => JSON.stringify(object['subjects'] ?? []).includes('"Group"'));
    expect(open.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(['RoleBinding cloud-operator-endpoints']);
    expect(only(objects, 'Role', 'cloud-operator-endpoints')['rules']).toEqual([
      { apiGroups: [''], resources: ['configmaps'], resourceNames: ['cloud-operator-endpoints'], verbs: ['get'] },
    ]);
  });
});

describe('the ConfigMap of endpoints of the kustomize base', () => {
  const words = 'main=https://cloud.example.org/v4,word=node other=https://api.example.org/v4';
  it('says what the flag says, whatever was written there', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'base-'));
    for (const part of ['deploy', 'crds']) await cp(new URL(`../../${part}`, import.meta.url), join(folder, part), { recursive: true });
    const file = join(folder, 'deploy/operator.yaml');
    const before = await readFile(file, 'utf8');
    await writeFile(file, before.replace(/--endpoint=.*/, `--endpoint=${words}`));
    const kubectl = await findTool(
      'kubectl',
      thisMachine(() => undefined),
    );
    const { code, stdout, stderr } = await runCommand(kubectl, ['kustomize', join(folder, 'deploy')]);
    await rm(folder, { recursive: true });
    expect([code, stderr]).toEqual([0, '']);
    const { data } = only(documents(stdout), 'ConfigMap', 'cloud-operator-endpoints') as unknown as { data: { endpoints: string } };
    expect(data.endpoints).toBe(words);
  });
});

describe('Secrets', () => {
  it('and ConfigMaps are read and written in the named namespaces alone', async () => {
    const objects = await renderChart({ endpoints: [endpoint], secrets: { mode: 'Namespaces', namespaces: ['ops', 'shop'] } });
    expect(rulesOf(only(objects, 'ClusterRole'))).not.toMatch(/secrets|configmaps/);
    const roles = objects.filter(({ kind, metadata }) => kind === 'Role' && metadata.name === 'cloud-operator-secrets');
    expect(roles.map((role) => [role.metadata.namespace, role['rules']])).toEqual(
      ['ops', 'shop'].map((namespace) => [
        namespace,
        [
          { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
          { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
          { apiGroups: [''], resources: ['secrets', 'configmaps'], verbs: ['create', 'patch'] },
        ],
      ]),
    );
  });
});

describe('the profiles of folder ci', async () => {
  const folder = new URL('../../charts/cloud-operator/ci/', import.meta.url);
  const profiles = await readdir(folder);
  it.each(profiles)('%s renders, with flags that the operator understands', async (file) => {
    const objects = await renderChart(parse(await readFile(new URL(file, folder), 'utf8')) as Values);
    const { kinds } = configOf(objects);
    expect(servedKinds(kinds).length).toBeGreaterThan(1);
    expect(podOf(objects)['securityContext']).toMatchObject({ runAsNonRoot: true });
  });
  it('are those that the README names', () =>
    expect(profiles.toSorted(byText)).toEqual(['eks', 'hardened', 'k3s', 'kind', 'openshift'].map((name) => `${name}-values.yaml`)));
});

describe('OpenShift', () => {
  const chosenByTheCluster = { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } };
  it('is seen by its API, and gives the pods their user', async () => {
    const seen = await renderChart({ endpoints: [endpoint] }, undefined, ['--api-versions', 'security.openshift.io/v1']);
    expect(podOf(seen)['securityContext']).toEqual(chosenByTheCluster);
  });
  it.each([
    [true, chosenByTheCluster],
    [false, { ...chosenByTheCluster, runAsUser: 65_532, runAsGroup: 65_532 }],
  ])('can be said to be there: %s', async (openshift, context) => {
    const said = await renderChart({ endpoints: [endpoint], openshift }, undefined, ['--api-versions', 'security.openshift.io/v1']);
    expect(podOf(said)['securityContext']).toEqual(context);
  });
});
