import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createGunzip } from 'node:zlib';
import { unpackTar } from 'modern-tar/fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Cluster } from '../controlplane/cluster.ts';
import { sharedControlPlane, START_TIMEOUT_MS } from '../controlplane/shared.ts';
import { Registry } from '../support/release/registry.ts';
import { findCrane } from '../support/release/release-tools.ts';
import { unpackedImage } from '../support/release/unpacked-image.ts';
import { makeRelease, releaseVersion as version } from '../support/release/made-release.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;

let folder: string;
let registry: Registry;
let cluster: Cluster;
/** Folder of the release, of the same release again, and of its tar, unpacked. What signs it is seen by test/signing. */
let first: string;
let second: string;
let unpacked: string;

/** This Node.js as an archive of nodejs.org is unpacked. */
async function ownNode(): Promise<string> {
  const place = join(folder, 'node');
  await mkdir(join(place, 'bin'), { recursive: true });
  await symlink(process.execPath, join(place, 'bin/node'));
  await writeFile(join(place, 'LICENSE'), 'as Node.js says');
  return place;
}

const unpack = (file: string, to: string): Promise<void> =>
  file.endsWith('gz') ? pipeline(createReadStream(file), createGunzip(), unpackTar(to)) : pipeline(createReadStream(file), unpackTar(to));

beforeAll(async () => {
  cluster = await sharedControlPlane();
  registry = await Registry.open(await findCrane());
  folder = await mkdtemp(join(tmpdir(), 'release-'));
  first = await makeRelease(registry, join(folder, 'first'), [`--plugins=${platform}`, `--node=${platform}=${await ownNode()}`]);
  second = await makeRelease(registry, join(folder, 'second'), ['--plugins=']);
  await unpack(join(folder, 'first', `cloud-operator-${version}-airgap.tar`), folder);
  unpacked = join(folder, `cloud-operator-${version}-airgap`);
}, START_TIMEOUT_MS);
afterAll(async () => {
  registry?.close();
  await rm(folder, { recursive: true, force: true });
  await cluster?.disconnect();
});

const textOf = (of: string, name: string): Promise<string> => readFile(join(of, name), 'utf8');
interface Descriptor {
  readonly digest: string;
  readonly platform?: { readonly os: string; readonly architecture: string };
}
const entryOf = async (of: string, layout: string): Promise<string> =>
  (JSON.parse(await textOf(of, join(layout, 'index.json'))) as { readonly manifests: readonly Descriptor[] }).manifests[0]?.digest ?? '';
const imageName = async (): Promise<string> => `${registry.host}/cloud-operator@${await entryOf(first, 'image')}`;

const linesOf = async (of: string): Promise<readonly string[]> => (await textOf(of, 'checksums.txt')).trim().split('\n');

/** Files whose sums are others. */
const others = (lines: readonly string[], than: readonly string[]): readonly (string | undefined)[] =>
  lines.filter((line) => !than.includes(line)).map((line) => line.split('  ')[1]);

describe('the release', () => {
  it.each(['image', 'image-ci', 'chart'])('has one digest of its %s however often it is built', async (layout) => {
    expect(await entryOf(first, layout)).toMatch(/^sha256:/);
    expect(await entryOf(second, layout)).toBe(await entryOf(first, layout));
  });
  it('is otherwise the same too, but for what was not asked for', async () => {
    const [whole, less] = [await linesOf(first), await linesOf(second)];
    expect(others(less, whole)).toEqual(['krew/cloud.yaml']);
    expect(others(whole, less)).toEqual(['krew/cloud.yaml', `kubectl-cloud_${version}_${platform}.tar.gz`]);
  });
});

