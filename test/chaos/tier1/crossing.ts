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
/** Cut: connections are closed and refused. Silent: nothing comes through and nobody is told, as when packets are lost. */
type Way = 'open' | 'cut' | 'silent';

/** A reverse proxy on loopback between the operator and one of its servers, which never retries and never answers by itself. */
export class Crossing {
  readonly origin: string;
  /** Watches that ended because the server no longer knows what they asked for. */
  expired = 0;
  readonly #server: Server;
  readonly #options: CrossingOptions;
  #agent: Agent;
  #target: string;
  #way: Way = 'open';

  private constructor(server: Server, options: CrossingOptions) {
    this.#server = server;
    this.#options = options;
    this.#target = options.target;
    this.#agent = this.#connections();
    this.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('connection', (socket) => void (this.#way === 'cut' && socket.destroy()));
    server.on('request', (incoming: IncomingMessage, answer: ServerResponse) => {
      this.#pass(incoming, answer).catch(() => this.#drop(answer));
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

  /** Closes it in this way until {@link heal}. */
  block(way: Exclude<Way, 'open'>): void {
    this.#way = way;
    if (way === 'cut') this.#server.closeAllConnections();
  }
  /** What hung meanwhile is lost and not late: a request that arrives after its bound is another fault. */
  heal(): void {
    this.#way = 'open';
    this.#server.closeAllConnections();
  }
  /** Leads to another server of the same kind from now on; open connections are closed. */
  lead(target: string): void {
    if (target === this.#target) return;
    this.#target = target;
    this.#server.closeAllConnections();
    const old = this.#agent;
    this.#agent = this.#connections();
    void old.destroy();
  }

  #connections(): Agent {
    const { ca } = this.#options;
    return new Agent({ allowH2: false, bodyTimeout: 0, headersTimeout: 0, ...(ca ? { connect: { ca } } : {}) });
  }

  #drop(answer: ServerResponse): void {
    if (this.#way !== 'silent') answer.destroy();
  }

  async #pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const passage: Passage = { server: this.#options.name, method: incoming.method ?? 'GET', path: incoming.url ?? '/' };
    const body = await whole(incoming);
    if (this.#way !== 'open' || this.#options.guard(passage, 'before')) return this.#drop(answer);
    const reply = await request(`${this.#target}${passage.path}`, {
      method: passage.method,
      headers: forwarded(incoming.headers),
      dispatcher: this.#agent,
      ...(body.length > 0 && { body }),
    });
    const headers = forwarded(reply.headers);
    // Watches have no end that could be waited for.
    if (/[?&]watch=/.test(passage.path)) {
      if (reply.statusCode === 410) this.expired += 1;
      answer.writeHead(reply.statusCode, headers);
      answer.on('close', () => reply.body.destroy());
      reply.body.on('error', () => this.#drop(answer));
      reply.body.on('end', () => answer.end());
      reply.body.on('data', (piece: Buffer) => {
        if (piece.includes('"code":410')) this.expired += 1;
        if (this.#way === 'open') answer.write(piece);
      });
      return;
    }
    const text = Buffer.from(await reply.body.arrayBuffer());
    if (this.#options.guard(passage, 'committed') || this.#way !== 'open') return this.#drop(answer);
    answer.writeHead(reply.statusCode, { ...headers, 'content-length': text.length });
    answer.end(text, () => void this.#options.guard(passage, 'answered'));
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
