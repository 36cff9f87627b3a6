import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fixtures } from '../conformance/case.ts';
import { freePort } from '../controlplane/free-port.ts';
import { START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { samples } from '../demo/samples.ts';
import { baseImages, docker, withoutDocker } from '../support/release/docker.ts';
import { only } from '../support/process/rendered-chart.ts';
import { Stage } from '../support/process/stage.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { CI, ...bases } = baseImages(await readFile(`${root}Dockerfile`, 'utf8'), process.env);
const missing = await withoutDocker(bases);
const missingForCi = missing ?? (await withoutDocker({ CI }));
const mebibyte = 1024 * 1024;
const name = `cloud-operator-${randomBytes(4).toString('hex')}`;
const image = `${name}:test`;
const ciImage = `${name}:ci`;
/** What the image may weigh beside its base. */
const ownSize = 8 * mebibyte;

let stage: Stage;
let health: string;
let metrics: string;

/** As the chart's pod would: its arguments, its user, its token where the kubelet mounts it, nothing writable, no capability. */
async function start(): Promise<void> {
  const { cluster, installed, folder } = stage;
  const { container, objects, release } = installed;
  const mount = join(folder, 'serviceaccount');
  await mkdir(mount);
  await chmod(mount, 0o755);
  const token = await cluster.serviceAccountToken(release.namespace, release.name);
  for (const [file, text] of Object.entries({ token, 'ca.crt': cluster.ca, namespace: release.namespace }))
    await writeFile(join(mount, file), text, { mode: 0o444 });
  const { securityContext } = (only(objects, 'Deployment', release.name)['spec'] as { template: { spec: Pod } }).template.spec;
  const { hostname, port } = new URL(cluster.url);
  const environment = {
    ...Object.fromEntries(container.env.map(({ name: variable, value = '' }) => [variable, value])),
    POD_NAME: name,
    POD_NAMESPACE: release.namespace,
    KUBERNETES_SERVICE_HOST: hostname,
    KUBERNETES_SERVICE_PORT: port,
  };
  const hardened = [`--user=${securityContext.runAsUser}:${securityContext.runAsGroup}`, '--read-only', '--cap-drop=ALL', '--memory=512m'];
  const mounted = `--volume=${mount}:/var/run/secrets/kubernetes.io/serviceaccount:ro`;
  const set = Object.entries(environment).map(([variable, value]) => `--env=${variable}=${value}`);
  const flags = [...container.args, `--metrics-address=${metrics}`, `--health-address=${health}`, '--list-lag=1s'];
  const machine = ['--network=host', '--security-opt=no-new-privileges', ...hardened, mounted, ...set];
  const said = await docker(['run', '--detach', '--name', name, ...machine, image, ...flags]);
  if (said.code !== 0) throw new Error(said.stderr);
}
interface Pod {
  readonly securityContext: { readonly runAsUser: number; readonly runAsGroup: number };
}

const log = async (): Promise<string> => {
  const { stdout, stderr } = await docker(['logs', name]);
  return stdout + stderr;
};
const ask = async (address: string, path: string): Promise<string> => {
  const response = await fetch(`http://${address}${path}`);
  return `${response.status} ${(await response.text()).trim()}`;
};

const inspect = async (of: string) =>
  JSON.parse((await docker(['image', 'inspect', of, '--format', '{{json .}}'])).stdout) as {
    readonly Size: number;
    readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  };

if (missing !== undefined) process.stderr.write(`\nThe image is NOT tested: ${missing}.\n\n`);
beforeAll(async () => {
  if (missing !== undefined) return;
  const chosen = Object.entries({ ...bases, VERSION: '1.2.3', COMMIT: 'abc' }).map(
    ([argument, value]) => `--build-arg=${argument}=${value}`,
  );
  const built = await docker(['build', '--network=host', '--tag', image, ...chosen, root]);
  if (built.code !== 0) throw new Error(`${built.stdout}\n${built.stderr}`.slice(-4000));
  stage = await Stage.open({ emulator: ['--speed', '20'], start: false });
  health = `127.0.0.1:${await freePort()}`;
  metrics = `127.0.0.1:${await freePort()}`;
  await start();
}, START_TIMEOUT_MS);
afterAll(async () => {
  if (missing !== undefined) return;
  await docker(['rm', '--force', name]);
  await stage?.close();
  await docker(['rmi', image]);
}, 60_000);
beforeEach((context) => {
  if (missing !== undefined) context.skip(missing);
});

describe('the image', () => {
  it('is its base and the bundle, and runs as nobody in particular', async () => {
    const { Size, Config } = await inspect(image);
    expect(Size - (await inspect(bases.BASE)).Size).toBeLessThan(ownSize);
    expect(Config.User).toBe('65532:65532');
    expect(Config.Labels).toMatchObject({ 'org.opencontainers.image.version': '1.2.3', 'org.opencontainers.image.revision': 'abc' });
  });
  it('knows its commit', async () => {
    const { stdout } = await docker(['run', '--rm', '--read-only', '--network=none', image, 'version']);
    expect(stdout).toMatch(/^cloud-operator \d\S* \(commit abc\), Node\.js v24/);
  });
  it('runs the operator without rights on its machine: all samples become Ready', { timeout: 120_000 }, async () => {
    await stage.secret('cloud', { token: stage.emulator.ready.token });
    for (const { secrets = {} } of fixtures) for (const [secret, data] of Object.entries(secrets)) await stage.secret(secret, data);
    for (const { configMaps = {} } of fixtures) for (const [name, data] of Object.entries(configMaps)) await stage.configMap(name, data);
    const wanted = (await samples()).map(({ kind, metadata, spec }) => stage.manifest(kind, metadata.name, spec));
    await stage.apply(...wanted);
    for (const { kind, metadata } of await samples())
      await stage.ready(kind, metadata.name).catch(async (error: Error) => {
        throw new Error(`${error.message}\n${(await log()).slice(-3000)}`);
      });
    expect(await ask(health, '/livez')).toBe('200 ok');
    expect(await ask(health, '/readyz')).toBe('200 ok');
    const figures = await ask(metrics, '/metrics');
    expect(figures).toMatch(/^cloud_operator_build_info\{.*commit="abc".*\} 1$/m);
    expect(figures).toMatch(/^cloud_operator_objects\{kind="CloudInstance",condition="Ready",status="True",reason="Available"\} 1$/m);
  });
  it('ends when the kubelet asks it to, and says so', async () => {
    await docker(['stop', '--time', '20', name]);
    expect((await docker(['inspect', name, '--format', '{{.State.ExitCode}} {{.State.OOMKilled}}'])).stdout.trim()).toBe('0 false');
    expect((await log()).trimEnd().split('\n').at(-1)).toContain('"msg":"ended"');
  });
});

describe('the image for CI jobs', () => {
  it('starts a shell, in which are the plugin and Git', { timeout: 300_000 }, async (context) => {
    context.skip(missingForCi !== undefined, missingForCi);
    const chosen = Object.entries({ ...bases, CI }).map(([argument, value]) => `--build-arg=${argument}=${value}`);
    const built = await docker(['build', '--network=host', '--target=ci', '--tag', ciImage, ...chosen, root]);
    expect(built).toMatchObject({ code: 0 });
    const script = 'kubectl-cloud version --client && git init --quiet /work && git -C /work status';
    const { stdout } = await docker(['run', '--rm', '--network=none', ciImage, 'sh', '-e', '-c', script]);
    await docker(['rmi', ciImage]);
    expect(stdout).toMatch(/^kubectl-cloud \d[^]*On branch /);
  });
});
