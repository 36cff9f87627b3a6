import type { Millis } from '../../../src/lib/clock.ts';
import type { Cluster } from '../cluster.ts';
import { CLEANUP_FINALIZER, customResourceDefinitions, establishedStatus, resourcesOf } from '../resources/custom-resource-definition.ts';
import { child, equal, isObject, list } from '../storage/json.ts';
import type { KubeObject } from '../storage/kube-object.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../storage/store.ts';
import { InternalClient } from './internal-client.ts';

/** Serves what CRDs declare: establishes them, takes up changed schemas, empties them before they go. */
export class CrdController {
  readonly #cluster: Cluster;
  readonly #client: InternalClient;
  readonly #delay: Millis;
  readonly #schemaChanged: (resource: Resource) => void;
  readonly #served = new Map<string, Resource[]>();

  constructor(cluster: Cluster, delay: Millis, schemaChanged: (resource: Resource) => void) {
    this.#cluster = cluster;
    this.#delay = delay;
    this.#schemaChanged = schemaChanged;
    this.#client = new InternalClient(cluster.writer, 'system:apiserver');
  }

  start(): void {
    this.#cluster.store.subscribe((table, change) => this.#onChange(table, change));
  }

  #onChange(table: string, change: Change): void {
    if (table === customResourceDefinitions.table) this.#later(() => this.#reconcile(change));
    else if (change.type === 'DELETED') this.#later(() => this.#finishDeletion(table));
  }

  #later(then: () => void): void {
    if (this.#delay > 0) this.#cluster.clock.after(this.#delay, then);
    else queueMicrotask(then);
  }

  #reconcile(change: Change): void {
    const { name } = change.object.metadata;
    const crd = this.#cluster.store.get(customResourceDefinitions.table, undefined, name);
    if (!crd) return this.#unserve(name);
    if (crd.metadata.deletionTimestamp) return this.#empty(crd);
    if (!isEstablished(crd)) return this.#establish(crd);
    const previous = change.previous;
    if (!this.#served.has(name) || !previous || !equal(previous['spec'], crd['spec'])) this.#serve(crd);
  }

  #establish(crd: KubeObject): void {
    const { name } = crd.metadata;
    const finalizers = [...(crd.metadata.finalizers ?? []), CLEANUP_FINALIZER];
    if (!crd.metadata.finalizers?.includes(CLEANUP_FINALIZER))
      this.#client.patch(customResourceDefinitions, crd, { metadata: { finalizers } });
    const current = this.#cluster.store.get(customResourceDefinitions.table, undefined, name);
    if (current)
      this.#client.patch(customResourceDefinitions, current, { status: establishedStatus(current, this.#cluster.writer.now()) }, 'status');
  }

  #serve(crd: KubeObject): void {
    const before = this.#served.get(crd.metadata.name);
    this.#unserve(crd.metadata.name);
    const resources = resourcesOf(crd);
    for (const resource of resources) {
      this.#cluster.registry.add(resource);
      this.#cluster.store.rewrite(resource.table, (object) => resource.strategy.stored(object));
      if (before) this.#schemaChanged(resource);
    }
    this.#served.set(crd.metadata.name, resources);
  }

  #unserve(name: string): void {
    for (const resource of this.#served.get(name) ?? []) this.#cluster.registry.remove(resource);
    this.#served.delete(name);
  }

  #empty(crd: KubeObject): void {
    const resource = this.#served.get(crd.metadata.name)?.[0];
    if (resource && this.#deleteAll(resource) > 0) return;
    const { finalizers = [] } = crd.metadata;
    if (!finalizers.includes(CLEANUP_FINALIZER)) return;
    this.#client.patch(customResourceDefinitions, crd, { metadata: { finalizers: finalizers.filter((one) => one !== CLEANUP_FINALIZER) } });
  }

  /** Returns how many are left because finalizers hold them. */
  #deleteAll(resource: Resource): number {
    for (const object of this.#cluster.store.list(resource.table)) {
      if (!object.metadata.deletionTimestamp) this.#client.delete(resource, object, {});
    }
    return this.#cluster.store.list(resource.table).length;
  }

  #finishDeletion(table: string): void {
    for (const crd of this.#cluster.store.list(customResourceDefinitions.table)) {
      const own = this.#served.get(crd.metadata.name)?.some((resource) => resource.table === table);
      if (own && crd.metadata.deletionTimestamp) this.#empty(crd);
    }
  }
}

function isEstablished(crd: KubeObject): boolean {
  return list(child(crd, 'status')['conditions']).some((one) => isObject(one) && one['type'] === 'Established' && one['status'] === 'True');
}
