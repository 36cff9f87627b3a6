import type { Operation } from '../contract/operation.ts';
import type { Token } from './accounts.ts';
import type { Dialect } from './dialect.ts';
import type { ApiRequest } from './http-message.ts';
import { lowerCased } from './http-message.ts';
import type { Route } from './router.ts';
import { Router } from './router.ts';

/** A request as the emulator reads it: neutral words, routed, its token looked up. */
export interface Reception {
  readonly request: ApiRequest;
  readonly method: string;
  /** Neutral, without version segment and query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly search: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
  readonly route: Route;
  readonly operation: Operation | undefined;
  /** Was a credential sent at all? */
  readonly sent: boolean;
  readonly token: Token | undefined;
}

interface Split {
  readonly segment: 'v4' | 'v4beta' | '';
  readonly path: string;
  readonly search: string;
}

function split(target: string): Split {
  const at = target.indexOf('?');
  const path = at === -1 ? target : target.slice(0, at);
  const search = at === -1 ? '' : target.slice(at + 1);
  const found = /^\/(v4|v4beta)(\/.*)$/.exec(path);
  if (found === null) return { segment: '', path, search };
  return { segment: found[1] as 'v4' | 'v4beta', path: found[2] ?? '', search };
}

const emptyQuery = new URLSearchParams();

export class Receiver {
  readonly #inside = new Router();
  readonly #outside = new Router();
  readonly #dialect: Dialect;

  constructor(operations: readonly Operation[], dialect: Dialect) {
    for (const operation of operations) (operation.outside === true ? this.#outside : this.#inside).add(operation);
    this.#dialect = dialect;
  }

  receive(request: ApiRequest, token: (value: string) => Token | undefined): Reception {
    const { segment, path: wire, search } = split(request.path);
    const path = segment === '' ? wire : this.#dialect.path(wire);
    const route = this.#route(request.method, segment, path);
    const headers = this.#headers(request);
    const sent = /^bearer\s+(\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
    return {
      request,
      method: request.method,
      path,
      query: search === '' ? emptyQuery : new URLSearchParams(search),
      search,
      headers,
      raw: Buffer.isBuffer(request.body) ? request.body : Buffer.from(request.body ?? ''),
      route,
      operation: route !== undefined && 'operation' in route ? route.operation : undefined,
      sent: headers['authorization'] !== undefined,
      token: sent === undefined ? undefined : token(sent),
    };
  }

  #route(method: string, segment: Split['segment'], path: string): Route {
    if (segment === '') return this.#outside.match(method, path);
    const route = this.#inside.match(method, path);
    if (route === undefined || !('operation' in route)) return route;
    const served = route.operation.segments ?? 'both';
    return served === 'both' || served === segment ? route : undefined;
  }

  #headers(request: ApiRequest): Readonly<Record<string, string>> {
    const headers = lowerCased(request.headers);
    const filter = headers['x-filter'];
    return filter === undefined ? headers : { ...headers, 'x-filter': this.#dialect.filter(filter) };
  }
}
