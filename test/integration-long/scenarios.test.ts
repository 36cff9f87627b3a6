import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { isReady, Stage } from '../support/process/stage.ts';
import { plantedArgs } from '../support/samples/planted.ts';

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}
interface Access {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token: string } }[];
}
interface SecretKey {
  readonly name: string;
  readonly key?: string;
}

const folder = fileURLToPath(new URL('../../deploy/scenarios/', import.meta.url));
const scenarios = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory()).map(({ name }) => name);
/** Those that name their namespaces themselves. */
const places: Readonly<Record<string, readonly string[]>> = { 'shared-dns': ['platform', 'shop', 'blog'] };
const placesOf = (scenario: string): readonly string[] => places[scenario] ?? ['shop'];
const teams = scenarios.flatMap((scenario) => placesOf(scenario).map((place) => ({ scenario, place })));

/** What stands there before, as the README of the scenario says. */
const certificate = { 'tls.crt': '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n' };
const privateKey = { 'tls.key': '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n' };
const secrets: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  'static-site': { 'site-tls': { ...certificate, ...privateKey } },
};

let stage: Stage;
beforeAll(async () => {
  stage = await Stage.open({ more: teams.length - 1, emulator: ['--speed', '100', ...plantedArgs], flags: ['--list-lag=2s'] });
}, START_TIMEOUT_MS);
afterAll(() => stage.close());

const namespaceOf = (scenario: string, place: string): string =>
  stage.namespaces[teams.findIndex((team) => team.scenario === scenario && team.place === place)] ?? '';

/** The account of the quick start, or the token alone where the scenario brings an account. */
async function begin(scenario: string): Promise<void> {
  const [place = ''] = placesOf(scenario);
  const namespace = namespaceOf(scenario, place);
  if (scenario in places) await stage.secret('dns', { token: 'token-admin' }, namespace);
  else await stage.account('default', { endpoint: 'main' }, 'token-admin', namespace);
  for (const [name, data] of Object.entries(secrets[scenario] ?? {})) await stage.secret(name, data, namespace);
}

async function applied(scenario: string): Promise<readonly Manifest[]> {
  const { stdout } = await stage.cluster.kubectl(['kustomize', join(folder, scenario)]);
  const input = placesOf(scenario).reduce(
    (text, place) =>
      text
        .replaceAll(`namespace: ${place}\n`, `namespace: ${namespaceOf(scenario, place)}\n`)
        .replaceAll(`- ${place}\n`, `- ${namespaceOf(scenario, place)}\n`),
    stdout,
  );
  const [place = ''] = placesOf(scenario);
  await stage.cluster.kubectl(['apply', '-f', '-', ...(scenario in places ? [] : ['-n', namespaceOf(scenario, place)])], { input });
  return parseAllDocuments(input).map((document) => document.toJS() as Manifest);
}

interface Naming {
  readonly secretKeyRef?: SecretKey;
  readonly secretRef?: SecretKey;
  readonly secret?: { readonly secretName: string; readonly items?: readonly { readonly key: string }[] };
}

/** Every key of a Secret that a workload of the scenario names. */
function keysIn(value: unknown): readonly SecretKey[] {
  if (typeof value !== 'object' || value === null) return [];
  const { secretKeyRef, secretRef, secret } = value as Naming;
  const { secretName = '', items = [{}] } = secret ?? {};
  const mounted = secretName === '' ? [] : items.map((item) => ({ name: secretName, ...item }));
  return [secretKeyRef ?? [], secretRef ?? [], mounted, ...Object.values(value).map(keysIn)].flat();
}
const isWorkload = ({ kind }: Manifest): boolean => ['Deployment', 'Job', 'CronJob'].includes(kind);

async function dataOf(name: string, namespace: string): Promise<Readonly<Record<string, string>>> {
  const { body } = await stage.cluster.request<{ data?: Record<string, string> }>('GET', `/api/v1/namespaces/${namespace}/secrets/${name}`);
  return body.data ?? {};
}

describe.each(scenarios)('%s', (scenario) => {
  it('becomes Ready as it is, and its workloads find every Secret that they name', { timeout: 240_000 }, async () => {
    await begin(scenario);
    const manifests = await applied(scenario);
    const [place = ''] = placesOf(scenario);
    const home = namespaceOf(scenario, place);
    const ours = manifests.filter(({ kind }) => kind.startsWith('Cloud'));
    expect(ours.length).toBeGreaterThan(1);
    for (const { kind, metadata } of ours) await stage.until([kind, metadata.name, metadata.namespace ?? home], isReady, 180_000);
    for (const { name, key } of manifests.filter(isWorkload).flatMap(keysIn)) {
      const data = await dataOf(name, home);
      expect([name, ...Object.keys(data)]).toContain(key ?? name);
      expect([name, Object.keys(data).length > 0]).toEqual([name, true]);
    }
  });
});

describe('what a reader does next', () => {
  it('talks to the new cluster with the kubeconfig of its Secret', async () => {
    const { kubeconfig = '' } = await dataOf('apps-kubeconfig', namespaceOf('kubernetes-cluster', 'shop'));
    const text = Buffer.from(kubeconfig, 'base64').toString();
    const { clusters, users } = parse(text) as Access;
    // kubectl sends no token over the emulator's plain HTTP.
    const answer = await fetch(`${clusters[0]?.cluster.server}/api/v1/nodes`, {
      headers: { authorization: `Bearer ${users[0]?.user.token}` },
    });
    const { items } = (await answer.json()) as { readonly items: readonly object[] };
    expect(items.length).toBeGreaterThanOrEqual(4);
  });

  it('finds the file that went with the ticket in the account, once', async () => {
    const requests = await stage.emulator.requests();
    const sent = requests.filter(({ method, path }) => method === 'POST' && /\/support\/tickets(\/\d+\/attachments)?$/.test(path));
    expect(sent.map(({ path, status }) => [path.replace(/^\/v4|\d+/g, ''), status])).toEqual([
      ['/support/tickets', 200],
      ['/support/tickets//attachments', 200],
    ]);
  });
});