describe('the image', () => {
  it('is in the registry under the digest of the layout, for both platforms, on the base', async () => {
    const index = JSON.parse(await registry.crane('manifest', await imageName())) as { readonly manifests: readonly Descriptor[] };
    expect(index.manifests.map((one) => one.platform)).toEqual([
      { os: 'linux', architecture: 'amd64' },
      { os: 'linux', architecture: 'arm64' },
    ]);
    for (const { platform: of } of index.manifests) {
      const chosen = ['--platform', `linux/${of?.architecture}`];
      const { config, history } = JSON.parse(await registry.crane('config', ...chosen, await imageName())) as Config;
      expect(config.User).toBe('65532:65532');
      expect(config.Env.filter((line) => line.startsWith('NODE_ENV'))).toEqual(['NODE_ENV=production']);
      expect(config.Env).toContain('PATH=/usr/bin');
      expect([...config.Entrypoint, ...config.Cmd]).toEqual(['/nodejs/bin/node', '/app/cloud-operator.mjs', 'run']);
      expect(config.Labels).toMatchObject({ 'org.opencontainers.image.version': version });
      expect(history).toHaveLength(1);
      expect(await contentOf(chosen)).toMatchObject({ 'nodejs/bin/node': `stands in for Node.js on ${of?.architecture}` });
    }
  });
  it('runs, with its own variables, and knows version and commit', async () => {
    const place = await filesOfImage();
    const { config } = JSON.parse(await registry.crane('config', await imageName())) as Config;
    const env = Object.fromEntries(config.Env.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
    const { stdout } = await execute(process.execPath, [join(place, 'app/cloud-operator.mjs'), 'version'], { env });
    const commit = (await execute('git', ['rev-parse', 'HEAD'], { cwd: root })).stdout.trim();
    expect(stdout).toMatch(`cloud-operator ${version} (commit ${commit}), Node.js v24`);
    expect(await textOf(place, 'app/LICENSES.third-party.txt')).toMatch(/^zod \d+\.\d+\.\d+ \(MIT\)$/m);
  });
  it('is listed part by part, in both formats, with the base that it was built on', async () => {
    const cyclone = JSON.parse(await textOf(first, 'sbom.cyclonedx.json')) as Cyclone;
    const spdx = JSON.parse(await textOf(first, 'sbom.spdx.json')) as Spdx;
    const names = cyclone.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['zod', 'undici', '@prometheus-io/client', `${registry.host}/stand-in/base`]));
    expect(names.filter((name) => ['vitest', 'typescript', 'esbuild'].includes(name))).toEqual([]);
    expect(spdx.packages.map(({ name }) => name)).toEqual(['cloud-operator', ...names]);
    expect(cyclone.metadata.component).toMatchObject({ name: 'cloud-operator', version });
  });
});
interface Config {
  readonly config: Readonly<Record<'Env' | 'Entrypoint' | 'Cmd', readonly string[]>> & { readonly User: string; readonly Labels: object };
  readonly history: readonly object[];
}
interface Cyclone {
  readonly metadata: { readonly component: object };
  readonly components: readonly { readonly name: string }[];
}
interface Spdx {
  readonly packages: readonly { readonly name: string }[];
}
const filesOfImage = async (flags: readonly string[] = []): Promise<string> => unpackedImage(registry, await imageName(), folder, flags);
async function contentOf(chosen: readonly string[]): Promise<Readonly<Record<string, string>>> {
  return { 'nodejs/bin/node': await textOf(await filesOfImage(chosen), 'nodejs/bin/node') };
}

interface Krew {
  readonly spec: {
    readonly platforms: readonly {
      readonly uri: string;
      readonly sha256: string;
      readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
    }[];
  };
}

describe('the sums', () => {
  it('are those of all files, and tell when one is another', async () => {
    await execute('sha256sum', ['--check', '--quiet', '--strict', 'checksums.txt'], { cwd: unpacked });
    await writeFile(join(unpacked, 'images.txt'), 'another\n', { flag: 'a' });
    const said = expect.stringContaining('images.txt: FAILED') as string;
    await expect(execute('sha256sum', ['--check', '--quiet', 'checksums.txt'], { cwd: unpacked })).rejects.toMatchObject({ stdout: said });
  });
});

describe('the plugin of the archive', () => {
  let place: string;
  /** Where there is no Node.js. */
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    place = join(folder, 'plugin');
    const path = join(folder, 'path');
    await mkdir(path);
    for (const tool of ['dirname', 'readlink']) await symlink(`/usr/bin/${tool}`, join(path, tool));
    env = { PATH: path, HOME: folder };
    await unpack(join(unpacked, `kubectl-cloud_${version}_${platform}.tar.gz`), place);
  });
  it('runs without a Node.js on the machine, also through a link', async () => {
    await expect(execute('/bin/sh', ['-c', 'command -v node'], { env })).rejects.toMatchObject({ stdout: '' });
    const { stdout } = await execute(join(place, 'kubectl-cloud'), ['help'], { env });
    expect(stdout).toMatch(/^Usage: kubectl cloud/);
    await mkdir(join(place, 'bin'));
    await symlink('../kubectl-cloud', join(place, 'bin/one'));
    await symlink(join(place, 'bin/one'), join(place, 'bin/kubectl-cloud'));
    const path = { ...env, PATH: `${join(place, 'bin')}:${env['PATH']}` };
    const kubectl = await execute(cluster.coordinates.kubectl, ['cloud', 'help'], { env: path });
    expect(kubectl.stdout).toBe(stdout);
  });
  it('says the version of the release, and of which Node.js', async () => {
    expect(await textOf(place, 'lib/LICENSE.node')).toBe('as Node.js says');
    const { stdout } = await execute(join(place, 'kubectl-cloud'), ['version', '--kubeconfig', cluster.kubeconfig], { env });
    expect(stdout).toContain(`kubectl-cloud ${version}, Node.js ${process.version}`);
  });
  it('is named for krew by the sums of the archives', async () => {
    const { spec } = parse(await textOf(unpacked, 'krew/cloud.yaml')) as Krew;
    const sums = await linesOf(unpacked);
    const named = spec.platforms.map(({ uri, sha256 }) => `${sha256}  ${uri.slice(uri.lastIndexOf('/') + 1)}`);
    expect(named.filter((line) => !sums.includes(line))).toEqual([]);
    expect(spec.platforms.map(({ selector }) => Object.values(selector.matchLabels).join('_'))).toContain(platform);
    const own = `kubectl-cloud_${version}_${platform}.tar.gz`;
    expect(spec.platforms.map(({ uri }) => uri)).toContain(`https://example.com/cloud-operator/releases/download/v${version}/${own}`);
  });
  it('is there for any platform with a Node.js of its own', async () => {
    const everywhere = join(folder, 'any');
    await unpack(join(unpacked, `kubectl-cloud_${version}_any.tar.gz`), everywhere);
    expect((await execute(process.execPath, [join(everywhere, 'kubectl-cloud'), 'help'])).stdout).toMatch(/^Usage: kubectl cloud/);
  });
});

