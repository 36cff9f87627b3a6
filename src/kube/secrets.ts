import type { Key, Leadership, Resource, SecretContent, SecretRecord, Secrets } from '../engine/ports.ts';
import { Sensitive } from '../resource/index.ts';
import { group, version } from './api-group.ts';
import { kubePath } from './client.ts';
import type { KubeClient, KubeRequest } from './client.ts';
import type { Objection } from './gate.ts';
import { unlessLeading } from './leading.ts';
import { isMissing } from './status-error.ts';

interface RawSecret {
  readonly metadata: { readonly uid: string; readonly resourceVersion: string; readonly labels?: Readonly<Record<string, string>> };
  readonly data?: Readonly<Record<string, string>>;
}
type Texts = Readonly<Record<string, string>>;

const collection = (namespace: string): string => kubePath('api', 'v1', 'namespaces', namespace, 'secrets');
const item = ({ namespace, name }: Key): string => kubePath('api', 'v1', 'namespaces', namespace, 'secrets', name);

/** Secrets of the cluster, one request for one Secret. Values are text; they are revealed only into a request's body. */
export class KubeSecrets implements Secrets {
  readonly #client: KubeClient;
  readonly #fieldManager: string;
  readonly #unless: Objection;

  /** With `leadership` only the leader writes: what another one made since must not be made, or copied, once more. */
  constructor(client: KubeClient, fieldManager: string, leadership?: Leadership) {
    this.#client = client;
    this.#fieldManager = fieldManager;
    this.#unless = unlessLeading(leadership);
  }

  async get(key: Key, signal: AbortSignal): Promise<SecretRecord | undefined> {
    try {
      const { metadata, data } = (await this.#client.request({ path: item(key), signal })) as RawSecret;
      return {
        uid: metadata.uid,
        resourceVersion: metadata.resourceVersion,
        labels: metadata.labels ?? {},
        data: mapValues(data ?? {}, decode),
      };
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  async create(key: Key, content: SecretContent, signal: AbortSignal): Promise<void> {
    const metadata = { ...key, labels: content.labels, ...(content.owner && { ownerReferences: [ownerReference(content.owner)] }) };
    const body = { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata, data: mapValues(content.data, encode) };
    await this.#write({ method: 'POST', path: collection(key.namespace), query: this.#query(), body, signal });
  }

  async update(key: Key, content: SecretContent, seen: SecretRecord, signal: AbortSignal): Promise<void> {
    const metadata = {
      uid: seen.uid,
      resourceVersion: seen.resourceVersion,
      labels: replacing(seen.labels, content.labels),
      ...(content.owner && { ownerReferences: [ownerReference(content.owner)] }),
    };
    const body = { metadata, data: replacing(seen.data, mapValues(content.data, encode)) };
    const contentType = 'application/merge-patch+json';
    await this.#write({ method: 'PATCH', path: item(key), query: this.#query(), contentType, body, signal });
  }

  async remove(key: Key, seen: SecretRecord, signal: AbortSignal): Promise<void> {
    const preconditions = { uid: seen.uid, resourceVersion: seen.resourceVersion };
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
    try {
      await this.#write({ method: 'DELETE', path: item(key), body, signal });
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  async #write(request: KubeRequest): Promise<void> {
    await this.#client.request({ ...request, unless: this.#unless });
  }
  #query(): Readonly<Record<string, string>> {
    return { fieldManager: this.#fieldManager };
  }
}

const decode = (base64: string): Sensitive => new Sensitive(Buffer.from(base64, 'base64').toString('utf8'));
const encode = (value: Sensitive): string => Buffer.from(value.reveal(), 'utf8').toString('base64');

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Readonly<Record<string, B>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

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
