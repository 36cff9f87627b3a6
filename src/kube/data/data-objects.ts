import type { DataContent, DataObjects, DataRecord, Key, Leadership, Resource } from '../../engine/ports/index.ts';
import { isObjectName } from '../../resource/index.ts';
import { group, version } from '../api-group.ts';
import { kubePath } from '../http/client.ts';
import type { KubeClient, KubeRequest } from '../http/client.ts';
import type { Objection } from '../http/gate.ts';
import { unlessLeading } from '../leases/leading.ts';
import { isMissing } from '../http/status-error.ts';

interface Raw {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
  readonly binaryData?: Readonly<Record<string, string>>;
}
type Texts = Readonly<Record<string, string>>;

/** How the API server writes objects of a kind that hold texts by key. */
export interface DataForm<Value> {
  readonly kind: string;
  readonly plural: string;
  /** What a new one has besides its data. */
  readonly more?: Texts;
  readonly encode: (value: Value) => string;
  readonly decode: (text: string) => Value;
}

/** Objects of one kind that hold texts by key, one request for one of them. */
export class KubeDataObjects<Value> implements DataObjects<Value> {
  readonly #form: DataForm<Value>;
  readonly #client: KubeClient;
  readonly #fieldManager: string;
  readonly #unless: Objection;

  /** With `leadership` only the leader writes: what another one made since must not be made, or copied, once more. */
  constructor(form: DataForm<Value>, client: KubeClient, fieldManager: string, leadership?: Leadership) {
    this.#form = form;
    this.#client = client;
    this.#fieldManager = fieldManager;
    this.#unless = unlessLeading(leadership);
  }

  async get(key: Key, signal: AbortSignal): Promise<DataRecord<Value> | undefined> {
    // Admission refuses such a name, but an object may be older than the rule.
    if (!isObjectName(key.name) || !isObjectName(key.namespace)) return undefined;
    try {
      const { metadata, data, binaryData } = (await this.#client.request({ path: this.#item(key), signal })) as Raw;
      return {
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
        labels: metadata.labels ?? {},
        data: mapValues(data ?? {}, this.#form.decode),
        ...(binaryData && { binaryData }),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async create(key: Key, content: DataContent<Value>, signal: AbortSignal): Promise<void> {
    const metadata = { ...key, labels: content.labels, ...(content.owner && { ownerReferences: [ownerReference(content.owner)] }) };
    const { kind, more, encode } = this.#form;
    const body = { apiVersion: 'v1', kind, ...more, metadata, data: mapValues(content.data, encode) };
    await this.#write({ method: 'POST', path: this.#collection(key), query: this.#query(), body, signal });
  }

  async update(key: Key, content: DataContent<Value>, seen: DataRecord<Value>, signal: AbortSignal): Promise<void> {
    const metadata = {
      uid: seen.uid,
      resourceVersion: seen.resourceVersion,
      labels: replacing(seen.labels, content.labels),
      ...(content.owner !== undefined && { ownerReferences: content.owner && [ownerReference(content.owner)] }),
    };
    const body = { metadata, data: replacing(seen.data, mapValues(content.data, this.#form.encode)) };
    const contentType = 'application/merge-patch+json';
    await this.#write({ method: 'PATCH', path: this.#item(key), query: this.#query(), contentType, body, signal });
  }

  /** Sets and takes away labels (null) alone: what it holds is not sent. */
  async label(key: Key, labels: Readonly<Record<string, string | null>>, seen: DataRecord<Value>, signal: AbortSignal): Promise<void> {
    const body = { metadata: { uid: seen.uid, resourceVersion: seen.resourceVersion, labels } };
    const contentType = 'application/merge-patch+json';
    await this.#write({ method: 'PATCH', path: this.#item(key), query: this.#query(), contentType, body, signal });
  }

  async remove(key: Key, seen: DataRecord<Value>, signal: AbortSignal): Promise<void> {
    const preconditions = { uid: seen.uid, resourceVersion: seen.resourceVersion };
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    try {
      await this.#write({ method: 'DELETE', path: this.#item(key), body, signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  #item({ namespace, name }: Key): string {
    return kubePath('api', 'v1', 'namespaces', namespace, this.#form.plural, name);
  }
  /** Where one is made; its name stands in the body alone, and is held to the same grammar. */
  #collection(key: Key): string {
    return this.#item(key).slice(0, -key.name.length - 1);
  }
  async #write(request: KubeRequest): Promise<void> {
    await this.#client.request({ ...request, unless: this.#unless });
  }
  #query(): Readonly<Record<string, string>> {
    return { fieldManager: this.#fieldManager };
  }
}

/** Without what every object inherits: a key is chosen by whoever writes a spec, and may be `constructor`. */
const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Readonly<Record<string, B>> =>
  Object.assign(
    Object.create(null) as Record<string, B>,
    Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)])),
  );

/** A merge patch that leaves exactly `wanted` of what was `seen`. */
const replacing = (seen: Readonly<Record<string, unknown>>, wanted: Texts): Readonly<Record<string, string | null>> => ({
  ...mapValues(seen, () => null),
  ...wanted,
});

const ownerReference = ({ kind, metadata }: Resource): object => ({
  apiVersion: `${group}/${version}`,
  kind,
  name: metadata.name,
  uid: metadata.uid,
  controller: true,
});