describe('the chart', () => {
  /** Whatever is neither this registry nor this API server is a dead end. */
  const noNetwork = { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '' };
  const values = { endpoints: [{ name: 'main', url: 'https://api.example.com/v4' }], crds: { install: false } };

  it('is pulled by Helm from the registry, and is the one of the tar', async () => {
    const to = join(folder, 'pulled');
    await mkdir(to);
    await cluster.helm([
      'pull',
      `oci://${registry.host}/charts/cloud-operator`,
      `--version=${version}`,
      '--plain-http',
      `--destination=${to}`,
    ]);
    const file = `cloud-operator-${version}.tgz`;
    expect((await readFile(join(to, file))).equals(await readFile(join(unpacked, file)))).toBe(true);
  });
  it('is installed from the tar by a Helm without a network, with the image by its digest, wherever that is', async () => {
    const namespace = await cluster.createNamespace('air-gap');
    const name = `cloud-operator-${randomBytes(4).toString('hex')}`;
    const env = { ...noNetwork, NO_PROXY: new URL(cluster.url).host };
    const chart = join(unpacked, `cloud-operator-${version}.tgz`);
    const flags = ['--namespace', namespace, '--set', 'image.repository=mirror.example.com/cloud-operator', '--values', '-'];
    await cluster.helm(['install', name, chart, ...flags], { env, input: JSON.stringify(values) });
    const path = 'jsonpath={.spec.template.spec.containers[0].image}';
    const { stdout } = await cluster.kubectl(['get', 'deployment', name, '-n', namespace, '-o', path]);
    expect(stdout).toBe(`mirror.example.com/cloud-operator@${await entryOf(unpacked, 'image')}`);
    await cluster.helm(['uninstall', name, '--namespace', namespace]);
    await cluster.kubectl(['delete', 'namespace', namespace, '--wait=false']);
  });
  it('tells Artifact Hub what it is', async () => {
    const place = join(folder, 'chart');
    await unpack(join(first, `cloud-operator-${version}.tgz`), place);
    const chart = parse(await textOf(place, 'cloud-operator/Chart.yaml')) as Chart;
    const said = (name: string): unknown => parse(chart.annotations[`artifacthub.io/${name}`] ?? '');
    expect(chart).toMatchObject({ version, appVersion: version, home: 'https://example.com/cloud-operator' });
    expect(said('operator')).toBe(true);
    expect(said('prerelease')).toBe(true);
    const image = `${registry.host}/cloud-operator:${version}@${await entryOf(first, 'image')}`;
    expect(said('images')).toEqual([{ name: 'cloud-operator', image, platforms: ['linux/amd64', 'linux/arm64'] }]);
    const ci = `${registry.host}/kubectl-cloud:${version}@${await entryOf(first, 'image-ci')}`;
    expect(await textOf(first, 'images.txt')).toBe(`${image}\n${ci}\n`);
    expect(said('crds')).toContainEqual(expect.objectContaining({ kind: 'CloudVolume', name: 'cloudvolumes.cloudhosting.dev' }));
    expect(said('crdsExamples')).toContainEqual(expect.objectContaining({ kind: 'CloudVolume' }));
    expect(await textOf(place, 'cloud-operator/README.md')).toContain('| `image.digest` |');
  });
});
interface Chart {
  readonly annotations: Readonly<Record<string, string>>;
}
