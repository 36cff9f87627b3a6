import { join } from 'node:path';
import { isExecutable } from './source/assets.ts';
import { buildWithGo, removeLeftovers } from './go-program.ts';
import { withLock } from './lock.ts';
import { cacheFolder, type Machine } from './machine.ts';
import { pinned } from './pinned.ts';

/** Neither found nor built; the message says what to install. */
export class HelmMissing extends Error {
  override readonly name = 'HelmMissing';
}

/** The variable `HELM`, a `helm` 3 or later in PATH, the cache, or (unless `build` is false) a Go build into the cache. Throws HelmMissing. */
export async function findHelm(machine: Machine, { build: mayBuild = true }: { readonly build?: boolean } = {}): Promise<string> {
  const named = machine.env['HELM'];
  if (named) {
    if (await isUsable(named, machine)) return named;
    throw new HelmMissing(`HELM=${named} is no Helm 3 or later: unset it or point it at one`);
  }
  if (await isUsable('helm', machine)) return 'helm';
  const folder = join(cacheFolder(machine), 'helm', `${pinned.helm}-${machine.os}-${machine.arch}`);
  const path = join(folder, 'helm');
  if (await isExecutable(path)) return path;
  if (!mayBuild) throw new HelmMissing(`no helm in PATH, and none in ${folder} yet`);
  const onWait = (): void => machine.log(`Another process is building Helm into ${folder}, waiting for it`);
  return withLock(machine.clock, `${folder}.lock`, onWait, () => build(folder, path, machine));
}

async function isUsable(helm: string, machine: Machine): Promise<boolean> {
  const { code, stdout } = await machine.run(helm, ['version', '--short']);
  return code === 0 && Number(/v(\d+)\./.exec(stdout)?.[1] ?? 0) >= 3;
}

async function build(folder: string, path: string, machine: Machine): Promise<string> {
  if (await isExecutable(path)) return path;
  const install = 'install Helm 3 or later (https://helm.sh/docs/intro/install), or Go 1.26 or later and it is built once';
  const go = await machine.run('go', ['version']);
  if (go.code !== 0) throw new HelmMissing(`no helm in PATH and no Go to build it: ${install}`);
  await removeLeftovers(folder);
  machine.log(`Building helm once, into ${folder} (about 3 minutes on two cores)`);
  try {
    await buildWithGo(
      {
        title: `helm ${pinned.helm}`,
        target: path,
        cwd: cacheFolder(machine),
        args: () => ['install', '-v', '-ldflags', '-s -w', `helm.sh/helm/v4/cmd/helm@v${pinned.helm}`],
        env: (output) => ({ GOBIN: output }),
      },
      machine,
    );
  } catch (error) {
    throw new HelmMissing(`${(error as Error).message}\n${install}`, { cause: error });
  }
  return path;
}
