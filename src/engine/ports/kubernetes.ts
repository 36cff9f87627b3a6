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

/** Our custom resources. The cache also holds what our own patches answered (read your writes). Methods reject only with {@link KubeError}. */
export interface Objects {
  get(kind: string, key: Key): Resource | undefined;
  all(kind: string): Iterable<Resource>;
  /** Live, past the cache: before every destructive call (design 4.6). */
  fetch(kind: string, key: Key, signal: AbortSignal): Promise<Resource | undefined>;
  patch(kind: string, key: Key, patch: Patch, signal: AbortSignal): Promise<Resource>;
}
export interface Crds {
  /** Kinds whose CRD in the cluster is not ours: nothing is written to them (design 7). */
  readonly mismatched: ReadonlySet<string>;
  /** The CRD is being removed, and its objects with it. Live. Rejects with {@link KubeError}. */
  isLeaving(kind: string): Promise<boolean>;
}
export interface SecretRecord {
  readonly uid: string;
  readonly resourceVersion: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly data: Readonly<Record<string, Sensitive>>;
}
/** Secrets by name with `get`, never listed or watched (design 3.6). */
export interface Secrets {
  get(key: Key, signal: AbortSignal): Promise<SecretRecord | undefined>;
  create(key: Key, content: SecretContent, signal: AbortSignal): Promise<void>;
  /** Replaces data and labels under the resourceVersion that was read. */
  update(key: Key, content: SecretContent, seen: SecretRecord, signal: AbortSignal): Promise<void>;
  remove(key: Key, seen: SecretRecord, signal: AbortSignal): Promise<void>;
}
export interface SecretContent {
  readonly data: Readonly<Record<string, Sensitive>>;
  readonly labels: Readonly<Record<string, string>>;
  readonly owner?: Resource;
}
/** Kubernetes Events; deduplicated and dropped under load, never awaited. */
export interface Recorder {
  event(about: Resource, event: { readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string }): void;
}
export interface Leadership {
  /** True while the lease is surely ours, judged on the monotonic clock; asked right before every socket write. */
  held(): boolean;
}
