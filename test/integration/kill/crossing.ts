import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';

/** One request on its way from the operator to a server. */
export interface Passage {
  readonly server: 'cloud' | 'kube';
  readonly method: string;
  /** With its query. */
  readonly path: string;
}
/** Before it is forwarded; when the server has answered and the operator knows nothing of it; when the operator has the answer. */
export type Point = 'before' | 'committed' | 'answered';
/** Sees every passage at every point, and may cut it by answering true; what was not forwarded then never is. */
export type Guard = (passage: Passage, point: Point) => boolean;

/** A reverse proxy on loopback between the operator and one of its servers, which never retries and never answers by itself. */
export class Crossing {
  readonly origin: string;
  readonly #server: Server;
  readonly #agent: Agent;
  readonly #target: string;
  readonly #name: Passage['server'];
  readonly #guard: Guard;

  private constructor(server: Server, options: CrossingOptions) {
    this.#server = server;
    this.#target = options.target;
    this.#name = options.name;
    this.#guard = options.guard;
    this.#agent = new Agent({ allowH2: false, bodyTimeout: 0, headersTimeout: 0, ...(options.ca ? { connect: { ca: options.ca } } : {}) });
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
      this.#pass(incoming, answer).catch(() => answer.destroy());
    });
  }

  static open(options: CrossingOptions): Promise<Crossing> {
    const server = createServer({ keepAliveTimeout: 60_000 });
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', () => resolve(new Crossing(server, options)));
    });
  }

  async close(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await this.#agent.destroy();
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const passage: Passage = { server: this.#name, method: incoming.method ?? 'GET', path: incoming.url ?? '/' };
    const body = await whole(incoming);
    if (this.#guard(passage, 'before')) return void answer.destroy();
    const reply = await request(`${this.#target}${passage.path}`, {
      method: passage.method,
      headers: forwarded(incoming.headers),
      dispatcher: this.#agent,
      ...(body.length > 0 && { body }),
    });
    const headers = forwarded(reply.headers);
    // Watches have no end that could be waited for.
    if (/[?&]watch=/.test(passage.path)) {
      answer.writeHead(reply.statusCode, headers);
      answer.on('close', () => reply.body.destroy());
      reply.body.on('error', () => answer.destroy());
      reply.body.pipe(answer);
      return;
    }
    const text = Buffer.from(await reply.body.arrayBuffer());
    if (this.#guard(passage, 'committed')) return void answer.destroy();
    answer.writeHead(reply.statusCode, { ...headers, 'content-length': text.length });
    answer.end(text, () => void this.#guard(passage, 'answered'));
  }
}
interface CrossingOptions {
  readonly name: Passage['server'];
  /** Origin of the server. */
  readonly target: string;
  /** PEM, when the server speaks TLS with a certificate of its own. */
  readonly ca?: string;
  readonly guard: Guard;
}

async function whole(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of incoming) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;
/** Between two hops each connection has its own framing. */
const ownOfEachHop = new Set(['connection', 'transfer-encoding', 'content-length', 'host', 'keep-alive', 'expect']);
const forwarded = (headers: Headers): Record<string, string | string[]> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || ownOfEachHop.has(name) ? [] : [[name, value] as const])),
  );
