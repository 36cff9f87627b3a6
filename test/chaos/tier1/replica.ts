import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from '../../controlplane/cluster.ts';
import { startOperator, type Installed } from '../../support/process/installed-operator.ts';
import type { Program } from '../../support/process/program.ts';
import { Crossing, type Guard } from './crossing.ts';

/** The loader takes plain HTTP only where it is told not to check certificates. */
const kubeconfigOf = (server: string, token: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'crossing',
    contexts: [{ name: 'crossing', context: { cluster: 'crossing', user: 'operator' } }],
    clusters: [{ name: 'crossing', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'operator', user: { token } }],
  });

export interface ReplicaOptions {
  /** Of the pod, and so in the lease: a container that is started again in its pod keeps it. */
  readonly name: string;
  readonly cluster: Cluster;
  readonly installed: Installed;
  /** Of the API. */
  readonly apiUrl: string;
  readonly folder: string;
  readonly flags: readonly string[];
  readonly guard: Guard;
}

/** In the folder of the stage, of all replicas: one line after the other. */
export const auditFile = 'audit.log';

/** Ends that are meant to be: asked to end, and the lease is lost. */
const knownExits: readonly (number | string)[] = [0, 3];

/** One pod of the operator with a crossing to each of its servers. Like the kubelet, it starts the process again whenever it ends. */
export class Replica {
  readonly kube: Crossing;
  readonly cloud: Crossing;
  /** Exit codes and signals of ends that nobody asked for. */
  readonly surprises: (number | string)[] = [];
  readonly #options: ReplicaOptions;
  #program: Program | undefined;
  #script: string | undefined;
  #starts = 0;
  #wanted = true;

  private constructor(options: ReplicaOptions, kube: Crossing, cloud: Crossing) {
    this.#options = options;
    this.kube = kube;
    this.cloud = cloud;
  }

  static async open(options: ReplicaOptions): Promise<Replica> {
    const { cluster, apiUrl, guard } = options;
    const kube = await Crossing.open({ name: 'kube', target: cluster.url, ca: cluster.ca, guard });
    const cloud = await Crossing.open({ name: 'cloud', target: new URL(apiUrl).origin, guard });
    return new Replica(options, kube, cloud);
  }

  get program(): Program {
    if (this.#program === undefined) throw new Error(`replica ${this.#options.name} was not started`);
    return this.#program;
  }

  /** Starts the process, from another build when a script is named. */
  async start(script?: string): Promise<Program> {
    const { cluster, installed, folder, flags, name, apiUrl } = this.#options;
    const { pathname } = new URL(apiUrl);
    this.#wanted = true;
    this.#script = script;
    const token = await cluster.serviceAccountToken(installed.release.namespace, installed.release.name);
    const kubeconfig = join(folder, `kubeconfig-${name}`);
    await writeFile(kubeconfig, kubeconfigOf(this.kube.origin, token), { mode: 0o600 });
    const args = installed.container.args.map((arg) => arg.replace(apiUrl, `${this.cloud.origin}${pathname}`));
    const { program } = await startOperator(
      cluster,
      { ...installed, container: { ...installed.container, args } },
      {
        name: `${name}-${(this.#starts += 1)}`,
        folder,
        flags,
        asked: false,
        env: {
          POD_NAME: name,
          KUBECONFIG: kubeconfig,
          NODE_COMPILE_CACHE: join(cluster.coordinates.folder, 'compiled'),
          // Not as a flag, which earlier builds do not know.
          CLOUD_OPERATOR_AUDIT_LOG: join(folder, auditFile),
        },
        ...(script !== undefined && { script }),
      },
    );
    this.#program = program;
    void this.#keep(program);
    return program;
  }

  /** Ends the process and starts no other by itself; answers how it ended. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | string> {
    this.strike(signal);
    return this.program.ended;
  }
  /** The same, without waiting. */
  strike(signal: 'SIGKILL' | 'SIGTERM'): void {
    this.#wanted = false;
    this.program.signal(signal);
  }

  /** No kubelet starts it again. */
  abandon(): void {
    this.#wanted = false;
  }

  async close(): Promise<void> {
    if (this.#program !== undefined) await this.end('SIGKILL');
    await Promise.all([this.kube.close(), this.cloud.close()]);
  }

  async #keep(program: Program): Promise<void> {
    const code = await program.ended;
    if (!this.#wanted || program !== this.#program) return;
    if (!knownExits.includes(code)) this.surprises.push(code);
    await this.start(this.#script).catch((error: unknown) => {
      if (this.#wanted) throw error;
    });
  }
}
