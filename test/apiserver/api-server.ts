import type { Millis } from '../../src/lib/clock.ts';
import type { BackendRequest, BackendResponse } from '../support/virtual/backend.ts';
import type { Grant, User } from './requests/authorization.ts';
import { Cluster } from './cluster.ts';
import type { ClusterOptions } from './cluster.ts';
import { CrdController } from './controllers/crd-controller.ts';
import { GarbageCollector } from './controllers/garbage-collector.ts';
import { NamespaceController } from './controllers/namespace-controller.ts';
import { customResourceDefinitions } from './resources/custom-resource-definition.ts';
import { Endpoint } from './requests/endpoint.ts';
import type { WatchFilter } from './requests/endpoint.ts';
import type { Faults } from './faults/faults.ts';
import { isObject } from './storage/json.ts';
import type { JsonObject } from './storage/json.ts';
import type { KubeObject } from './storage/kube-object.ts';
import type { Ledger } from './storage/ledger.ts';

const CONTROLLER_DELAY: Millis = 100;

/** A Kubernetes API server in memory, as far as this operator needs one. Serve it with an InProcessDispatcher. */
export class ApiServer {
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly #cluster: Cluster;
  readonly #endpoints: Endpoint[] = [];
  readonly #main: Endpoint;

  constructor(options: ClusterOptions) {
    this.#cluster = new Cluster(options);
    this.ledger = this.#cluster.ledger;
    this.faults = this.#cluster.faults;
    this.#main = this.addServer();
    const delay = options.controllerDelay ?? CONTROLLER_DELAY;
    new CrdController(this.#cluster, options.establishDelay ?? 0, (resource) => this.closeWatches({ resource: resource.plural })).start();
    if (Number.isFinite(delay)) {
      new GarbageCollector(this.#cluster, delay).start();
      new NamespaceController(this.#cluster, delay).start();
    }
    for (const name of ['default', 'kube-system', 'kube-public']) this.#createNamespace(name);
  }

  handle(request: BackendRequest): Promise<BackendResponse> {
    return this.#main.handle(request);
  }

  /** Another server process on the same store, with a cache of its own that can be frozen in the past. */
  addServer(): Endpoint {
    const endpoint = new Endpoint(this.#cluster);
    this.#endpoints.push(endpoint);
    return endpoint;
  }

  get revision(): number {
    return this.#cluster.store.revision;
  }

  get openWatches(): number {
    return this.#endpoints.reduce((sum, endpoint) => sum + endpoint.openWatches, 0);
  }

  addUser(token: string, user: User): void {
    this.#cluster.users.set(token, user);
  }

  removeUser(token: string): void {
    this.#cluster.users.delete(token);
  }

  setGrants(grants: readonly Grant[]): void {
    this.#cluster.grants = [...grants];
  }

  /** Forgets all history: watches and continue tokens from before get 410 Expired. */
  compact(): void {
    this.#cluster.store.compact();
  }

  closeWatches(filter: WatchFilter = {}, error?: Error): void {
    for (const endpoint of this.#endpoints) endpoint.closeWatches(filter, error);
  }

  /** Stored objects of `group/plural` (core: `/secrets`), for assertions. Shared: do not change them. */
  objects(table: string): KubeObject[] {
    return this.#cluster.store.list(table);
  }

  /** Puts CRDs there that another server has established: applying them anew costs more than most stories. */
  establish(definitions: readonly KubeObject[]): void {
    const { identifiers, store, writer } = this.#cluster;
    for (const { metadata, ...crd } of definitions) {
      const own = { ...metadata, uid: identifiers.uid(), creationTimestamp: writer.now() };
      store.put(customResourceDefinitions.table, { ...crd, metadata: own });
    }
  }

  /** One request as the administrator, without a dispatcher: for set-up and for what a person does in a story. */
  async as(token: string, method: string, path: string, body?: unknown): Promise<{ status: number; body: JsonObject }> {
    const type =
      method === 'PATCH' ? (Array.isArray(body) ? 'application/json-patch+json' : 'application/merge-patch+json') : 'application/json';
    const response = await this.handle({
      method,
      path,
      headers: { authorization: `Bearer ${token}`, 'content-type': type, 'user-agent': 'test' },
      body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
      signal: new AbortController().signal,
    });
    const value: unknown = typeof response.body === 'string' && response.body.startsWith('{') ? JSON.parse(response.body) : {};
    return { status: response.status, body: isObject(value) ? value : {} };
  }

  /** Applies a manifest as the administrator: creates it, or replaces what is there. Throws when it is refused. */
  async apply(
    manifest: JsonObject & { apiVersion: string; kind: string; metadata: { name: string; namespace?: string } },
  ): Promise<KubeObject> {
    const [group, version] = manifest.apiVersion.includes('/') ? manifest.apiVersion.split('/') : ['', manifest.apiVersion];
    const resource = this.#cluster.registry.byKind(group ?? '', manifest.kind);
    if (!resource) throw new Error(`${manifest.apiVersion} ${manifest.kind} is not served: apply its CRD first`);
    const { namespace, name } = manifest.metadata;
    const root = group ? `/apis/${group}/${version}` : `/api/${version}`;
    const collection = `${root}${resource.namespaced ? `/namespaces/${namespace ?? 'default'}` : ''}/${resource.plural}`;
    const existing = await this.as('admin', 'GET', `${collection}/${name}`);
    const answer =
      existing.status === 404
        ? await this.as('admin', 'POST', collection, manifest)
        : await this.as('admin', 'PUT', `${collection}/${name}`, replacing(manifest, existing.body));
    if (answer.status >= 300) throw new Error(`${manifest.kind} ${name} was refused: ${String(answer.body['message'])}`);
    return answer.body as KubeObject;
  }

  #createNamespace(name: string): void {
    this.#cluster.store.put('/namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: {
        name,
        uid: this.#cluster.identifiers.uid(),
        resourceVersion: '',
        creationTimestamp: this.#cluster.writer.now(),
        labels: { 'kubernetes.io/metadata.name': name },
      },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  }
}

function replacing(manifest: JsonObject, existing: JsonObject): JsonObject {
  const old = isObject(existing['metadata']) ? existing['metadata'] : {};
  const metadata = isObject(manifest['metadata']) ? manifest['metadata'] : {};
  return {
    ...manifest,
    metadata: { ...metadata, resourceVersion: old['resourceVersion'], finalizers: metadata['finalizers'] ?? old['finalizers'] },
  };
}
