import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sleep, systemClock, type Millis } from '../../../src/lib/clock.ts';

export interface ProgramOptions {
  /** Of the log file. */
  readonly name: string;
  /** Script and arguments, run from the repository's root. */
  readonly script: readonly string[];
  /** What runs them; default: this process's own Node.js. */
  readonly file?: string;
  readonly folder: string;
  /** Besides `PATH` and `HOME`: nothing of the caller's environment reaches the program unless it is named here. */
  readonly env?: Readonly<Record<string, string>>;
  /** Goes on when this process ends. */
  readonly detached?: boolean;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const living = new Set<ChildProcess>();
process.on('exit', () => {
  for (const child of living) child.kill('SIGKILL');
});

/** A program of this project as a process of its own, its output in a file. It is killed when this process exits, unless detached. */
export class Program {
  readonly name: string;
  readonly logFile: string;
  readonly ended: Promise<number | string>;
  readonly #child: ChildProcess;

  constructor({ name, script, file = process.execPath, folder, env = {}, detached = false }: ProgramOptions) {
    this.name = name;
    this.logFile = join(folder, `${name}.log`);
    const { PATH = '', HOME = '' } = process.env;
    const output = openSync(this.logFile, 'a', 0o600);
    const child = spawn(file, [...script], {
      cwd: root,
      env: { PATH, HOME, ...env },
      stdio: ['ignore', output, output],
      detached,
    });
    closeSync(output);
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(code ?? signal ?? 'unknown'));
    });
    if (!detached) living.add(child);
    void this.ended.then(() => living.delete(child));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  async lines(): Promise<readonly string[]> {
    return (await readFile(this.logFile, 'utf8')).split('\n').filter((line) => line !== '');
  }

  /** Waits for a line; throws with the output when the program ends before, or after `limit`. */
  async line(wanted: (line: string) => boolean, limit: Millis = 20_000): Promise<string> {
    const end = systemClock.monotonic() + limit;
    for (;;) {
      const lines = await this.lines();
      const found = lines.find(wanted);
      if (found !== undefined) return found;
      if (!this.running || systemClock.monotonic() > end)
        throw new Error(`${this.name} did not get that far:\n${lines.slice(-20).join('\n')}`);
      await sleep(systemClock, 50);
    }
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** SIGTERM, and SIGKILL after `grace`; answers the exit code, or the signal that ended it. */
  async stop(grace: Millis = 10_000): Promise<number | string> {
    this.signal('SIGTERM');
    const late = systemClock.after(grace, () => this.signal('SIGKILL'));
    const code = await this.ended;
    late.cancel();
    return code;
  }

  /** This process may end without it. */
  release(): void {
    this.#child.unref();
    living.delete(this.#child);
  }
}
