import { KubeError } from '../../engine/ports/index.ts';
import type { Key, Leadership, Objects, Patch, Resource } from '../../engine/ports/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { Log } from '../../telemetry/log.ts';
import { group, version } from '../api-group.ts';
import { kubePath } from '../http/client.ts';
import type { KubeClient, KubeRequest } from '../http/client.ts';
import { unlessLeading } from '../leases/leading.ts';
import { managerOf } from './field-manager.ts';
import { ObjectStore } from './object-store.ts';
import type { Change } from './object-store.ts';
import { OwnWrites } from './own-writes.ts';
import type { ReflectorState } from './recovery.ts';
import { Reflector } from './reflector.ts';
import type { Sink } from './reflector.ts';
import { isMissing } from '../http/status-error.ts';
import { trim } from './trim.ts';
import type { RawObject } from './trim.ts';

export interface ServedKind {
  readonly kind: string;
  /** As in the CRD and in URLs, for example `cloudvolumes`. */
  readonly plural: string;
}
/** Told of every change of the cache, those by our own answers included (`change.from`). Must be quick: it only enqueues keys. */
export type ChangeHandler = (kind: string, key: Key, change: Change) => void;

export interface KubeObjectsOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly kinds: readonly ServedKind[];
  /** One watch for each; absent or empty: one watch over all namespaces. */
  readonly watchNamespaces?: readonly string[];
  readonly fieldManager: string;
  /** Of who may write status; what an answered create brought is written by whoever has it. Absent: always leads. */
  readonly leadership?: Leadership;
}
interface Watched {
  readonly plural: string;
  readonly store: ObjectStore;
  readonly reflectors: readonly Reflector[];
}

/** Our custom resources: a cache that the API server keeps current, and writes that are seen in it at once. */
export class KubeObjects implements Objects {
  readonly #options: KubeObjectsOptions;
  readonly #watched: ReadonlyMap<string, Watched>;
  readonly #handlers = new Set<ChangeHandler>();
  readonly #writes = new OwnWrites();
  readonly #waiting = new Set<() => void>();

  constructor(options: KubeObjectsOptions) {
    this.#options = options;
    this.#watched = new Map(options.kinds.map((served) => [served.kind, this.#watch(served)]));
  }

  /** Returns what ends the subscription. */
  subscribe(handler: ChangeHandler): () => void {
    this.#handlers.add(handler);
    return () => void this.#handlers.delete(handler);
  }

