import type { Millis } from '../../../src/lib/clock.ts';

/** One HTTP request as an in-process server sees it. Header names are lower case, `path` carries the query. */
export interface BackendRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Aborted when the client goes away before it has the whole answer. */
  readonly signal: AbortSignal;
}

export interface BackendResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  /** An iterable is streamed chunk by chunk; its `return` is called when the client goes away. */
  readonly body: string | Buffer | AsyncIterable<string | Buffer>;
}

/** Answers requests without sockets. Throwing stands for a connection that breaks before the first byte of an answer. */
export interface Backend {
  handle(request: BackendRequest): Promise<BackendResponse>;
  /** How long a request travels to the server and an answer back, in virtual time. Default: no time. */
  travel?(request: BackendRequest): { readonly there: Millis; readonly back: Millis };
}

/** What a backend throws when a fault breaks the connection on purpose; `code` as Node gives it to sockets. */
export class ConnectionLost extends Error {
  readonly code: string;

  constructor(code = 'ECONNRESET', message = `the connection broke: ${code}`) {
    super(message);
    this.name = 'ConnectionLost';
    this.code = code;
  }
}
