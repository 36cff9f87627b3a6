import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Machine } from './machine.ts';

const PROGRESS_MS = 3_000;

/** One program that Go builds from a published module. */
export interface GoProgram {
  /** What the progress line calls it, for example `kube-apiserver 1.36.3 (2 of 4)`. */
  readonly title: string;
  /** Where the finished program is put, by an atomic rename. */
  readonly target: string;
  /** Arguments of `go`, given the folder that the program should be written to. */
  readonly args: (folder: string) => readonly string[];
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** Builds one program, with a line of progress every three seconds. Rejects with the end of Go's own output. */
export async function buildWithGo(program: GoProgram, machine: Machine): Promise<void> {
  const name = program.target.slice(dirname(program.target).length + 1);
  const folder = join(dirname(program.target), `.building-${process.pid}-${name}`);
  await mkdir(folder, { recursive: true });
  const progress = watch(program.title, machine);
  try {
    const env = { ...machine.env, GOFLAGS: '-trimpath -buildvcs=false', CGO_ENABLED: '0', ...program.env?.(folder) };
    const result = await machine.run('go', program.args(folder), { cwd: program.cwd, env, onLine: progress.line });
    if (result.code !== 0) throw new Error(`go could not build ${name}: ${lastLines(result.stderr)}`);
    await rename(join(folder, (await readdir(folder))[0] ?? name), program.target);
    progress.done();
  } finally {
    progress.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what a killed build left behind; call it while holding the build lock. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (name.startsWith('.building-')) await rm(join(folder, name), { recursive: true, force: true });
  }
}

interface Progress {
  readonly line: (line: string) => void;
  readonly done: () => void;
  readonly stop: () => void;
}

/** Counts what `go build -v` prints: a line per module fetched and per package compiled. */
function watch(title: string, machine: Machine): Progress {
  const { clock, log } = machine;
  const started = clock.monotonic();
  const seconds = (): number => Math.round((clock.monotonic() - started) / 1000);
  let fetched = 0;
  let compiled = 0;
  const detail = (): string =>
    `${fetched > 0 ? `, ${fetched} modules fetched` : ''}${compiled > 0 ? `, ${compiled} packages compiled` : ''}`;
  const tick = (): void => {
    log(`Building ${title}: ${seconds()} s${detail()}`);
    timer = clock.after(PROGRESS_MS, tick);
  };
  log(`Building ${title} with Go ...`);
  let timer = clock.after(PROGRESS_MS, tick);
  return {
    line: (line) => {
      if (line.startsWith('go: downloading ')) fetched++;
      else if (/^[\w.-]+(\/[\w.-]+)*$/.test(line)) compiled++;
    },
    done: () => log(`Built ${title} in ${seconds()} s${detail()}`),
    stop: () => timer.cancel(),
  };
}

function lastLines(text: string): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .filter((line) => line.includes(' '));
  return lines.slice(-8).join('\n      ') || 'no output';
}