  start(): void {
    for (const { reflectors } of this.#watched.values()) for (const each of reflectors) each.start();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#watched.values()].flatMap(({ reflectors }) => reflectors.map((each) => each.stop())));
  }

  /** Resolves when every kind was listed once, or is known not to be installed. */
  async synced(): Promise<void> {
    while ([...this.#watched.keys()].some((kind) => this.state(kind) === 'syncing'))
      await new Promise<void>((resolve) => void this.#waiting.add(resolve));
  }

  state(kind: string): ReflectorState {
    const states = this.#of(kind).reflectors.map((each) => each.state);
    return states.find((state) => state === 'syncing') ?? states.find((state) => state === 'absent') ?? 'synced';
  }

  /** Kinds whose list or watch fails now, with the reason. */
  troubles(): readonly { readonly kind: string; readonly message: string }[] {
    return [...this.#watched].flatMap(([kind, { reflectors }]) =>
      reflectors.flatMap(({ trouble }) => (trouble === undefined ? [] : [{ kind, message: trouble }])),
    );
  }

  get(kind: string, key: Key): Resource | undefined {
    return this.#of(kind).store.get(key);
  }

  all(kind: string): Iterable<Resource> {
    return this.#of(kind).store.all();
  }

  /** Number of objects in the cache. */
  count(kind: string): number {
    return this.#of(kind).store.size;
  }

  async fetch(kind: string, key: Key, signal: AbortSignal): Promise<Resource | undefined> {
    try {
      return await this.#ask(kind, key, { path: this.#path(kind, key), signal });
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async annotated(kind: string, key: Key, annotation: string, signal: AbortSignal): ReturnType<Objects['annotated']> {
    let raw: unknown;
    const path = this.#path(kind, key);
    try {
      const object = await this.#ask(kind, key, { path, signal }, (answer) => (raw = answer));
      const manager = managerOf(raw, annotation);
      return { object, ...(manager !== undefined && { manager }) };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  patch(kind: string, key: Key, patch: Patch, signal: AbortSignal): Promise<Resource> {
    const json = patch.type === 'json';
    const path = this.#path(kind, key);
    return this.#writes.during(path, () =>
      this.#ask(kind, key, {
        method: 'PATCH',
        path: path + (patch.subresource === undefined ? '' : `/${patch.subresource}`),
        query: { fieldManager: this.#options.fieldManager },
        contentType: json ? 'application/json-patch+json' : 'application/merge-patch+json',
        body: json ? patch.ops : patch.body,
        signal,
        unless: patch.subresource === undefined ? undefined : unlessLeading(this.#options.leadership),
      }),
    );
  }

  /** The watch tells that it went. */
  async remove({ kind, metadata: { uid, namespace, name } }: Resource, signal: AbortSignal): Promise<void> {
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
    try {
      await this.#options.client.request({ method: 'DELETE', path: this.#path(kind, { namespace, name }), body, signal });
    } catch (error) {
      if (!isMissing(error) && !(error instanceof KubeError && error.fault === 'Conflict')) throw error;
    }
  }

  /** One request for one object, whose answer (also that there is none) enters the cache. */
  async #ask(kind: string, key: Key, call: KubeRequest, whole: (answer: unknown) => void = () => undefined): Promise<Resource> {
    const { store } = this.#of(kind);
    const before = store.get(key);
    try {
      const answer = await this.#options.client.request(call);
      whole(answer);
      const object = trim(kind, answer as RawObject);
      if (!object)
        throw new KubeError(call.method === 'PATCH' ? 'Unknown' : 'Unavailable', `${call.path}: the API server's answer is not an object`);
      store.put(object, 'answer');
      return object;
    } catch (error) {
      if (before && isMissing(error)) store.remove(key, before.metadata.uid, 'answer');
      throw error;
    }
  }

  #path(kind: string, { namespace, name }: Key): string {
    return kubePath('apis', group, version, 'namespaces', namespace, this.#of(kind).plural, name);
  }

  #of(kind: string): Watched {
    const watched = this.#watched.get(kind);
    if (!watched) throw new Error(`${kind} is not among the kinds that this operator watches`);
    return watched;
  }

  #watch({ kind, plural }: ServedKind): Watched {
    const store = new ObjectStore(this.#options.clock, (key, change) => this.#notify(kind, key, change));
    const namespaces = this.#options.watchNamespaces ?? [];
    const paths = namespaces.length === 0 ? [undefined] : namespaces;
    const reflectors = paths.map((namespace) => {
      const scope = namespace === undefined ? [] : ['namespaces', namespace];
      return new Reflector({
        ...this.#options,
        path: kubePath('apis', group, version, ...scope, plural),
        sink: this.#sinkInto(kind, store, namespace),
        onState: () => this.#wake(),
      });
    });
    return { plural, store, reflectors };
  }

  #sinkInto(kind: string, store: ObjectStore, namespace: string | undefined): Sink {
    return {
      put: (raw, from, force) => {
        // A list that is made anew says of thousands of objects what is known.
        if (store.has(raw.metadata ?? {})) return raw.metadata?.uid;
        const object = trim(kind, raw);
        if (object) this.#writes.after(this.#path(kind, object.metadata), () => store.put(object, from, force));
        return object?.metadata.uid;
      },
      remove: (raw) => {
        const object = trim(kind, raw);
        if (object)
          this.#writes.after(this.#path(kind, object.metadata), () => store.remove(object.metadata, object.metadata.uid, 'watch'));
      },
      sweep: (seen, version, force) => store.sweep({ seen, version, namespace }, force),
    };
  }

  /** A handler that fails must not end the watch that called it. */
  #notify(kind: string, key: Key, change: Change): void {
    for (const handler of this.#handlers) {
      try {
        handler(kind, key, change);
      } catch (error) {
        this.#options.log.error('a change handler failed', { kind, ...key, error: error instanceof Error ? error.stack : String(error) });
      }
    }
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
