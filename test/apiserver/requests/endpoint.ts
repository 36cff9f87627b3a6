import type { Millis } from '../../../src/lib/clock.ts';
import type { Backend, BackendRequest, BackendResponse } from '../../support/virtual/backend.ts';
import { applyFault } from '../faults/apply-fault.ts';
import { ApiError, forbidden, methodNotAllowed, notFound, unauthorized } from './api-error.ts';
import type { User } from './authorization.ts';
import type { Call } from './call.ts';
import type { Cluster } from '../cluster.ts';
import { discover } from '../resources/discovery.ts';
import type { AuditRecord } from '../storage/ledger.ts';
import { listOptions } from '../storage/list-options.ts';
import { Reader } from '../storage/reader.ts';
import { resourceSubject } from '../resources/resource.ts';
import type { Resource } from '../resources/resource.ts';
import { errorResponse, jsonResponse, pageNotFound, textResponse } from './respond.ts';
import { parseRoute, verbOf } from './route.ts';
import type { Route } from './route.ts';
import { selectedName } from '../storage/selector.ts';
import { serve } from './serve.ts';
import { Watch } from '../watches/watch.ts';

/** The server ends a watch without `timeoutSeconds` after 30 to 60 minutes. */
const WATCH_LIFETIME: Millis = 1_800_000;

/** Which watches are meant. */
export interface WatchFilter {
  readonly resource?: string;
  readonly user?: string;
}

/** One API server process. Several may share a cluster, each with its own idea of how far history has come. */
export class Endpoint implements Backend {
  readonly #cluster: Cluster;
  readonly #reader: Reader;
  readonly #watches = new Set<Watch>();
  #frozenAt: number | undefined;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#reader = new Reader(cluster.store, cluster.clock, () => this.horizon);
    cluster.store.subscribe(() => this.#pump());
  }

  /** The last revision that this server's cache has seen. */
  get horizon(): number {
    return this.#frozenAt ?? this.#cluster.store.revision;
  }

  get openWatches(): number {
    return this.#watches.size;
  }

  /** From now on this server's cache stands still: lists and gets at revision 0 and watches show the past; writes still work. */
  freeze(): void {
    this.#frozenAt ??= this.#cluster.store.revision;
  }

  thaw(): void {
    this.#frozenAt = undefined;
    this.#pump();
  }

  /** Ends watches as a server does at their timeout; with an error their connections break. */
  closeWatches(filter: WatchFilter = {}, error?: Error): void {
    for (const watch of this.#watches) {
      const meant = (filter.resource ?? watch.resource.plural) === watch.resource.plural && (filter.user ?? watch.user) === watch.user;
      if (meant) watch.close(error);
    }
  }

  async handle(request: BackendRequest): Promise<BackendResponse> {
    const { clock, faults } = this.#cluster;
    const user = this.#authenticate(request);
    const audit = this.#audit(request, user);
    const action = faults.actionFor({ method: request.method, path: request.path, user: audit.user });
    try {
      const response = await applyFault(action, clock, () => this.#respond(request, user, audit));
      audit.outcome = response.status;
      return { ...response, headers: { date: new Date(clock.now()).toUTCString(), ...response.headers } };
    } catch (error) {
      audit.outcome = 'lost';
      throw error;
    }
  }

  async #respond(request: BackendRequest, user: User | undefined, audit: AuditRecord): Promise<BackendResponse> {
    try {
      if (!user) throw unauthorized();
      return await this.#route(request, user, audit);
    } catch (error) {
      if (error instanceof ApiError) return errorResponse(error);
      throw error;
    }
  }

