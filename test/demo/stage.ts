import { runCommand } from '../controlplane/command.ts';
import type { ControlPlane } from '../controlplane/control-plane.ts';
import { EmulatorProgram } from '../support/process/emulator-program.ts';
import { plantedArgs } from '../support/samples/planted.ts';
import { installChart, type Installed, startOperator, type OperatorProgram } from '../support/process/installed-operator.ts';
import { auditLogIn } from '../support/process/readers-shell.ts';
import type { Narrator } from './facts.ts';
import { MemoryPlane } from './memory-plane.ts';
import { type Choice, openPlane } from './plane.ts';

/** Jobs of the emulated service take this much less time than they would. */
const speed = '10';
/** How long the emulator may still commit a request, and lag its lists; it does neither. */
const flags = ['--commit-bound=2s', '--list-lag=2s'];

/** Everything that the demo starts. Whatever happens, `close` ends it. */
export class Stage {
  readonly #keep: boolean;
  readonly #plane: Choice;
  #controlPlane: ControlPlane | undefined;
  #emulator: EmulatorProgram | undefined;
  #operator: OperatorProgram | undefined;

  constructor(keep: boolean, plane: Choice) {
    this.#keep = keep;
    this.#plane = plane;
  }

  async open(narrator: Narrator): Promise<void> {
    const building = runCommand('npm', ['run', '-s', 'build']);
    this.#controlPlane = await narrator.during('a control plane', openPlane(narrator, this.#plane));
    narrator.say(`Kubernetes API server at ${this.#controlPlane.url}`);
    const { folder } = this.#controlPlane.coordinates;
    const options = { folder, detached: this.#keep };
    const emulator = EmulatorProgram.start(['--speed', speed, ...plantedArgs], options);
    this.#emulator = await narrator.during('the emulator to answer', emulator);
    narrator.say(`emulated account API at ${this.#emulator.ready.url}`);
    const installed = await this.#install({ name: 'main', url: this.#emulator.ready.url, word: 'vm' }, narrator);
    const { code, stderr } = await narrator.during('the build of operator and plugin (npm run build)', building);
    if (code !== 0) throw new Error(`the build failed:\n${stderr}`);
    this.#operator = await startOperator(this.#controlPlane, installed, {
      ...options,
      flags: [...flags, `--audit-log=${auditLogIn(folder)}`],
    });
    const leading = this.#operator.program.line((line) => line.includes('the lease is held now'), 30_000);
    await narrator.during('the operator to hold its lease', leading);
    narrator.say(`operator runs as process ${this.#operator.program.pid}, with the rights of the chart's ServiceAccount`);
  }

  async #install(endpoint: { name: string; url: string; word: string }, narrator: Narrator): Promise<Installed> {
    if (this.cluster instanceof MemoryPlane) {
      const installed = await narrator.during('the CRDs to be applied', this.cluster.install(endpoint));
      narrator.say('CRDs applied; the operator has the rights that the chart gives it');
      return installed;
    }
    const installed = await narrator.during('Helm and kubectl to install the chart', installChart(this.cluster, { endpoints: [endpoint] }));
    narrator.say('chart rendered by Helm and applied: CRDs, RBAC, ServiceAccount, policies');
    return installed;
  }

  get cluster(): ControlPlane {
    if (this.#controlPlane === undefined) throw new Error('the control plane is not started yet');
    return this.#controlPlane;
  }

  get emulator(): EmulatorProgram {
    if (this.#emulator === undefined) throw new Error('the emulator is not started yet');
    return this.#emulator;
  }

  get operator(): OperatorProgram {
    if (this.#operator === undefined) throw new Error('the operator is not started yet');
    return this.#operator;
  }

  /** The last words of the operator, for a failure. */
  async lastWords(): Promise<string> {
    const lines = (await this.#operator?.program.lines()) ?? [];
    return lines.slice(-15).join('\n');
  }

  /** Leaves everything running; answers the processes that a `kill` ends. */
  async keep(): Promise<readonly number[]> {
    const programs = [this.operator.program, this.emulator.program];
    for (const program of programs) program.release();
    return [...programs.map(({ pid }) => pid), await this.cluster.keep()];
  }

  /** The operator goes first, in its own time: what it does at its end is part of what it is. */
  async close(): Promise<void> {
    await this.#operator?.program.stop();
    await this.#emulator?.program.stop();
    await this.#controlPlane?.stop();
  }
}
