import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What one path answers. */
export interface Page {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}
export type Pages = Readonly<Record<string, () => Page | Promise<Page>>>;

export interface RunningServer {
  readonly port: number;
  close(): Promise<void>;
}

const plain = (status: number, text: string): Page => ({ status, type: 'text/plain; charset=utf-8', text: `${text}\n` });

/** 200 `ok`, or 503 with every problem on a line of its own. */
export const verdict = (problems: readonly (string | undefined)[]): Page => {
  const found = problems.filter((problem) => problem !== undefined);
  return found.length === 0 ? plain(200, 'ok') : plain(503, found.join('\n'));
};

async function answer(pages: Pages, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const { status, type, text } = await content(request.method, page);
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text) });
  response.end(request.method === 'HEAD' ? undefined : text);
}

async function content(method: string | undefined, page: Pages[string] | undefined): Promise<Page> {
  if (page === undefined) return plain(404, 'not found');
  if (method !== 'GET' && method !== 'HEAD') return plain(405, 'only GET');
  try {
    return await page();
  } catch (error) {
    return plain(500, error instanceof Error ? error.message : 'failed');
  }
}

/** `HOST:PORT`; no host is all of them, IPv6 stands in brackets. */
function split(address: string): { host?: string; port: number } {
  const at = address.lastIndexOf(':');
  const host = address.slice(0, at).replace(/^\[|\]$/g, '');
  return { port: Number(address.slice(at + 1)), ...(host !== '' && { host }) };
}

/** Serves a few pages to Prometheus and the kubelet. Rejects when the address cannot be had, with the address in the message. */
export async function serve(address: string, pages: Pages): Promise<RunningServer> {
  const server = createServer(
    { requestTimeout: 10_000, headersTimeout: 10_000 },
    (request, response) => void answer(pages, request, response),
  );
  await listen(server, address);
  // A scrape alone must not keep a process alive that has ended its work.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(new Error(`cannot listen on ${address}: ${error.message}`, { cause: error })));
    server.listen(split(address), resolve);
  });
}
