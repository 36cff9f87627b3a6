import type { Millis } from '../../../src/lib/clock.ts';
import type { Cluster } from '../cluster.ts';
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER } from '../storage/deletion.ts';
import { objectKey } from '../storage/kube-object.ts';
import type { KubeObject, OwnerReference } from '../storage/kube-object.ts';
import type { Resource } from '../resources/resource.ts';
import type { Change } from '../storage/store.ts';
import { InternalClient } from './internal-client.ts';

interface Reference {
  readonly table: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

/** Deletes what has lost its last owner; holds or cuts owners' deletion as their propagation policy says. */
export class GarbageCollector {
  readonly #cluster: Cluster;
  readonly #client: InternalClient;
  readonly #delay: Millis;
  /** Dependents by their owners' uid. Stale entries are harmless: the object itself is looked at. */
  readonly #dependents = new Map<string, Map<string, Reference>>();

  constructor(cluster: Cluster, delay: Millis) {
    this.#cluster = cluster;
    this.#delay = delay;
    this.#client = new InternalClient(cluster.writer, 'system:serviceaccount:kube-system:generic-garbage-collector');
  }

  start(): void {
    this.#cluster.store.subscribe((table, change) => this.#onChange(table, change));
  }

  #onChange(table: string, change: Change): void {
    const { object, type } = change;
    const owners = object.metadata.ownerReferences ?? [];
    if (type === 'DELETED') {
      if (this.#dependents.has(object.metadata.uid)) this.#later(() => this.#ownerGone(object.metadata.uid));
      if (owners.length > 0) this.#later(() => this.#dependentGone(owners));
      return;
    }
    for (const owner of owners) this.#index(owner.uid, table, object);
    if (owners.length > 0) this.#later(() => this.#collect({ table, namespace: object.metadata.namespace, name: object.metadata.name }));
    const { finalizers = [], deletionTimestamp } = object.metadata;
    if (deletionTimestamp && finalizers.some((one) => one === FOREGROUND_FINALIZER || one === ORPHAN_FINALIZER)) {
      this.#later(() => this.#attend({ table, namespace: object.metadata.namespace, name: object.metadata.name }));
    }
  }

  #later(then: () => void): void {
    this.#cluster.clock.after(this.#delay, then);
  }

  #index(owner: string, table: string, object: KubeObject): void {
    const { namespace, name } = object.metadata;
    let entries = this.#dependents.get(owner);
    if (!entries) this.#dependents.set(owner, (entries = new Map()));
    entries.set(`${table} ${objectKey(namespace, name)}`, { table, namespace, name });
  }

  #ownerGone(uid: string): void {
    for (const reference of this.#dependents.get(uid)?.values() ?? []) this.#collect(reference);
  }

  #dependentGone(owners: readonly OwnerReference[]): void {
    for (const owner of owners) {
      const resource = this.#resourceOf(owner);
      const found = resource && this.#cluster.store.list(resource.table).find((object) => object.metadata.uid === owner.uid);
      if (resource && found) this.#attend({ table: resource.table, namespace: found.metadata.namespace, name: found.metadata.name });
    }
  }

  #collect(reference: Reference): void {
    const [object, resource] = this.#look(reference);
    if (!object || !resource || object.metadata.deletionTimestamp) return;
    const owners = object.metadata.ownerReferences ?? [];
    const alive = owners.filter((owner) => this.#exists(owner, object));
    if (owners.length === 0 || alive.length === owners.length) return;
    if (alive.length === 0) this.#client.delete(resource, object, { propagationPolicy: 'Background' });
    else this.#client.patch(resource, object, { metadata: { ownerReferences: alive } });
  }

  #exists(owner: OwnerReference, dependent: KubeObject): boolean {
    const resource = this.#resourceOf(owner);
    if (!resource) return true;
    const namespace = resource.namespaced ? dependent.metadata.namespace : undefined;
    return this.#cluster.store.get(resource.table, namespace, owner.name)?.metadata.uid === owner.uid;
  }

  /** An owner whose deletion waits for its dependents, or for being cut from them. */
  #attend(reference: Reference): void {
    const [owner, resource] = this.#look(reference);
    if (!owner?.metadata.deletionTimestamp || !resource) return;
    const finalizers = owner.metadata.finalizers ?? [];
    if (finalizers.includes(ORPHAN_FINALIZER)) this.#orphan(resource, owner);
    else if (finalizers.includes(FOREGROUND_FINALIZER)) this.#deleteDependentsFirst(resource, owner);
  }

  #orphan(resource: Resource, owner: KubeObject): void {
    for (const [object, of] of this.#dependentsOf(owner)) {
      this.#client.patch(of, object, { metadata: { ownerReferences: othersThan(owner, object) } });
    }
    this.#drop(resource, owner, ORPHAN_FINALIZER);
  }

  #deleteDependentsFirst(resource: Resource, owner: KubeObject): void {
    const alive = this.#dependentsOf(owner).filter(([object]) => !object.metadata.deletionTimestamp);
    for (const [object, of] of alive) this.#client.delete(of, object, { propagationPolicy: 'Foreground' });
    if (!this.#dependentsOf(owner).some(([object]) => blocks(owner, object))) this.#drop(resource, owner, FOREGROUND_FINALIZER);
  }

  #drop(resource: Resource, owner: KubeObject, finalizer: string): void {
    const finalizers = (owner.metadata.finalizers ?? []).filter((one) => one !== finalizer);
    this.#client.patch(resource, owner, { metadata: { finalizers } });
  }

  #dependentsOf(owner: KubeObject): [KubeObject, Resource][] {
    const references = [...(this.#dependents.get(owner.metadata.uid)?.values() ?? [])];
    return references.flatMap((reference): [KubeObject, Resource][] => {
      const [object, resource] = this.#look(reference);
      const owned = object?.metadata.ownerReferences?.some(({ uid }) => uid === owner.metadata.uid);
      return object && resource && owned ? [[object, resource]] : [];
    });
  }

  #look({ table, namespace, name }: Reference): [KubeObject | undefined, Resource | undefined] {
    const resource = this.#cluster.registry.byTable().find((one) => one.table === table);
    return [this.#cluster.store.get(table, namespace, name), resource];
  }

  #resourceOf(owner: OwnerReference): Resource | undefined {
    const group = owner.apiVersion.includes('/') ? (owner.apiVersion.split('/')[0] ?? '') : '';
    return this.#cluster.registry.byKind(group, owner.kind);
  }
}

function othersThan(owner: KubeObject, dependent: KubeObject): OwnerReference[] {
  return (dependent.metadata.ownerReferences ?? []).filter(({ uid }) => uid !== owner.metadata.uid);
}

function blocks(owner: KubeObject, dependent: KubeObject): boolean {
  return (dependent.metadata.ownerReferences ?? []).some(
    ({ uid, blockOwnerDeletion }) => uid === owner.metadata.uid && blockOwnerDeletion === true,
  );
}
