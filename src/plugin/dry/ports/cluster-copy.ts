import type { WatchEvent } from '../../../engine/controller/watch-handler.ts';
import { keyOf, objectId } from '../../../engine/model/object-id.ts';
import { type Key, KubeError, type Metadata, type Objects, type Patch, type Resource } from '../../../engine/ports/kubernetes.ts';
import { jsonPatched, merged } from './json-patch.ts';

/**
 * The cluster's objects as they would be: those that are there, under the manifests. What the engine writes is written here
 * alone, and seen at once, so that it goes on as it would after a real write.
 */
export class ClusterCopy implements Objects {
  readonly #objects = new Map<string, Map<string, Resource>>();
  readonly #told: (event: WatchEvent) => void;
  #versions = 0;

  /** `told` of every change, as a watch would tell. */
  constructor(told: (event: WatchEvent) => void) {
    this.#told = told;
  }

  /** A later one of the same name takes the place of the one before. */
  put(object: Resource): void {
    this.#set(object, false);
  }

  get(kind: string, key: Key): Resource | undefined {
    return this.#objects.get(kind)?.get(objectId(kind, key));
  }
  all(kind: string): Iterable<Resource> {
    return this.#objects.get(kind)?.values() ?? [];
  }
  fetch(kind: string, key: Key): Promise<Resource | undefined> {
    return Promise.resolve(this.get(kind, key));
  }
  annotated(kind: string, key: Key): ReturnType<Objects['annotated']> {
    const object = this.get(kind, key);
    return Promise.resolve(object && { object });
  }

  async patch(kind: string, key: Key, patch: Patch): Promise<Resource> {
    const known = this.get(kind, key);
    if (known === undefined) throw new KubeError('NotFound', `${kind} ${key.namespace}/${key.name} is not there`);
    const next = patch.type === 'json' ? jsonPatched(known, patch.ops) : merged(known, patch.body);
    const uid = next.metadata.uid === known.metadata.uid ? undefined : next.metadata.uid;
    if (uid !== undefined) throw new KubeError('Conflict', `${kind} ${key.namespace}/${key.name} is another`);
    return Promise.resolve(this.#set(next, true));
  }

  remove(object: Resource): Promise<void> {
    const known = this.get(object.kind, object.metadata);
    if (known?.metadata.uid === object.metadata.uid)
      this.#set({ ...known, metadata: { ...known.metadata, deletionTimestamp: '', finalizers: [] } }, true);
    return Promise.resolve();
  }

  #set(object: Resource, ours: boolean): Resource {
    const { kind } = object;
    const key = keyOf(object);
    const before = this.get(kind, key);
    this.#versions += 1;
    const now: Resource = { ...object, metadata: { ...object.metadata, resourceVersion: String(this.#versions) } };
    const gone = isLast(now.metadata);
    const all = this.#objects.get(kind) ?? new Map<string, Resource>();
    this.#objects.set(kind, all);
    if (gone) all.delete(objectId(kind, key));
    else all.set(objectId(kind, key), now);
    this.#told({ kind, key, before, now: gone ? undefined : now, ours });
    return now;
  }
}

const isLast = ({ deletionTimestamp, finalizers = [] }: Metadata): boolean => deletionTimestamp !== undefined && finalizers.length === 0;
