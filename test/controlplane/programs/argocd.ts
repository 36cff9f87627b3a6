import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isExecutable } from '../source/assets.ts';
import { buildWithGo, removeLeftovers } from './go-program.ts';
import { withLock } from './lock.ts';
import { cacheFolder, type Machine } from './machine.ts';
import { pinned } from './pinned.ts';

const modules = fileURLToPath(new URL('../modules/argocd', import.meta.url));
const modulePath = 'github.com/argoproj/argo-cd/v3';

export interface ArgoCd {
  /** One program for every role; `ARGOCD_BINARY_NAME` chooses. */
  readonly program: string;
  /** A Redis in memory, which listens at the address that is its one argument. */
  readonly redis: string;
  /** Folder with the CRDs of Application and AppProject. */
  readonly crds: string;
}

/** From the cache, or built into it once with the installed Go (4 minutes on two cores). Rejects with what to install. */
export async function findArgoCd(machine: Machine): Promise<ArgoCd> {
  const folder = join(cacheFolder(machine), 'argocd', `${pinned.argocd}-${machine.os}-${machine.arch}`);
  const found = { program: join(folder, 'argocd'), redis: join(folder, 'redis'), crds: join(folder, 'crds') };
  if (await isComplete(found)) return found;
  const onWait = (): void => machine.log(`Another process is building Argo CD into ${folder}, waiting for it`);
  return withLock(machine.clock, `${folder}.lock`, onWait, () => build(folder, found, machine));
}

/** The program comes last, and what is built before it may have come from a build that was broken off. */
const isComplete = async ({ program, redis }: ArgoCd): Promise<boolean> =>
  (await Promise.all([program, redis].map(isExecutable))).every(Boolean);

async function build(folder: string, found: ArgoCd, machine: Machine): Promise<ArgoCd> {
  if (await isComplete(found)) return found;
  const go = await machine.run('go', ['version']);
  if (go.code !== 0) throw new Error('no Argo CD in the cache and no Go to build it: install Go 1.26 or later (https://go.dev/dl)');
  await removeLeftovers(folder);
  await fetchCrds(found.crds, machine);
  for (const { title, target, source } of [
    { title: 'a Redis for Argo CD', target: found.redis, source: 'redis.go' },
    { title: `Argo CD ${pinned.argocd}`, target: found.program, source: `${modulePath}/cmd` },
  ]) {
    const args = ['build', '-v', '-mod=readonly', '-ldflags', '-s -w', '-o'];
    await buildWithGo({ title, target, cwd: modules, args: (output) => [...args, join(output, basename(target)), source] }, machine);
  }
  return found;
}

/** They lie in the module's own folder; the program goes into the cache last, so that it is never there without them. */
async function fetchCrds(crds: string, machine: Machine): Promise<void> {
  const fetched = await machine.run('go', ['mod', 'download'], { cwd: modules });
  const { code, stdout, stderr } = await machine.run('go', ['list', '-mod=readonly', '-m', '-f', '{{.Dir}}', modulePath], { cwd: modules });
  if (code !== 0) throw new Error(`Go cannot fetch ${modulePath}: ${fetched.stderr}${stderr}`);
  const temporary = `${crds}.new`;
  await rm(temporary, { recursive: true, force: true });
  await mkdir(temporary, { recursive: true });
  for (const name of ['application-crd.yaml', 'appproject-crd.yaml'])
    await cp(join(stdout.trim(), 'manifests/crds', name), join(temporary, name));
  await rm(crds, { recursive: true, force: true });
  await rename(temporary, crds);
}
