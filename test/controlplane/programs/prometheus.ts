import { join } from 'node:path';
import { isExecutable } from '../source/assets.ts';
import { buildWithGo, removeLeftovers } from './go-program.ts';
import { withLock } from './lock.ts';
import { cacheFolder, type Machine } from './machine.ts';
import { pinned } from './pinned.ts';

const programs = ['promtool', 'prometheus'] as const;
export type Prometheus = Readonly<Record<(typeof programs)[number], string>>;

/** Both from PATH, else from the cache, or built into it once. Rejects with what to install. */
export async function findPrometheus(machine: Machine): Promise<Prometheus> {
  const inPath = await Promise.all(programs.map((name) => machine.run(name, ['--version'])));
  if (inPath.every(({ code }) => code === 0)) return { promtool: 'promtool', prometheus: 'prometheus' };
  const folder = join(cacheFolder(machine), 'prometheus', `${pinned.prometheus}-${machine.os}-${machine.arch}`);
  const own = { promtool: join(folder, 'promtool'), prometheus: join(folder, 'prometheus') };
  const onWait = (): void => machine.log(`Another process is building Prometheus into ${folder}, waiting for it`);
  const missing = async (): Promise<readonly (keyof Prometheus)[]> => {
    const there = await Promise.all(programs.map((name) => isExecutable(own[name])));
    return programs.filter((_, index) => there[index] !== true);
  };
  if ((await missing()).length > 0)
    await withLock(machine.clock, `${folder}.lock`, onWait, async () => build(await missing(), own, folder, machine));
  return own;
}

async function build(missing: readonly (keyof Prometheus)[], own: Prometheus, folder: string, machine: Machine): Promise<void> {
  if (missing.length === 0) return;
  const install = 'install Prometheus (https://prometheus.io/download), or Go 1.26 or later and it is built once';
  const go = await machine.run('go', ['version']);
  if (go.code !== 0) throw new Error(`no promtool and prometheus in PATH and no Go to build them: ${install}`);
  await removeLeftovers(folder);
  machine.log(`Building Prometheus once, into ${folder} (2 to 4 minutes on two cores)`);
  for (const name of missing) {
    const program = {
      title: `${name} ${pinned.prometheus}`,
      target: own[name],
      cwd: cacheFolder(machine),
      // Without the ways to find targets in clouds, which are most of it.
      args: () => [
        'install',
        '-v',
        '-tags',
        'remove_all_sd',
        '-ldflags',
        '-s -w',
        `github.com/prometheus/prometheus/cmd/${name}@v${pinned.prometheus}`,
      ],
      env: (output: string) => ({ GOBIN: output }),
    };
    await buildWithGo(program, machine).catch((error: unknown) => {
      throw new Error(`${(error as Error).message}\n${install}`, { cause: error });
    });
  }
}
