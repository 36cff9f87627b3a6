import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { runCommand } from '../../controlplane/command.ts';
import type { Stage } from './stage.ts';

/** The built plugin alone in a folder of its own, as somebody has it who downloaded it, on the way to a stage. */
export class Typed {
  readonly #stage: Stage;
  /** Where programs are that kubectl finds. */
  readonly bin: string;

  private constructor(stage: Stage, bin: string) {
    this.#stage = stage;
    this.bin = bin;
  }

  static async on(stage: Stage): Promise<Typed> {
    const bin = join(stage.folder, 'bin');
    await mkdir(bin);
    await copyFile('dist/kubectl-cloud', join(bin, 'kubectl-cloud'));
    await chmod(join(bin, 'kubectl-cloud'), 0o755);
    return new Typed(stage, bin);
  }

  get path(): string {
    return [this.bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
  }

  /** `kubectl cloud LINE`, as a person with this token types it. */
  async line(line: string, token = this.#stage.cluster.adminToken): ReturnType<typeof runCommand> {
    const kubeconfig = await this.#stage.cluster.kubeconfigFor(token);
    const isScript = line.startsWith('complet');
    const words = ['cloud', ...line.split(' '), ...(isScript ? [] : ['-n', this.#stage.namespace])];
    const env = { PATH: this.path, KUBECONFIG: kubeconfig, HOME: this.#stage.folder };
    return runCommand(this.#stage.cluster.coordinates.kubectl, words, { env, cwd: this.#stage.folder });
  }

  /** The same of a line that goes on until Ctrl-C, which ends it. */
  async begun(line: string): Promise<{ readonly out: () => string; readonly interrupted: () => Promise<number | null> }> {
    const kubeconfig = await this.#stage.cluster.kubeconfigFor(this.#stage.cluster.adminToken);
    const env = { PATH: this.path, KUBECONFIG: kubeconfig, HOME: this.#stage.folder };
    const words = ['cloud', ...line.split(' '), '-n', this.#stage.namespace];
    const child = spawn(this.#stage.cluster.coordinates.kubectl, words, { env, cwd: this.#stage.folder });
    let out = '';
    child.stdout.on('data', (bytes: Buffer) => (out += bytes.toString()));
    const ended = once(child, 'exit') as Promise<[number | null]>;
    return {
      out: () => out,
      interrupted: async () => {
        child.kill('SIGINT');
        return (await ended)[0];
      },
    };
  }

  /** The same of a verb that asks the account. */
  asking(line: string, token?: string): ReturnType<typeof runCommand> {
    return this.line(`${line} --operator-namespace ${this.#stage.installed.release.namespace}`, token);
  }
}
