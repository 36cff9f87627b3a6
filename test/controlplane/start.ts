import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { sleep, systemClock, type Clock } from '../../src/lib/clock.ts';
import type { Coordinates } from './cluster.ts';
import { ControlPlane, type Servers } from './control-plane.ts';
import { existingCluster } from './servers/existing-cluster.ts';
import { findToolchain, READY_SOURCES, SOURCES, ToolsMissing, type Toolchain } from './programs/finder.ts';
import { startK3s } from './programs/k3s.ts';
import { thisMachine, type Machine } from './programs/machine.ts';
import { createRunFolder, sweepOrphans, writeServerFiles } from './servers/run-folder.ts';
import { controllerManagerFlags } from './servers/server-flags.ts';
import { PausableProxy } from './servers/pausable-proxy.ts';
import { ServerProcesses, type ApiServer, type ApiServerSettings } from './servers/server-processes.ts';
import { StaleApiServer } from './servers/stale-api-server.ts';
import { Supervisor } from './servers/supervisor-client.ts';

export interface ControlPlaneOptions {
  /** Progress for a person; standard error when absent. */
  readonly log?: (line: string) => void;
  readonly clock?: Clock;
  /** Default true. False: only what is there or comes within seconds; rejects with ToolsMissing instead of compiling or starting K3s. */
  readonly build?: boolean;
  /** Default `5m`, as in Kubernetes; `2s` makes a test's old resourceVersions answer 410 soon. */
  readonly etcdCompactionInterval?: string;
  /** Make etcd write through, for tests that kill it. */
  readonly fsync?: boolean;
  /** Default true. Without it the start is 0.8 s faster, but deleted namespaces stay and owned objects are not collected. */
  readonly controllerManager?: boolean;
  /** Also start a second API server that can be cut off from etcd: `stale` of the answer. */
  readonly staleSecond?: boolean;
  /** Further flags of the API server, for example `--feature-gates=...`. */
  readonly apiServerFlags?: readonly string[];
}

/**
 * Starts a real control plane: the cluster named by USE_EXISTING_CLUSTER, else kube-apiserver, etcd and
 * kube-controller-manager found or built on this machine, else K3s in Docker. Says in one line which. Stop it with
 * `stop()`; should this process die before, its processes end by themselves.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const clock = options.clock ?? systemClock;
  const machine = { ...thisMachine(options.log ?? ((line) => process.stderr.write(`${line}\n`))), clock };
  if (machine.env['USE_EXISTING_CLUSTER'] === 'true') return existingCluster(machine);
  const { build = true } = options;
  let tools: Toolchain;
  try {
    tools = await findToolchain(machine, build ? SOURCES : READY_SOURCES);
  } catch (error) {
    if (!build || !(error instanceof ToolsMissing)) throw error;
    return startK3s(machine, error);
  }
  return startProcesses(tools, options, machine);
}

async function startProcesses(tools: Toolchain, options: ControlPlaneOptions, machine: Machine): Promise<ControlPlane> {
  await sweepOrphans(machine);
  const folder = await createRunFolder();
  const userKey = randomBytes(24).toString('hex');
  let supervisor: Supervisor | undefined;
  try {
    supervisor = await Supervisor.start(folder, userKey, (child) => {
      machine.log(`${child.name} (pid ${child.pid}) ended by itself; its log is ${join(folder, `${child.name}.log`)}`);
    });
    return await new Start(supervisor, tools, options, machine).run(userKey);
  } catch (error) {
    await supervisor?.close();
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

class Start {
  readonly #supervisor: Supervisor;
  readonly #tools: Toolchain;
  readonly #options: ControlPlaneOptions;
  readonly #machine: Machine;
  readonly #processes: ServerProcesses;

  constructor(supervisor: Supervisor, tools: Toolchain, options: ControlPlaneOptions, machine: Machine) {
    this.#supervisor = supervisor;
    this.#tools = tools;
    this.#options = options;
    this.#machine = machine;
    this.#processes = new ServerProcesses(supervisor, tools, machine.clock);
  }

  async run(userKey: string): Promise<ControlPlane> {
    const { folder } = this.#supervisor;
    const [secrets, etcdUrl] = await Promise.all([
      writeServerFiles(folder, this.#supervisor.webhook),
      this.#processes.startEtcd(this.#options.fsync ?? false),
    ]);
    const start = (port?: number): Promise<ApiServer> =>
      this.#processes.startApiServer('kube-apiserver', this.#settings(etcdUrl, 'audit.log'), port);
    const first = await start();
    const manager = this.#options.controllerManager === false ? undefined : this.#tools['kube-controller-manager'];
    const coordinates: Coordinates = {
      url: first.url,
      ca: first.ca,
      adminToken: secrets.adminToken,
      userKey,
      auditLog: join(folder, 'audit.log'),
      kubectl: this.#tools.kubectl,
      folder,
      controllers: manager !== undefined,
    };
    const servers = this.#servers(first, start);
    const stale = await this.#startStale(etcdUrl, coordinates);
    const stop = async (): Promise<void> => {
      await stale?.close();
      await this.#supervisor.close();
    };
    const controlPlane = new ControlPlane(coordinates, { stop, servers, ...(stale === undefined ? {} : { stale }) }, this.#machine.clock);
    await controlPlane.kubeconfigFor(coordinates.adminToken);
    if (manager !== undefined) await this.#startControllers(controlPlane, manager, secrets.controllerManagerToken);
    return controlPlane;
  }

  #settings(etcdUrl: string, auditLog: string): ApiServerSettings {
    return {
      etcdUrl,
      auditLog,
      compactionInterval: this.#options.etcdCompactionInterval ?? '5m',
      extra: this.#options.apiServerFlags ?? [],
    };
  }

  /** Uses the first one's certificate, so that clients need one CA, and writes an audit log of its own. */
  async #startStale(etcdUrl: string, first: Coordinates): Promise<StaleApiServer | undefined> {
    if (!this.#options.staleSecond) return undefined;
    const etcd = await PausableProxy.start(Number(new URL(etcdUrl).port));
    const auditLog = 'audit-stale.log';
    const { url } = await this.#processes.startApiServer('kube-apiserver-stale', this.#settings(`http://127.0.0.1:${etcd.port}`, auditLog));
    return new StaleApiServer({ ...first, url, auditLog: join(first.folder, auditLog) }, etcd);
  }

  /** Resolves when the first default ServiceAccount is there: then the controllers work. */
  async #startControllers(controlPlane: ControlPlane, file: string, token: string): Promise<void> {
    const kubeconfig = await controlPlane.kubeconfigFor(token);
    const child = await this.#supervisor.spawn(
      'kube-controller-manager',
      file,
      controllerManagerFlags(this.#supervisor.folder, kubeconfig),
    );
    for (;;) {
      const { status } = await controlPlane.request('GET', '/api/v1/namespaces/default/serviceaccounts/default');
      if (status === 200) return;
      if (!child.running) throw new Error(`kube-controller-manager ended while starting:\n${await this.#supervisor.logOf(child.name)}`);
      await sleep(this.#machine.clock, 40);
    }
  }

  #servers(first: ApiServer, start: (port: number) => Promise<ApiServer>): Servers {
    let current = first;
    return {
      supervisorPid: this.#supervisor.pid,
      apiServer: () => current,
      kill: () => this.#supervisor.end(current.child),
      start: async () => {
        current = await start(first.port);
      },
      signal: (signal) => this.#supervisor.signal(current.child, signal),
      keep: () => this.#supervisor.keep(),
    };
  }
}
