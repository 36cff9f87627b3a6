import type { Millis } from '../../../src/lib/clock.ts';
import type { Cluster } from '../cluster.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../storage/store.ts';
import { InternalClient } from './internal-client.ts';

const TABLE = '/namespaces';

/** Empties namespaces that are being deleted, and lets them go when nothing is left in them. */
export class NamespaceController {
  readonly #cluster: Cluster;
  readonly #client: InternalClient;
  readonly #delay: Millis;

  constructor(cluster: Cluster, delay: Millis) {
    this.#cluster = cluster;
    this.#delay = delay;
    this.#client = new InternalClient(cluster.writer, 'system:serviceaccount:kube-system:namespace-controller');
  }

  start(): void {
    this.#cluster.store.subscribe((table, change) => this.#onChange(table, change));
  }

  #onChange(table: string, change: Change): void {
    const { object, type } = change;
    const name = table === TABLE ? object.metadata.name : object.metadata.namespace;
    if (name === undefined || (table === TABLE && type === 'DELETED') || (table !== TABLE && type !== 'DELETED')) return;
    if (this.#cluster.store.get(TABLE, undefined, name)?.metadata.deletionTimestamp) {
      this.#cluster.clock.after(this.#delay, () => this.#empty(name));
    }
  }

  #empty(name: string): void {
    const home = this.#cluster.store.get(TABLE, undefined, name);
    if (!home?.metadata.deletionTimestamp) return;
    for (const [object, resource] of this.#content(name)) {
      if (!object.metadata.deletionTimestamp) this.#client.delete(resource, object, { propagationPolicy: 'Background' });
    }
    const resource = this.#cluster.registry.find('', 'v1', 'namespaces');
    if (resource && this.#content(name).length === 0) this.#client.patch(resource, home, { spec: { finalizers: null } }, 'finalize');
  }

  #content(name: string): [KubeObject, Resource][] {
    return this.#cluster.registry
      .byTable()
      .filter((resource) => resource.namespaced)
      .flatMap((resource) => this.#cluster.store.list(resource.table).map((object): [KubeObject, Resource] => [object, resource]))
      .filter(([object]) => object.metadata.namespace === name);
  }
}
