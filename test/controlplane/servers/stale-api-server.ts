import { Cluster, type Coordinates } from '../cluster.ts';
import type { PausableProxy } from './pausable-proxy.ts';

/**
 * A second API server on the same etcd. Frozen, it no longer learns what the first one writes, and goes on answering
 * from its cache: lists with `resourceVersion=0` and open watches see the past; writes and consistent reads hang.
 * After about 40 s its connection to etcd times out and `/readyz` says so, as in a real partition.
 */
export class StaleApiServer extends Cluster {
  readonly #etcd: PausableProxy;

  constructor(coordinates: Coordinates, etcd: PausableProxy) {
    super(coordinates);
    this.#etcd = etcd;
  }

  freeze(): void {
    this.#etcd.pause();
  }

  /** It catches up within about a second. */
  thaw(): void {
    this.#etcd.resume();
  }

  async close(): Promise<void> {
    await this.disconnect();
    await this.#etcd.close();
  }
}