  async #route(request: BackendRequest, user: User, audit: AuditRecord): Promise<BackendResponse> {
    const url = new URL(request.path, 'http://apiserver');
    const route = parseRoute(url.pathname);
    if (!route) return this.#nonResource(url.pathname, request.method, user);
    const watch = ['true', '1'].includes(url.searchParams.get('watch') ?? '');
    const verb = verbOf(request.method, route, watch);
    audit.verb = verb;
    this.#cluster.authorizer.check(user, verb, route, selectedName(url.searchParams.get('fieldSelector')));
    const call = this.#call(request, { route, verb, user, query: url.searchParams });
    if (!call) return pageNotFound();
    if (verb === 'watch') return this.#watch(call);
    return serve(call, this.#cluster.writer, this.#reader);
  }

  #call(request: BackendRequest, parts: Pick<Call, 'verb' | 'user' | 'query'> & { route: Route }): Call | undefined {
    const { route, ...rest } = parts;
    const { namespace, name, subresource } = route;
    const resource = this.#cluster.registry.find(route.group, route.version, route.plural);
    if (!resource) return undefined;
    checkShape(resource, route, parts.verb);
    const contentType = /^[^;]*/.exec(request.headers['content-type'] ?? '')?.[0].trim() ?? '';
    return {
      resource,
      namespace,
      name,
      subresource,
      contentType,
      metadataOnly: /;as=PartialObjectMetadata\b/.test(request.headers['accept'] ?? ''),
      body: request.body.toString(),
      signal: request.signal,
      warnings: [],
      ...rest,
    };
  }

  #watch(call: Call): BackendResponse {
    const options = listOptions(call);
    const { store, clock, faults, identifiers } = this.#cluster;
    const spread = Math.floor(WATCH_LIFETIME * identifiers.fraction());
    const watch: Watch = new Watch({
      resource: call.resource,
      options,
      store,
      clock,
      horizon: () => this.horizon,
      lifetime: options.timeoutSeconds === undefined ? WATCH_LIFETIME + spread : options.timeoutSeconds * 1_000,
      fate: (type, object) => faults.fateOf({ resource: call.resource.plural, user: call.user.name }, type, object),
      closed: () => this.#watches.delete(watch),
      user: call.user.name,
    });
    this.#watches.add(watch);
    watch.start();
    return { status: 200, headers: { 'content-type': 'application/json' }, body: watch.stream };
  }

  #nonResource(path: string, method: string, user: User): BackendResponse {
    const isProbe = ['/healthz', '/livez', '/readyz', '/version'].includes(path);
    if (!isProbe && !this.#cluster.authorizer.allowsPath(user, method.toLowerCase(), path) && user.name === 'system:anonymous') {
      throw forbidden({ group: '', kind: '' }, '', `User "${user.name}" cannot ${method.toLowerCase()} path "${path}"`);
    }
    if (isProbe && path !== '/version') return textResponse(200, 'ok');
    const document = discover(path, this.#cluster.registry.all());
    return document === undefined ? pageNotFound() : jsonResponse(200, JSON.stringify(document));
  }

  #authenticate(request: BackendRequest): User | undefined {
    const header = request.headers['authorization'];
    if (header === undefined) return { name: 'system:anonymous' };
    return this.#cluster.users.get(header.replace(/^Bearer /i, ''));
  }

  #audit(request: BackendRequest, user: User | undefined): AuditRecord {
    const record: AuditRecord = {
      at: this.#cluster.clock.now(),
      user: user?.name ?? '',
      verb: request.method.toLowerCase(),
      method: request.method,
      path: request.path,
      outcome: 'pending',
      userAgent: request.headers['user-agent'] ?? '',
    };
    this.#cluster.ledger.requests.push(record);
    return record;
  }

  #pump(): void {
    for (const watch of this.#watches) watch.pump();
  }
}

function checkShape(resource: Resource, route: Route, verb: string): void {
  const needsNamespace = route.name !== '' || verb === 'create';
  if (resource.namespaced && route.namespace === undefined && needsNamespace) throw methodNotAllowed();
  if (route.subresource && !resource.subresources.includes(route.subresource)) throw notFound(resourceSubject(resource), route.name);
}
