import { fork, type ChildProcess } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Order, Report } from './supervisor-messages.ts';

/** One process of the control plane, as seen from the parent. */
export class Supervised {
  readonly name: string;
  pid = -1;
  running = true;
  /** Somebody asked for its end, so its exit is no surprise. */
  ending = false;
  readonly started = Promise.withResolvers<void>();
  readonly exited = Promise.withResolvers<void>();

  constructor(name: string) {
    this.name = name;
  }
}

/** The parent's end of `supervisor.ts`. */
export class Supervisor {
  readonly folder: string;
  /** Where the API server sends its TokenReviews. */
  readonly webhook: string;
  readonly #process: ChildProcess;
  readonly #children = new Map<string, Supervised>();
  readonly #gone = Promise.withResolvers<void>();
  readonly #onUnexpectedExit: (child: Supervised) => void;
  #holds = 0;

  private constructor(child: ChildProcess, folder: string, webhook: string, onUnexpectedExit: (child: Supervised) => void) {
    this.folder = folder;
    this.webhook = webhook;
    this.#process = child;
    this.#onUnexpectedExit = onUnexpectedExit;
    child.on('message', (report: Report) => this.#receive(report));
    child.once('exit', () => this.#end());
    // A parent that forgets to stop must still be able to end; the supervisor then cleans up.
    child.unref();
    child.channel?.unref();
  }

  /** `folder` is removed with everything in it when the supervisor ends. */
  static start(folder: string, key: string, onUnexpectedExit: (child: Supervised) => void): Promise<Supervisor> {
    const file = fileURLToPath(new URL('supervisor.ts', import.meta.url));
    const child = fork(file, [folder], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      env: { ...process.env, CONTROL_PLANE_USER_KEY: key },
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) =>
        reject(new Error(`the supervisor of the control plane ended at once, code ${code}: is this Node 24 or later?`)),
      );
      child.once('message', (report: Report) => {
        child.removeAllListeners();
        if (report.report === 'ready') resolve(new Supervisor(child, folder, report.webhook, onUnexpectedExit));
      });
    });
  }

  get pid(): number {
    return this.#process.pid ?? -1;
  }

  /** Resolves when the process is there, or could not be started: then it is not `running`. */
  async spawn(name: string, file: string, args: readonly string[]): Promise<Supervised> {
    const child = new Supervised(name);
    this.#children.set(name, child);
    this.#order({ order: 'spawn', name, file, args });
    await this.#held(child.started.promise);
    return child;
  }

  signal(child: Supervised, signal: NodeJS.Signals): void {
    if (child.running) this.#order({ order: 'signal', name: child.name, signal });
  }

  /** Resolves when the process has ended. */
  async end(child: Supervised, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    child.ending = true;
    this.signal(child, signal);
    await this.#held(child.exited.promise);
  }

  /** The end of what a process wrote, for an error message. */
  async logOf(name: string): Promise<string> {
    const text = await readFile(join(this.folder, `${name}.log`), 'utf8').catch(() => '');
    return text.trimEnd().split('\n').slice(-15).join('\n');
  }

  /** Lets everything run on after this process has ended; SIGTERM to `pid` ends it. */
  async keep(): Promise<void> {
    await this.#held(new Promise((resolve) => this.#process.send({ order: 'keep' } satisfies Order, () => resolve(undefined))));
    this.#process.disconnect();
  }

  /** Ends all processes and removes the folder; resolves when that is done. */
  async close(): Promise<void> {
    for (const child of this.#children.values()) child.ending = true;
    if (this.#process.connected) this.#order({ order: 'close' });
    await this.#held(this.#gone.promise);
    // It removes the folder itself, unless it was killed.
    await rm(this.folder, { recursive: true, force: true });
  }

  #order(order: Order): void {
    this.#process.send(order, () => undefined);
  }

  /** Keeps this process alive while it waits for the supervisor. */
  async #held(wait: Promise<unknown>): Promise<void> {
    if (this.#holds++ === 0) {
      this.#process.ref();
      this.#process.channel?.ref();
    }
    await wait;
    if (--this.#holds > 0) return;
    this.#process.unref();
    this.#process.channel?.unref();
  }

  #receive(report: Report): void {
    if (report.report === 'ready') return;
    const child = this.#children.get(report.name);
    if (child === undefined) return;
    if (report.report === 'spawned') child.pid = report.pid;
    else this.#exited(child);
    child.started.resolve();
  }

  #exited(child: Supervised): void {
    this.#children.delete(child.name);
    child.running = false;
    child.exited.resolve();
    if (!child.ending) this.#onUnexpectedExit(child);
  }

  /** The supervisor is gone. If it was killed, its children are nobody's: end them from here. */
  #end(): void {
    for (const child of this.#children.values()) {
      try {
        if (child.pid > 0) process.kill(child.pid, 'SIGKILL');
      } catch {
        // Already gone.
      }
      child.started.resolve();
      this.#exited(child);
    }
    this.#gone.resolve();
  }
}
