import type { Clock } from '../../../src/lib/clock.ts';
import { sleep } from '../../../src/lib/clock.ts';
import { badRequest, expired, notFound, tooLargeResourceVersion } from '../requests/api-error.ts';
import type { Call } from '../requests/call.ts';
import { isObject } from './json.ts';
import { encode, objectKey } from './kube-object.ts';
import type { KubeObject } from './kube-object.ts';
import { listOptions } from './list-options.ts';
import type { ListOptions } from './list-options.ts';
import { apiVersionOf, resourceSubject } from '../resources/resource.ts';
import type { Resource } from '../resources/resource.ts';
import { CompactedError } from './store.ts';
import type { Store } from './store.ts';

/** How long a read waits for a revision that this server has not seen yet. */
const PATIENCE = 3_000;

interface Page {
  readonly objects: readonly KubeObject[];
  readonly revision: number;
  readonly continueToken: string;
  readonly remaining: number;
}

/** Gets and lists, as one server sees the store: cached reads go no further than its `horizon`. */
export class Reader {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #horizon: () => number;

  constructor(store: Store, clock: Clock, horizon: () => number) {
    this.#store = store;
    this.#clock = clock;
    this.#horizon = horizon;
  }

  async get(call: Call): Promise<KubeObject> {
    const version = call.query.get('resourceVersion') ?? '';
    const objects = version === '' ? undefined : await this.#cached(call.resource.table, Number(version));
    const key = objectKey(call.namespace, call.name);
    const object = objects
      ? objects.find(({ metadata }) => objectKey(metadata.namespace, metadata.name) === key)
      : this.#store.get(call.resource.table, call.namespace, call.name);
    if (!object) throw notFound(resourceSubject(call.resource), call.name);
    return object;
  }

  /** The list as JSON: objects are encoded once, however many clients list them. */
  async list(call: Call): Promise<string> {
    const options = listOptions(call);
    return renderList(call.resource, await this.#page(call, options), options);
  }

  /** What a `deletecollection` would hit. */
  matching(call: Call): KubeObject[] {
    return this.#store.list(call.resource.table).filter(listOptions(call).matches);
  }

  async #page(call: Call, options: ListOptions): Promise<Page> {
    const { table } = call.resource;
    if (options.continueToken !== '') return this.#continued(table, options);
    const { resourceVersion, limit } = options;
    const version = Number(resourceVersion);
    if (resourceVersion === '') return page(this.#store.list(table), this.#store.revision, '', options);
    if (version > 0 && (options.match === 'Exact' || (options.match === '' && limit > 0))) return this.#exact(table, version, options);
    const objects = await this.#cached(table, version);
    return page(objects, this.#horizon(), '', { ...options, limit: 0 });
  }

  async #exact(table: string, version: number, options: ListOptions): Promise<Page> {
    if (version > this.#store.revision) throw tooLargeResourceVersion(version, this.#store.revision);
    try {
      return page(this.#store.at(table, version), version, '', options);
    } catch (error) {
      if (error instanceof CompactedError) throw expired('The resourceVersion for the provided list is too old.');
      throw error;
    }
  }

  #continued(table: string, options: ListOptions): Page {
    const { revision, start } = decodeToken(options.continueToken);
    if (revision < 0) return page(this.#store.list(table), this.#store.revision, start, options);
    try {
      return page(this.#store.at(table, revision), revision, start, options);
    } catch (error) {
      if (error instanceof CompactedError) throw expired(TOKEN_EXPIRED, encodeToken(-1, start));
      throw error;
    }
  }

  async #cached(table: string, version: number): Promise<KubeObject[]> {
    if (version > this.#horizon()) await sleep(this.#clock, PATIENCE);
    const horizon = this.#horizon();
    if (version > horizon) throw tooLargeResourceVersion(version, horizon);
    return horizon >= this.#store.revision ? this.#store.list(table) : this.#store.at(table, horizon);
  }
}

const TOKEN_EXPIRED =
  'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the ' +
  'continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects ' +
  'that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';

function page(objects: readonly KubeObject[], revision: number, start: string, options: ListOptions): Page {
  const matching = objects.filter((object) => keyOf(object) >= start && options.matches(object));
  const shown = options.limit > 0 ? matching.slice(0, options.limit) : matching;
  const last = shown.at(-1);
  const remaining = matching.length - shown.length;
  return { objects: shown, revision, remaining, continueToken: remaining > 0 && last ? encodeToken(revision, `${keyOf(last)}\0`) : '' };
}

const keyOf = (object: KubeObject): string => objectKey(object.metadata.namespace, object.metadata.name);

function encodeToken(revision: number, start: string): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

function decodeToken(token: string): { revision: number; start: string } {
  try {
    const value: unknown = JSON.parse(Buffer.from(token, 'base64url').toString());
    if (isObject(value) && typeof value['rv'] === 'number' && typeof value['start'] === 'string')
      return { revision: value['rv'], start: value['start'] };
  } catch {
    // Falls through to the refusal: whatever is wrong with a token, the client's remedy is the same.
  }
  throw badRequest('invalid continue token: continue key is not valid');
}

/** Typed lists leave `kind` and `apiVersion` out of their items; lists of custom resources have both. */
function renderList(resource: Resource, { objects, revision, continueToken, remaining }: Page, options: ListOptions): string {
  const items = objects.map((object) => encodeItem(resource, object)).join(',');
  const metadata = {
    ...(resource.custom || continueToken ? { continue: continueToken } : {}),
    ...(remaining > 0 && !options.selective ? { remainingItemCount: remaining } : {}),
    resourceVersion: String(revision),
  };
  return `{"kind":"${resource.kind}List","apiVersion":"${apiVersionOf(resource)}","metadata":${JSON.stringify(metadata)},"items":[${items}]}`;
}

function encodeItem(resource: Resource, object: KubeObject): string {
  if (resource.custom) return encode(object);
  const { kind: _kind, apiVersion: _apiVersion, ...item } = resource.present(object);
  return JSON.stringify(item);
}
