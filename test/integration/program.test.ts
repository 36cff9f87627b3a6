import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { crdHashes } from '../../src/generated/crd-hashes.ts';
import { runCommand } from '../controlplane/command.ts';
import type { Cluster } from '../controlplane/cluster.ts';
import { freePort } from '../controlplane/free-port.ts';
import { kubeconfigText } from '../controlplane/servers/kubeconfig.ts';
import { sharedControlPlane, START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { Program } from '../support/process/program.ts';

const script = 'dist/cloud-operator.mjs';
const call = (...args: readonly string[]) => runCommand(process.execPath, [script, ...args], { env: {} });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cloud-operator-program-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the built program', () => {
  it('says what it is', async () => {
    expect(await call('version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^cloud-operator \d+\.\d+\.\d+, Node\.js v24/) as string,
    });
  });
  it('prints the CRDs that its own operator expects', async () => {
    const { code, stdout } = await call('crds');
    const names = parseAllDocuments(stdout).map((document) => (document.toJS() as { metadata: { name: string } }).metadata.name);
    expect({ code, names: names.toSorted() }).toEqual({ code: 0, names: crdHashes.map(({ name }) => name).toSorted() });
  });
  it('prints the plugin that was built beside it, which runs', async () => {
    const { code, stdout } = await call('plugin');
    expect([code, stdout]).toEqual([0, await readFile('dist/kubectl-cloud', 'utf8')]);
    const file = join(folder, 'kubectl-cloud');
    await writeFile(file, stdout, { mode: 0o755 });
    expect(await runCommand(process.execPath, [file, 'version', '--client'], { env: {} })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^kubectl-cloud /) as string,
    });
  });
  it.each([
    [['--help'], 0, '--shutdown-grace DURATION'],
    [['run', '--help'], 0, 'Environment: CLOUD_OPERATOR_ENDPOINTS.'],
  ])('%s explains', async (args, code, text) => {
    expect(await call(...args)).toMatchObject({ code, stdout: expect.stringContaining(text) as string, stderr: '' });
  });
  it.each([
    [[], 'no command given'],
    [['start'], 'no command start'],
    [['run'], '--endpoint is required'],
    [['run', '--endpoint=main=https://api.example.com/v4', '--lease-duration=15'], '--lease-duration: "15" is not valid; write DURATION'],
    [['run', '--endpoint=main=https://api.example.com/v4,ca=/none.pem'], '--endpoint main: its ca file cannot be read'],
    [['crds', '--applye'], '--applye'],
    [['key'], 'write key export or key import'],
    [['key', 'export', '--out=x'], '--out'],
    [['plugin', 'kubectl-cloud'], 'plugin takes nothing: leave out kubectl-cloud'],
  ])('%s is refused with exit code 2', async (args, text) => {
    expect(await call(...args)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(text) as string });
  });
  it('fails with the reason when its cluster cannot be found', async () => {
    const { code, stderr } = await call('crds', '--apply', '--kubeconfig=/none');
    expect(code).toBe(1);
    expect(stderr).toContain('/none');
  });
});

it('without an API server it is alive, not ready, says why, and ends when asked', async () => {
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, kubeconfigText({ url: `https://127.0.0.1:${await freePort()}`, ca: '' }, 'none'));
  const health = `127.0.0.1:${await freePort()}`;
  const flags = [
    `--kubeconfig=${kubeconfig}`,
    `--health-address=${health}`,
    '--metrics-address=127.0.0.1:0',
    '--endpoint=main=http://127.0.0.1:1/v4',
  ];
  const program = new Program({ name: 'lonely', script: [script, 'run', ...flags], folder });
  try {
    expect(await program.line((line) => line.includes('it tries again'))).toContain('cannot read the namespace kube-system yet');
    const ask = async (path: string): Promise<string> => {
      const response = await fetch(`http://${health}${path}`);
      return `${response.status} ${(await response.text()).trim()}`;
    };
    expect(await ask('/livez')).toBe('200 ok');
    expect(await ask('/readyz')).toMatch(/^503 the caches are not filled yet/);
  } finally {
    expect(await program.stop()).toBe(0);
  }
  expect((await program.lines()).at(-1)).toContain('"msg":"ended"');
});

describe('crds --apply', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await sharedControlPlane();
  }, START_TIMEOUT_MS);
  afterAll(() => cluster.disconnect());
  const applied = crdHashes.map(({ name }) => `${name} applied`).toSorted();

  it('installs the CRDs of this release, and may be repeated', { timeout: 60_000 }, async () => {
    for (const _time of ['first', 'second']) {
      const { code, stdout, stderr } = await call('crds', '--apply', `--kubeconfig=${cluster.kubeconfig}`);
      expect({ code, stderr, lines: stdout.trim().split('\n').toSorted() }).toEqual({ code: 0, stderr: '', lines: applied });
    }
    for (const { name, schemaHash } of crdHashes) {
      const { body } = await cluster.request('GET', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${name}`);
      expect(body).toMatchObject({ metadata: { annotations: { 'cloudhosting.dev/schema-hash': schemaHash } } });
    }
  });
});

describe('key', () => {
  let cluster: Cluster;
  let namespace: string;
  beforeAll(async () => {
    cluster = await sharedControlPlane();
    namespace = await cluster.createNamespace('keys');
  }, START_TIMEOUT_MS);
  afterAll(() => cluster.disconnect());
  const key = (...args: readonly string[]) => call('key', ...args, `--kubeconfig=${cluster.kubeconfig}`, `--namespace=${namespace}`);
  const [first, second] = [1, 2].map((n) => Buffer.alloc(32, n).toString('base64')) as [string, string];

  it('goes from one cluster to another in a file that only its owner reads, and into no message', async () => {
    expect(await key('export')).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no Secret') as string });
    for (const [name, text] of Object.entries({ first, second })) await writeFile(join(folder, name), `${text}\n`);
    for (const name of ['first', 'second']) {
      const { code, stdout, stderr } = await key('import', `--file=${join(folder, name)}`);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(new RegExp(`${first.slice(0, 20)}|${second.slice(0, 20)}`));
    }
    expect(await key('export')).toMatchObject({ code: 0, stdout: `${second}\n${first}\n` });
    const file = join(folder, 'exported');
    expect(await key('export', `--file=${file}`)).toMatchObject({ code: 0, stdout: expect.stringContaining(file) as string });
    expect(await readFile(file, 'utf8')).toBe(`${second}\n${first}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await key('export', `--file=${file}`)).code).toBe(1);
    expect((await key('import', `--file=${cluster.kubeconfig}`)).stderr).toContain('this is no exported key');
  });
});
