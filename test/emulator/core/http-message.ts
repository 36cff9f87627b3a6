/** A request without a socket. `path` holds the version segment and the query; header names in any case. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  /** Aborted when the client goes away: ends answers that never come. */
  readonly signal?: AbortSignal;
}

/** Header names in lower case. A body in pieces is sent as they come; it throws `ConnectionClosed` where a fault cuts it. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
}

/** Thrown by `handle` where a fault breaks the connection before the first byte of an answer. */
export class ConnectionClosed extends Error {
  readonly code = 'ECONNRESET';

  constructor() {
    super('the connection was closed by a fault');
    this.name = 'ConnectionLost';
  }
}

/** Thrown by `handle` while a fault lets nobody listen: over a socket the client sees its connection refused. */
export class ConnectionRefused extends Error {
  readonly code = 'ECONNREFUSED';

  constructor() {
    super('the connection was refused by a fault');
    this.name = 'ConnectionRefused';
  }
}

export function lowerCased(headers: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> {
  const lower: Record<string, string> = {};
  for (const name in headers) lower[name.toLowerCase()] = headers[name] ?? '';
  return lower;
}
