import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTool, findToolchain, READY_SOURCES, SOURCES, ToolsMissing } from './finder.ts';
import { cacheFolder, versionFolder } from './machine.ts';
import { installProgram, madeUpMachine, type MadeUpMachine } from './made-up-machine.ts';
import { pinned, TOOLS, type Tool } from './pinned.ts';
import type { Source } from '../source/source.ts';

const ENVTEST: readonly Tool[] = ['etcd', 'kube-apiserver', 'kubectl'];
/** Answers like an API server of that version; everything else is not installed. */
const apiServerSays = (version: string) => (file: string) =>
  file.endsWith('kube-apiserver') ? { stdout: `Kubernetes v${version}\n` } : undefined;

async function install(folder: string, tools: readonly Tool[]): Promise<string> {
  for (const tool of tools) await installProgram(join(folder, tool));
  return folder;
}

async function withAssets(version: string, tools: readonly Tool[]): Promise<MadeUpMachine> {
  const base = await madeUpMachine({ programs: apiServerSays(version) });
  return { ...base, env: { KUBEBUILDER_ASSETS: await install(join(base.home, 'assets'), tools) } };
}

describe('the order in which programs are looked for', () => {
  it('is environment, cache, envtest archive, Go build', () => {
    expect(SOURCES.map(({ name }) => name)).toEqual(['environment', 'cache', 'envtest archive', 'Go build']);
  });

  it('without a build, is the same but for Go: no program is even asked for its version', async () => {
    expect(READY_SOURCES.map(({ name }) => name)).toEqual(['environment', 'cache', 'envtest archive']);
    const bare = await madeUpMachine();
    await expect(findToolchain(bare, READY_SOURCES)).rejects.toThrow(ToolsMissing);
    expect(bare.ran.filter((command) => command.startsWith('go '))).toEqual([]);
  });

  it('stops at the first source that has everything', async () => {
    const asked: string[] = [];
    const source = (name: string, tools: readonly Tool[]): Source => ({
      name,
      find: async (missing) => {
        asked.push(`${name}: ${missing.join(' ')}`);
        return {
          tools: Object.fromEntries(tools.map((tool) => [tool, `/${name}/${tool}`])),
          version: pinned.kubernetes,
          from: name,
          reason: '',
        };
      },
    });
    const found = await findToolchain(await madeUpMachine(), [source('a', ['etcd']), source('b', TOOLS), source('c', TOOLS)]);
    expect(asked).toEqual([`a: ${TOOLS.join(' ')}`, 'b: kube-apiserver kube-controller-manager kubectl']);
    expect(found).toEqual({
      etcd: '/a/etcd',
      'kube-apiserver': '/b/kube-apiserver',
      'kube-controller-manager': '/b/kube-controller-manager',
      kubectl: '/b/kubectl',
    });
  });

  it('prefers TEST_ASSET_* to KUBEBUILDER_ASSETS, and both to the cache', async () => {
    const machine = await withAssets(pinned.kubernetes, TOOLS);
    const named = await installProgram(join(machine.home, 'my-etcd'));
    await install(versionFolder(machine, pinned.kubernetes), TOOLS);
    const found = await findToolchain({ ...machine, env: { ...machine.env, TEST_ASSET_ETCD: named } });
    expect(found.etcd).toBe(named);
    expect(found.kubectl).toBe(join(machine.home, 'assets', 'kubectl'));
  });

  it('says in one line what is used', async () => {
    const machine = await madeUpMachine();
    const folder = await install(versionFolder(machine, pinned.kubernetes), TOOLS);
    await findToolchain(machine);
    expect(machine.lines).toEqual([`Control plane ${pinned.kubernetes}: cache ${folder}`]);
    expect(machine.ran).toEqual([]);
  });

  it('uses a cached version of the same minor, the newest first, and never one of another minor', async () => {
    const machine = await madeUpMachine();
    for (const version of ['1.36.1', '1.36.10', '1.37.0']) await install(versionFolder(machine, version), ENVTEST);
    const found = await findToolchain(machine);
    expect(found['kube-apiserver']).toBe(join(versionFolder(machine, '1.36.10'), 'kube-apiserver'));
  });
});

describe('the optional controller manager', () => {
  it('is taken from the cache when the API server of KUBEBUILDER_ASSETS has our minor version', async () => {
    const machine = await withAssets('1.36.0', ENVTEST);
    const folder = await install(versionFolder(machine, pinned.kubernetes), TOOLS);
    const found = await findToolchain(machine);
    expect(found['kube-apiserver']).toContain('assets');
    expect(found['kube-controller-manager']).toBe(join(folder, 'kube-controller-manager'));
  });

  it('is left out, and the reason said, when the API server has another minor version', async () => {
    const machine = await withAssets('1.33.2', ENVTEST);
    await install(versionFolder(machine, pinned.kubernetes), TOOLS);
    expect(await findToolchain(machine)).not.toHaveProperty('kube-controller-manager');
    expect(machine.lines.join('\n')).toMatch(
      /Without kube-controller-manager .*API server is 1\.33\.2.*TEST_ASSET_KUBE_CONTROLLER_MANAGER/,
    );
  });

  it('is left out when it is the only thing that cannot be had', async () => {
    const machine = await withAssets('1.36.3', ENVTEST);
    expect(await findToolchain(machine)).not.toHaveProperty('kube-controller-manager');
    expect(machine.lines.join('\n')).toContain('the envtest archives have no kube-controller-manager');
  });
});

describe('when programs are missing', () => {
  it('says what every source found and what to install', async () => {
    const machine = await madeUpMachine({ env: { KUBEBUILDER_ASSETS: '/nowhere' } });
    const error = await findToolchain(machine).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ToolsMissing);
    const { message, missing } = error as ToolsMissing;
    expect(missing).toEqual(ENVTEST);
    expect(message).toContain('/nowhere/etcd is no executable file');
    expect(message).toContain('no network in this test');
    expect(message).toContain('install Go 1.26');
    expect(message).toContain('USE_EXISTING_CLUSTER=true');
  });

  it('names the variable’s file when a TEST_ASSET_* points at nothing', async () => {
    const machine = await madeUpMachine({ env: { TEST_ASSET_KUBECTL: '/no/kubectl' } });
    await expect(findTool('kubectl', machine)).rejects.toThrow('/no/kubectl is no executable file');
  });
});

describe('the cache folder', () => {
  it.each([
    [{ CLOUD_OPERATOR_CACHE: '/own', XDG_CACHE_HOME: '/xdg' }, '/own'],
    [{ XDG_CACHE_HOME: '/xdg' }, '/xdg/cloud-operator'],
    [{}, '/home/me/.cache/cloud-operator'],
  ])('with %o is %s', async (env, expected) => {
    expect(cacheFolder(await madeUpMachine({ env, home: '/home/me' }))).toBe(expected);
  });
});
