import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ApiRequest, ApiResponse } from './core/http-message.ts';
import { ConnectionClosed, ConnectionRefused } from './core/http-message.ts';
import type { Outage } from './core/outage.ts';

export interface RunningServer {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  /** Refuses new connections and cuts the open ones. */
  close(): Promise<void>;
}

export interface ServeOptions {
  /** `127.0.0.1:0`; port 0 takes a free one. */
  readonly listen: string;
  /** Bytes of a body that are kept; of a longer one `handle` gets one byte more. Default: all. */
  readonly maxBody?: (path: string) => number;
  /** While it lasts the port is closed. */
  readonly outage?: Outage;
}

/** The body; of one that is too long one byte more than the limit. The rest is read and dropped, so that the client sees its answer. */
async function readUpTo(limit: number, message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    if (size <= limit) chunks.push(chunk);
    size += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, limit + 1);
}

async function write(response: ServerResponse, answer: ApiResponse): Promise<void> {
  const { status, headers, body } = answer;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
    response.end(body);
    return;
  }
  response.writeHead(status, headers);
  response.flushHeaders();
  for await (const piece of body) response.write(piece);
  response.end();
}

function hasBody(message: IncomingMessage): boolean {
  return message.headers['transfer-encoding'] !== undefined || Number(message.headers['content-length'] ?? 0) > 0;
}

function flat(headers: IncomingMessage['headers']): Record<string, string> {
  const joined: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    joined[name] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return joined;
}

type Handle = (request: ApiRequest) => Promise<ApiResponse>;

interface Service {
  readonly handle: Handle;
  readonly maxBody: (path: string) => number;
}

async function exchange({ handle, maxBody }: Service, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  try {
    const { method = 'GET', url = '/' } = message;
    const body = hasBody(message) ? await readUpTo(maxBody(url), message) : undefined;
    await write(response, await handle({ method, path: url, headers: flat(message.headers), body, signal: gone.signal }));
  } catch (error) {
    if (error instanceof ConnectionClosed || error instanceof ConnectionRefused || response.headersSent)
      return void message.socket.destroy();
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`emulator defect: ${reason}\n`);
    refuse(response, 500, `emulator defect: ${reason}`);
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ errors: [{ reason }] }));
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

/** Refuses new connections and cuts the open ones. */
function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** HTTP around a `handle`, keep-alive, plain text. */
export async function serve(handle: Handle, options: ServeOptions): Promise<RunningServer> {
  const [host = '127.0.0.1', port = '0'] = options.listen.split(':');
  const service = { handle, maxBody: options.maxBody ?? (() => Infinity) };
  const server = createServer({ keepAlive: true, keepAliveTimeout: 75_000 }, (message, response) => {
    void exchange(service, message, response);
  });
  const address = await listen(server, host, Number(port));
  let ended = false;
  options.outage?.listen((refusing) => {
    if (refusing) void shut(server);
    else if (!ended && !server.listening) server.listen(address.port, host);
  });
  return {
    origin: `http://${host}:${address.port}`,
    close: () => {
      ended = true;
      return shut(server);
    },
  };
}
