import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { checksums, gzip, sha256, tar, writeTar } from '../../../src/release/package/archive.ts';
import { pinned } from '../../controlplane/programs/pinned.ts';
import { krewManifest } from '../../../src/release/package/krew.ts';
import { stageOf } from '../../../src/release/package/dockerfile.ts';
import { nodePackages, nodeVersion } from '../../../src/release/package/node-binaries.ts';
import { optionsOf, usage, UsageError } from '../../../src/release/options.ts';
import { proven } from '../../../src/release/package/oci.ts';
import { installs, runnerIn } from '../../../src/release/tools.ts';

const fileOf = (name: string): Promise<string> => readFile(new URL(`../../../${name}`, import.meta.url), 'utf8');
const base = `registry.example.com/base@sha256:${'0'.repeat(64)}`;
const told = { VERSION: '1.2.3', COMMIT: 'abc', SOURCE: 'https://example.com' };
const time = new Date('2026-01-02T03:04:05Z');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

describe('the Dockerfile', () => {
  it('is what the released image is made after', async () => {
    const { config, folder: app } = stageOf(await fileOf('Dockerfile'), told);
    expect(app).toBe('/app');
    expect(config).toMatchObject({
      User: '65532:65532',
      ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} },
      Entrypoint: ['/nodejs/bin/node', '/app/cloud-operator.mjs'],
      Cmd: ['run'],
    });
    expect(config.Env).toMatchObject({ NODE_ENV: 'production', CLOUD_OPERATOR_COMMIT: 'abc' });
    expect(config.Env['NODE_OPTIONS']).toContain('--disallow-code-generation-from-strings');
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'cloud-operator',
      'org.opencontainers.image.version': '1.2.3',
      'org.opencontainers.image.source': 'https://example.com',
    });
  });
  it('is what the image for CI jobs is made after, where a runner starts a shell as the user of no checkout', async () => {
    const { config, folder: place } = stageOf(await fileOf('Dockerfile'), told, 'ci');
    expect(place).toBe('/opt/kubectl-cloud/');
    expect(config).toMatchObject({ User: '0:0', Entrypoint: [], Cmd: ['kubectl-cloud', 'help'], ExposedPorts: {} });
    expect(config.Env['PATH']?.split(':')).toEqual(expect.arrayContaining(['/opt/kubectl-cloud', '/usr/local/bin', '/usr/bin', '/bin']));
    expect(config.Env).toMatchObject({ GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'safe.directory', GIT_CONFIG_VALUE_0: '*' });
    expect(config.Labels).toMatchObject({ 'org.opencontainers.image.title': 'kubectl-cloud', 'org.opencontainers.image.version': '1.2.3' });
    expect(() => stageOf('FROM a\n', {}, 'ci')).toThrow('there is no stage ci');
  });
  it('is refused with an instruction or an argument that a release does not know', () => {
    expect(() => stageOf('FROM a\nRUN x\nFROM b\nRUN y\n', {})).toThrow('does not know RUN');
    expect(() => stageOf('FROM b\nENV A=${B}\n', {})).toThrow('does not know ${B}');
  });
});

describe('an archive', () => {
  const entries = [
    { path: 'b', data: 'two', executable: true },
    { path: 'a/empty', data: '' },
    { path: `${'long/'.repeat(40)}name`, data: Buffer.from('one') },
  ];
  it('is the same whatever order its files come in', async () => {
    expect(sha256(gzip(await tar(entries, time)))).toBe(sha256(gzip(await tar(entries.toReversed(), time))));
    expect(sha256(await tar(entries, time))).not.toBe(sha256(await tar(entries, new Date(0))));
  });
  it('has nobody, one time and two modes', async () => {
    const found = await unpackTar(await tar(entries, time));
    expect(
      found.map(({ header: { name, mode, uid, mtime }, data }) => [name, mode, uid, mtime, Buffer.from(data ?? []).toString()]),
    ).toEqual([
      ['a/empty', 0o644, 0, time, ''],
      ['b', 0o755, 0, time, 'two'],
      [`${'long/'.repeat(40)}name`, 0o644, 0, time, 'one'],
    ]);
  });
  it('is the same from files on disk, and their sums are as sha256sum reads them', async () => {
    await writeFile(join(folder, 'b'), 'two', { mode: 0o600 });
    const onDisk = [{ path: 'b', data: { file: join(folder, 'b') }, executable: true }];
    await writeTar(join(folder, 'c.tar'), onDisk, time);
    expect((await readFile(join(folder, 'c.tar'))).equals(await tar(entries.slice(0, 1), time))).toBe(true);
    await rm(join(folder, 'c.tar'));
    expect(await checksums(folder)).toBe(`${sha256('two')}  b\n`);
  });
  it('is proven by its digest', () => {
    expect(() => proven(Buffer.from('a'), `sha256:${sha256('b')}`)).toThrow(`${sha256('b')} was asked for, and sha256:${sha256('a')} came`);
  });
});

