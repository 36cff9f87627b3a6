import { join } from 'node:path';
import { isExecutable } from '../source/assets.ts';
import { buildWithGo, removeLeftovers } from './go-program.ts';
import { withLock } from './lock.ts';
import { cacheFolder, type Machine } from './machine.ts';

/** A program of somebody else's that tests use as it is. */
export interface GoTool {
  /** What the program is called; in capitals the variable that names another. */
  readonly name: string;
  /** What is asked for, for example `Helm 3 or later`. */
  readonly wanted: string;
  readonly version: string;
  /** Package that Go builds it from. */
  readonly source: string;
  /** Arguments that make it tell its version, and the oldest major that will do. */
  readonly ask: readonly string[];
  readonly major: number;
  readonly page: string;
  readonly minutes: number;
}

/** Neither found nor built; the message says what to install. */
export class GoToolMissing extends Error {
  override readonly name = 'GoToolMissing';
}

/** The variable, then PATH, then the cache, then (unless `build` is false) a Go build into the cache. Throws GoToolMissing. */
export async function findGoTool(
  tool: GoTool,
  machine: Machine,
  { build: mayBuild = true }: { readonly build?: boolean } = {},
): Promise<string> {
  const { name, wanted, version } = tool;
  const variable = name.toUpperCase();
  const named = machine.env[variable];
  if (named) {
    if (await isUsable(named, tool, machine)) return named;
    throw new GoToolMissing(`${variable}=${named} is no ${wanted}: unset it or point it at one`);
  }
  if (await isUsable(name, tool, machine)) return name;
  const folder = join(cacheFolder(machine), name, `${version}-${machine.os}-${machine.arch}`);
  const path = join(folder, name);
  if (await isExecutable(path)) return path;
  if (!mayBuild) throw new GoToolMissing(`no ${name} in PATH, and none in ${folder} yet`);
  const onWait = (): void => machine.log(`Another process is building ${name} into ${folder}, waiting for it`);
  return withLock(machine.clock, `${folder}.lock`, onWait, () => build(tool, path, machine));
}

async function isUsable(file: string, { ask, major }: GoTool, machine: Machine): Promise<boolean> {
  const { code, stdout } = await machine.run(file, ask);
  return code === 0 && Number(/v?(\d+)\./.exec(stdout)?.[1] ?? 0) >= major;
}

async function build(tool: GoTool, path: string, machine: Machine): Promise<string> {
  const { name, version, source, wanted, page, minutes } = tool;
  const folder = join(path, '..');
  if (await isExecutable(path)) return path;
  const install = `install ${wanted} (${page}), or Go 1.26 or later and it is built once`;
  const go = await machine.run('go', ['version']);
  if (go.code !== 0) throw new GoToolMissing(`no ${name} in PATH and no Go to build it: ${install}`);
  await removeLeftovers(folder);
  machine.log(`Building ${name} once, into ${folder} (about ${minutes} minutes on two cores)`);
  try {
    await buildWithGo(
      {
        title: `${name} ${version}`,
        target: path,
        cwd: cacheFolder(machine),
        args: () => ['install', '-v', '-ldflags', '-s -w', `${source}@v${version}`],
        env: (output) => ({ GOBIN: output }),
      },
      machine,
    );
  } catch (error) {
    throw new GoToolMissing(`${(error as Error).message}\n${install}`, { cause: error });
  }
  return path;
}
