import { mkdtemp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import { startControlPlane } from '../controlplane/start.ts';
import { EmulatorProgram } from '../support/process/emulator-program.ts';
import { installChart, startOperator, type Installed, type OperatorProgram } from '../support/process/installed-operator.ts';
import { Evidence } from './evidence.ts';

/** Jobs of the emulated service take this much less time than they would; rate windows and the operator's times are true. */
const speed = '10';

export interface StageOptions {
  readonly say: (line: string) => void;
  /** Where the operator leaves a profile of its processor time when it ends; none when absent. */
  readonly profile?: string;
  /** Of the emulator, besides. */
  readonly emulator?: readonly string[];
}

/** A real control plane, the emulator with the published rate windows, and operators as the chart runs them. */
export class Stage {
  readonly cluster: ControlPlane;
  readonly emulator: EmulatorProgram;
  readonly evidence: Evidence;
  readonly #installed: Installed;
  readonly #options: StageOptions;
  readonly folder: string;
  readonly #operators = new Set<OperatorProgram>();
  #started = 0;

  private constructor(
    cluster: ControlPlane,
    parts: { emulator: EmulatorProgram; installed: Installed; folder: string },
    options: StageOptions,
  ) {
    this.cluster = cluster;
    this.emulator = parts.emulator;
    this.evidence = new Evidence(cluster, parts.emulator);
    this.#installed = parts.installed;
    this.folder = parts.folder;
    this.#options = options;
  }

  static async open(options: StageOptions): Promise<Stage> {
    const cluster = await startControlPlane({ log: options.say });
    try {
      const folder = await mkdtemp(join(tmpdir(), 'cloud-operator-bench-'));
      const emulator = await EmulatorProgram.start(['--speed', speed, ...(options.emulator ?? [])], { folder });
      const installed = await installChart(cluster, { endpoints: [{ name: 'main', url: emulator.ready.url, word: 'vm' }] });
      options.say(`logs are in ${folder}`);
      return new Stage(cluster, { emulator, installed, folder }, options);
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** One more replica; resolves at once, before its caches are filled. */
  async startOperator(): Promise<OperatorProgram> {
    this.#started += 1;
    const { profile } = this.#options;
    if (profile !== undefined) await mkdir(profile, { recursive: true });
    const operator = await startOperator(this.cluster, this.#installed, {
      folder: this.folder,
      name: `operator-${this.#started}`,
      ...(profile !== undefined && { env: { NODE_OPTIONS: `${this.#nodeOptions()} --cpu-prof --cpu-prof-dir=${profile}` } }),
    });
    this.#operators.add(operator);
    void operator.program.ended.then(() => this.#operators.delete(operator));
    return operator;
  }

  /** As the chart sets them: the heap's limit among them. */
  #nodeOptions(): string {
    return this.#installed.container.env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '';
  }

  async close(): Promise<void> {
    await Promise.all([...this.#operators].map(({ program }) => program.stop(30_000)));
    await this.emulator.program.stop();
    await this.cluster.stop();
  }
}
