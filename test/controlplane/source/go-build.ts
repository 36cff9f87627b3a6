import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { buildWithGo, removeLeftovers, type GoProgram } from '../programs/go-program.ts';
import { withLock } from '../programs/lock.ts';
import { versionFolder, type Machine } from '../programs/machine.ts';
import { OPTIONAL_TOOL, pinned, type Tool } from '../programs/pinned.ts';
import { cached } from './cached.ts';
import { nothing, type Offer, type Source } from './source.ts';

const MODULES = fileURLToPath(new URL('../modules/', import.meta.url));

/** Builds what is missing from the pinned Go modules into the cache: minutes the first time, never again. */
export const goBuild: Source = {
  name: 'Go build',
  async find(missing, machine) {
    const go = await machine.run('go', ['version']);
    if (go.code !== 0)
      return nothing('no Go found: install Go 1.26 or later (https://go.dev/dl) and the rest is built once, in about 10 minutes');
    const folder = versionFolder(machine, pinned.kubernetes);
    const onWait = (): void => machine.log(`Another process is building into ${folder}, waiting for it`);
    return withLock(machine.clock, `${folder}.lock`, onWait, () => buildMissing(missing, folder, machine));
  },
};

async function buildMissing(missing: readonly Tool[], folder: string, machine: Machine): Promise<Offer> {
  await removeLeftovers(folder);
  const had = await cached.find(missing, machine);
  const build = missing.filter((tool) => had.tools[tool] === undefined);
  if (build.length > 0)
    machine.log(
      `Building ${build.join(', ')} once, into ${folder} (7 to 15 minutes on two cores, and 4 GB in Go's caches; later runs take seconds)`,
    );
  const reasons: string[] = [];
  for (const [index, tool] of build.entries()) {
    try {
      await buildWithGo(program(tool, folder, `(${index + 1} of ${build.length})`), machine);
    } catch (error) {
      reasons.push((error as Error).message);
      if (tool !== OPTIONAL_TOOL) break;
    }
  }
  const offer = await cached.find(missing, machine);
  return { ...offer, reason: reasons.join('; ') };
}

function program(tool: Tool, folder: string, position: string): GoProgram {
  const etcd = tool === 'etcd';
  const packagePath = etcd ? 'go.etcd.io/etcd/server/v3' : `k8s.io/kubernetes/cmd/${tool}`;
  const flags = `-s -w${etcd ? '' : kubernetesVersionFlags()}`;
  return {
    title: `${tool} ${etcd ? pinned.etcd : pinned.kubernetes} ${position}`,
    target: join(folder, tool),
    cwd: join(MODULES, etcd ? 'etcd' : 'k8s'),
    args: (output) => ['build', '-v', '-mod=readonly', '-ldflags', flags, '-o', `${output}/`, packagePath],
  };
}

/** Kubernetes has no version of its own when it is built as a module; kubectl keeps it in client-go. */
function kubernetesVersionFlags(): string {
  const [major, minor] = pinned.kubernetes.split('.');
  const values = [`gitVersion=v${pinned.kubernetes}`, `gitMajor=${major}`, `gitMinor=${minor}`];
  const packages = ['k8s.io/component-base/version', 'k8s.io/client-go/pkg/version'];
  return values.flatMap((value) => packages.map((name) => ` -X ${name}.${value}`)).join('');
}