describe('the flags', () => {
  it.each([
    [['--version', '1.2'], '--version'],
    [['--version', 'v1.2.3', '--base', base], '--version'],
    [['--version', '1.2.3'], '--base'],
    [['--version', '1.2.3', '--base', 'registry.example.com/base:24'], 'with its digest'],
    [['--version', '1.2.3', '--base', base, '--ci-base', 'node:24'], '--ci-base: name an image with its digest'],
    [['--version', '1.2.3', '--base', base, '--node', 'darwin'], 'darwin_arm64=FOLDER'],
    [['--version', '1.2.3', '--base', base, '--sign-key', 'k', '--sign-identity'], 'not both'],
    [['--version', '1.2.3', '--base', base, '--sing'], '--sing'],
  ])('%j are refused', (args, why) => {
    expect(() => optionsOf(args)).toThrow(UsageError);
    expect(() => optionsOf(args)).toThrow(why);
  });
  it('say what is built, and nothing is signed or pushed unasked', () => {
    const options = optionsOf(['--version', '1.2.3-rc.1', '--base', base, '--node', 'darwin_arm64=/n']);
    expect(options).toMatchObject({
      platforms: ['linux/amd64', 'linux/arm64'],
      signing: undefined,
      ciBase: undefined,
      registry: undefined,
      allowDirty: false,
    });
    expect(optionsOf(['--version', '1.2.3', '--base', base, '--ci-base', '']).ciBase).toBeUndefined();
    expect([...options.node]).toEqual([['darwin_arm64', '/n']]);
    expect(optionsOf(['--version', '1.2.3', '--base', base, '--sign-identity']).signing).toEqual({ key: undefined, log: true });
  });
});

describe('the Node.js of the plugin', () => {
  it('is the one that everything is tested with', async () => {
    const lock = JSON.parse(await fileOf('package-lock.json')) as {
      readonly packages: Readonly<Record<string, { readonly version: string }>>;
    };
    expect(
      nodeVersion,
      `set nodeVersion, and the integrities of ${Object.values(nodePackages)
        .map(({ name }) => name)
        .join(', ')} as \`npm view\` says them`,
    ).toBe(lock.packages['node_modules/node']?.version);
  });
});

/** As the manifest has it; the archive's bytes are its name here. */
function entry(platform: string, of: string, at = ''): object {
  const [os, arch] = platform.split('_');
  const name = `kubectl-cloud_1.2.3_${of}.tar.gz`;
  return { selector: { matchLabels: { os, arch } }, uri: `${at}${name}`, sha256: sha256(name), bin: 'kubectl-cloud' };
}

describe('the manifest for krew', () => {
  const names = ['linux_amd64', 'linux_arm64', 'windows_amd64', 'any'].map((platform) => `kubectl-cloud_1.2.3_${platform}.tar.gz`);
  interface Manifest {
    readonly metadata: object;
    readonly spec: { readonly caveats?: string; readonly platforms: readonly object[] };
  }
  const written = async (archives: readonly string[], source?: string): Promise<Manifest> => {
    for (const name of archives) await writeFile(join(folder, name), name);
    return parse(await krewManifest(folder, { version: '1.2.3', source, archives })) as Manifest;
  };

  it('has each archive by its sum, and the one for all where there is no other', async () => {
    const { metadata, spec } = await written(names, 'https://example.com/x');
    const at = 'https://example.com/x/releases/download/v1.2.3/';
    expect(metadata).toEqual({ name: 'cloud' });
    expect(spec).toMatchObject({ version: 'v1.2.3', homepage: 'https://example.com/x' });
    expect(spec.platforms).toEqual([
      entry('linux_amd64', 'linux_amd64', at),
      entry('linux_arm64', 'linux_arm64', at),
      entry('darwin_amd64', 'any', at),
      entry('darwin_arm64', 'any', at),
    ]);
    expect(spec.caveats).toMatch(/^On darwin_amd64, darwin_arm64 it runs with the Node\.js of the machine/);
  });
  it('warns of nothing where every platform has its own, and names files where nobody knows where they will be', async () => {
    const { spec } = await written([...names, ...['amd64', 'arm64'].map((arch) => `kubectl-cloud_1.2.3_darwin_${arch}.tar.gz`)]);
    expect(spec.caveats).toBeUndefined();
    expect(spec.platforms[3]).toEqual(entry('darwin_arm64', 'darwin_arm64'));
  });
});

describe('a program that is not there', () => {
  it('is named, with what to install', async () => {
    await expect(runnerIn({ PATH: folder })('crane', ['version'])).rejects.toThrow(
      'crane is not in PATH; install it, for example with `go install',
    );
  });
  it('is one that a variable names', async () => {
    await symlink(process.execPath, join(folder, 'other'));
    expect((await runnerIn({ CRANE: join(folder, 'other') })('crane', ['--version'])).toString().trim()).toBe(process.version);
    await expect(runnerIn({ CRANE: join(folder, 'other') })('crane', ['--wrong'])).rejects.toThrow(/^crane --wrong failed: .*bad option/);
  });
});

describe('the workflow', () => {
  it('only calls the command, with flags that there are, and the programs of the tests', async () => {
    const { jobs } = parse(await fileOf('.github/workflows/release.yaml')) as Workflow;
    const lines = jobs.release.steps.flatMap(({ run }) => run ?? []);
    const flags = lines.find((line) => line.startsWith('npm run release -- '))?.match(/ --[a-z-]+/g) ?? [];
    expect(flags.filter((flag) => !usage.includes(flag))).toEqual([]);
    expect(flags).toContain(' --version');
    expect(lines.filter((line) => line.startsWith('go install'))).toEqual(Object.values(installs));
    expect(Object.values(installs).map((line) => line.split('@v')[1])).toEqual([pinned.crane, pinned.cosign]);
  });
});
interface Workflow {
  readonly jobs: { readonly release: { readonly steps: readonly { readonly run?: string }[] } };
}
