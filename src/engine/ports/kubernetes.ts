import type { Row, Sensitive } from '../../resource/index.ts';

export interface Key {
  readonly namespace: string;
  readonly name: string;
}
export interface Metadata extends Key {
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly deletionTimestamp?: string;
  readonly finalizers?: readonly string[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  /** Its name was to be generated from this: whoever sends that again gets another object. */
  readonly generateName?: string;
  /** Field manager that last wrote the spec: a name that the client gives itself, not a user. */
  readonly writtenBy?: string;
}

/** One custom resource as the reflector caches it: without managedFields. Never mutated. */
export interface Resource {
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: Row;
  readonly status?: Row;
}
export interface JsonPatchOp {
  readonly op: 'add' | 'remove' | 'replace' | 'test';
  readonly path: string;
  readonly value?: unknown;
}
export type Patch =
  | { readonly type: 'merge'; readonly body: object; readonly subresource?: 'status' }
  | { readonly type: 'json'; readonly ops: readonly JsonPatchOp[]; readonly subresource?: 'status' };

/** `Conflict`: a precondition failed. `Invalid`: refused by the schema, or a `test` of a JSON patch failed. `Unknown`: sent, no answer. */
export type KubeFault = 'Conflict' | 'NotFound' | 'Invalid' | 'Forbidden' | 'AlreadyExists' | 'Unavailable' | 'Unknown';
export class KubeError extends Error {
  override readonly name = 'KubeError';
  readonly fault: KubeFault;
  constructor(fault: KubeFault, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
  }
}

/** The object is gone, another, or newer than what was read: the next reconcile sees it as it is. */
export const hasMovedOn = (error: unknown): boolean =>
  error instanceof KubeError && (error.fault === 'NotFound' || error.fault === 'Conflict');

/** Refused by the schema, by a policy, or by a webhook, which says 403 where it names no code. */
export const isRefusal = (error: unknown): error is KubeError =>
  error instanceof KubeError && (error.fault === 'Invalid' || error.fault === 'Forbidden');

/** Our custom resources. The cache also holds what our own patches answered (read your writes). Methods reject only with {@link KubeError}. */
export interface Objects {
  get(kind: string, key: Key): Resource | undefined;
  all(kind: string): Iterable<Resource>;
  /** Live, past the cache: before every destructive call (README: deletion). */
  fetch(kind: string, key: Key, signal: AbortSignal): Promise<Resource | undefined>;
  /** Live too, with the field manager that wrote one of the annotations, where the server tells. */
  annotated(
    kind: string,
    key: Key,
    annotation: string,
    signal: AbortSignal,
  ): Promise<{ readonly object: Resource; readonly manager?: string } | undefined>;
  patch(kind: string, key: Key, patch: Patch, signal: AbortSignal): Promise<Resource>;
  /** Deletes this very object; resolves too where it is gone, or another stands in its place. */
  remove(object: Resource, signal: AbortSignal): Promise<void>;
}
export interface Crds {
  /** Kinds whose CRD in the cluster is not ours: nothing is written to them (README: kubernetes). */
  readonly mismatched: ReadonlySet<string>;
  /** The CRD is being removed, and its objects with it. Live. Rejects with {@link KubeError}. */
  isLeaving(kind: string): Promise<boolean>;
}
/** A Secret or a ConfigMap. */
export interface DataRecord<Value> {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, Value>>;
  /** What of a ConfigMap is no text, as base64. It is read alone: what is written leaves it as it is. */
  readonly binaryData?: Readonly<Record<string, string>>;
}
export interface DataContent<Value> {
  readonly data: Readonly<Record<string, Value>>;
  readonly labels: Readonly<Record<string, string>>;
  /** `null`: nobody's from then on, so that it goes with nothing. */
  readonly owner?: Resource | null;
}

/** Secrets or ConfigMaps by name with `get`, never listed or watched (README: secrets). */
export interface DataObjects<Value> {
  get(key: Key, signal: AbortSignal): Promise<DataRecord<Value> | undefined>;
  create(key: Key, content: DataContent<Value>, signal: AbortSignal): Promise<void>;
  /** Replaces data and labels under the resourceVersion that was read. */
  update(key: Key, content: DataContent<Value>, seen: DataRecord<Value>, signal: AbortSignal): Promise<void>;
}
export type SecretRecord = DataRecord<Sensitive>;
export interface Secrets extends DataObjects<Sensitive> {
  /** For who only shows what would be done: what was given out is taken to be there still. */
  readonly unread?: true;
  remove(key: Key, seen: SecretRecord, signal: AbortSignal): Promise<void>;
}
export type ConfigMaps = DataObjects<string>;

/** What the Secret of the installation's key says of itself: while it is in use a policy refuses its deletion. */
export interface KeyUse {
  show(inUse: boolean, signal: AbortSignal): Promise<void>;
}

/** Kubernetes Events; deduplicated and dropped under load, never awaited. */
export interface Recorder {
  event(about: Resource, event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }): void;
}
/** Of several releases that serve one account, one works on it: the one that holds its lease. Keys are those of account objects. */
export interface AccountLeases {
  /** Asks for the account until it is released; `changed` is told when it becomes ours, no longer is, or is seen to be another's. */
  request(account: Resource, changed: () => void): void;
  /** True while it is surely ours, the leader lease included; asked right before every socket write. */
  held(account: Key): boolean;
  /** The other release that has it, as last seen. */
  holder(account: Key): string | undefined;
  /** Work that a release of the lease waits for, so that it can write down what it did. */
  during<T>(account: Key, work: () => Promise<T>): Promise<T>;
  /** Not held from here on; given back once what was begun has ended. Never rejects. */
  release(account: Key): Promise<void>;
}
export interface Leadership {
  /** True while the lease is surely ours, judged on the monotonic clock; asked right before every socket write. */
  held(): boolean;
}
