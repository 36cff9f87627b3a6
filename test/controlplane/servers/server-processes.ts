import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Agent, request } from 'undici';
import { sleep, type Clock } from '../../../src/lib/clock.ts';
import type { Toolchain } from '../programs/finder.ts';
import { freePort } from '../free-port.ts';
import { apiServerFlags, etcdFlags, type ServerSettings } from './server-flags.ts';
import type { Supervised, Supervisor } from './supervisor-client.ts';

const POLL_MS = 40;
const ATTEMPTS = 5;
/** Far more than a loaded machine needs; a server that is not ready by then never will be. */
const START_LIMIT_MS = 120_000;

/** What one API server is told; its folder and port are chosen at its start. */
export type ApiServerSettings = Omit<ServerSettings, 'port' | 'folder'>;

/** Starts servers under a supervisor and waits until they are ready. */
export class ServerProcesses {
  readonly #supervisor: Supervisor;
  readonly #tools: Toolchain;
  readonly #clock: Clock;

  constructor(supervisor: Supervisor, tools: Toolchain, clock: Clock) {
    this.#supervisor = supervisor;
    this.#tools = tools;
    this.#clock = clock;
  }

  /** Resolves with its client URL once it answers. */
  async startEtcd(fsync: boolean): Promise<string> {
    return this.#onPort(undefined, async (port) => {
      const clientUrl = `http://127.0.0.1:${port}`;
      const name = basename(this.#supervisor.folder);
      const flags = etcdFlags({ folder: this.#supervisor.folder, clientUrl, name, fsync });
      const child = await this.#supervisor.spawn('etcd', this.#tools.etcd, flags);
      await this.#untilReady(child, async () => (await ask(`${clientUrl}/v3/cluster/member/list`, 'POST')).includes(`"name":"${name}"`));
      return clientUrl;
    });
  }

  /** Starts an API server on the port it had before, or on a new one; resolves when it is ready. */
  async startApiServer(name: string, settings: ApiServerSettings, port?: number): Promise<ApiServer> {
    const { folder } = this.#supervisor;
    const start = async (chosen: number): Promise<ApiServer> => {
      const child = await this.#supervisor.spawn(
        name,
        this.#tools['kube-apiserver'],
        apiServerFlags({ ...settings, folder, port: chosen }),
      );
      const url = `https://127.0.0.1:${chosen}`;
      const ca = await this.#untilReady(child, async () => {
        const certificate = await readFile(join(folder, 'certificates', 'apiserver.crt'), 'utf8');
        return (await ask(`${url}/readyz`, 'GET', certificate)) === 'ok' ? certificate : false;
      });
      return { child, url, ca, port: chosen };
    };
    return this.#onPort(port, start);
  }

  /** Another process may take the port between our look and the server's start: then the server ends, and the next try may do better. */
  async #onPort<T>(fixed: number | undefined, start: (port: number) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await start(fixed ?? (await freePort()));
      } catch (error) {
        if (attempt === ATTEMPTS || !/address already in use/i.test(String(error))) throw error;
      }
    }
  }

  /** Polls until `probe` says something; throws with the end of the process's log when it ends first. */
  async #untilReady<T>(child: Supervised, probe: () => Promise<T | false>): Promise<T> {
    const started = this.#clock.monotonic();
    // Until it is ready, an exit is reported by this function and by nobody else.
    child.ending = true;
    for (;;) {
      const ready = await probe().catch(() => false as const);
      if (!child.running) throw new Error(`${child.name} ended while starting:\n${await this.#supervisor.logOf(child.name)}`);
      if (ready !== false) {
        child.ending = false;
        return ready;
      }
      if (this.#clock.monotonic() - started > START_LIMIT_MS) {
        throw new Error(`${child.name} was not ready after ${START_LIMIT_MS / 1000} s:\n${await this.#supervisor.logOf(child.name)}`);
      }
      await sleep(this.#clock, POLL_MS);
    }
  }
}

export interface ApiServer {
  readonly child: Supervised;
  readonly url: string;
  /** PEM. */
  readonly ca: string;
  readonly port: number;
}

async function ask(url: string, method: 'GET' | 'POST', ca?: string): Promise<string> {
  const agent = new Agent({ allowH2: false, connect: ca === undefined ? {} : { ca }, headersTimeout: 5_000 });
  try {
    const response = await request(url, { dispatcher: agent, method, ...(method === 'POST' ? { body: '{}' } : {}) });
    return await response.body.text();
  } finally {
    await agent.destroy();
  }
}
