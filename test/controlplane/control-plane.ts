import { sleep, type Clock } from '../../src/lib/clock.ts';
import { Cluster, type Coordinates } from './cluster.ts';
import type { StaleApiServer } from './servers/stale-api-server.ts';
import type { ApiServer } from './servers/server-processes.ts';

/** What only the process that started a control plane can do to it. */
export interface Lifecycle {
  /** Ends the processes, or lets go of a cluster that is not ours, and removes the folder. */
  stop(): Promise<void>;
  /** Absent where the cluster is not ours. */
  readonly servers?: Servers;
  /** Absent unless it was asked for. */
  readonly stale?: StaleApiServer;
}

/** The API server in the hands of a test. */
export interface Servers {
  readonly supervisorPid: number;
  readonly apiServer: () => ApiServer;
  kill(): Promise<void>;
  start(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  keep(): Promise<void>;
}

/** A control plane that this process started, or took over, and has to stop. */
export class ControlPlane extends Cluster {
  readonly #lifecycle: Lifecycle;
  readonly #clock: Clock;
  #stopped: Promise<void> | undefined;

  constructor(coordinates: Coordinates, lifecycle: Lifecycle, clock: Clock) {
    super(coordinates);
    this.#lifecycle = lifecycle;
    this.#clock = clock;
  }

  /** Ends everything and removes every file; calling it again waits for the same end. */
  stop(): Promise<void> {
    this.#stopped ??= this.disconnect().then(() => this.#lifecycle.stop());
    return this.#stopped;
  }

  /** Kills the API server: connections break, new ones are refused, until `startApiServer`. */
  killApiServer(): Promise<void> {
    return this.#servers().kill();
  }

  /** Starts it again, with the same address, certificate and data; resolves when it is ready. */
  startApiServer(): Promise<void> {
    return this.#servers().start();
  }

  /** Kills the API server, leaves it away for `downMs`, starts it again and waits until it is ready. */
  async restartApiServer(downMs = 0): Promise<void> {
    await this.killApiServer();
    await sleep(this.#clock, downMs);
    await this.startApiServer();
  }

  /** Freezes the API server: connections stay open and nothing answers, until `resumeApiServer`. */
  pauseApiServer(): void {
    this.#servers().signal('SIGSTOP');
  }

  resumeApiServer(): void {
    this.#servers().signal('SIGCONT');
  }

  /** Leaves it running when this process ends; `kill <answered pid>` ends it. */
  async keep(): Promise<number> {
    const servers = this.#servers();
    await servers.keep();
    await this.disconnect();
    return servers.supervisorPid;
  }

  /** The second API server; needs the option `staleSecond`. */
  get stale(): StaleApiServer {
    if (this.#lifecycle.stale === undefined) throw new Error('no second API server: start the control plane with { staleSecond: true }');
    return this.#lifecycle.stale;
  }

  #servers(): Servers {
    if (this.#lifecycle.servers === undefined) throw new Error('this cluster was not started here, so its processes cannot be touched');
    return this.#lifecycle.servers;
  }
}
