import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createAgent } from '../../../src/cloud/http/agent.ts';
import type { AgentOptions, Proxy } from '../../../src/cloud/http/agent.ts';
import { Client } from '../../../src/cloud/http/client.ts';
import { createDialect } from '../../../src/cloud/http/dialect.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { get, post, Sensitive } from '../../../src/resource/index.ts';
import { authorityKey, certificateAuthority } from '../../emulator/areas/shared/certificate-authority.ts';

/** Real sockets on the loopback address: what undici tells of a request that was sent, and of one that was not. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(
    () => new Promise((resolve) => server.close(resolve)),
    () => server.closeAllConnections(),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
function clientOf(base: string, options: Pick<AgentOptions, 'proxy' | 'ca'> = {}): Client {
  const dispatcher = createAgent({ ...options, connections: 4 });
  ends.unshift(() => dispatcher.destroy());
  return new Client({ url: `${base}/v4`, dialect: createDialect('vm'), dispatcher, clock: systemClock, userAgent: () => 'test' });
}
const sending = { token: new Sensitive('t'), signal: new AbortController().signal };
const json = (response: ServerResponse, body: object): void =>
  void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

test('a request and its answer', async () => {
  const seen: IncomingMessage[] = [];
  const base = await listen(createServer((request, response) => (seen.push(request), json(response, { id: 1 }))));
  expect((await clientOf(base).send(post('/volumes', { label: 'a' }), sending)).body).toEqual({ id: 1 });
  expect(seen[0]).toMatchObject({ method: 'POST', url: '/v4/volumes', httpVersion: '1.1' });
});

test('the gate is asked when the connection stands, and its no leaves nothing on the wire', async () => {
  let requests = 0;
  const base = await listen(createServer((_, response) => (requests++, json(response, {}))));
  const client = clientOf(base);
  await expect(client.send(post('/volumes', {}), { ...sending, gate: () => 'no' })).rejects.toMatchObject({ fault: 'Abandoned' });
  await client.send(get('/volumes'), sending);
  expect(requests).toBe(1);
});

test('a refused connection is surely not sent', async () => {
  const server = createServer();
  const base = await listen(server);
  await new Promise((resolve) => server.close(resolve));
  await expect(clientOf(base).send(post('/volumes', {}), sending)).rejects.toMatchObject({
    fault: 'Unavailable',
    message: expect.stringContaining('not sent'),
  });
});

test('a connection that breaks before or within the answer leaves a change in doubt', async () => {
  const before = await listen(createServer((request) => void request.socket.destroy()));
  await expect(clientOf(before).send(post('/volumes', {}), sending)).rejects.toMatchObject({ fault: 'Unknown' });
  const within = await listen(
    createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"id":');
      setImmediate(() => request.socket.destroy());
    }),
  );
  await expect(clientOf(within).send(post('/volumes', {}), sending)).rejects.toMatchObject({ fault: 'Unknown' });
  await expect(clientOf(within).send(get('/volumes'), sending)).rejects.toMatchObject({ fault: 'Unavailable' });
});

test('a caller that goes away ends the request', async () => {
  const { promise: gone, resolve: closed } = Promise.withResolvers<void>();
  const base = await listen(createServer((request) => void request.socket.on('close', () => closed())));
  const abort = new AbortController();
  const sent = clientOf(base).send(get('/volumes'), {
    ...sending,
    signal: abort.signal,
    gate: () => void setImmediate(() => abort.abort()),
  });
  await expect(sent).rejects.toMatchObject({ fault: 'Abandoned' });
  await gone;
});

/** Leads each CONNECT to where it asks for, and notes it. */
function tunneling(proxy: Server): { readonly proxy: Server; readonly tunnels: string[] } {
  const tunnels: string[] = [];
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    socket.on('error', () => upstream.destroy());
    upstream.on('error', () => socket.destroy());
    ends.unshift(() => (socket.destroy(), upstream.destroy()));
  });
  return { proxy, tunnels };
}

test('a proxy is used but for the hosts that need none', async () => {
  const base = await listen(createServer((_, response) => json(response, { direct: true })));
  const { proxy, tunnels } = tunneling(createServer());
  const via = await listen(proxy);
  await clientOf(base, { proxy: { http: via, https: via, noProxy: '127.0.0.1' } }).send(get('/volumes'), sending);
  expect(tunnels).toEqual([]);
  expect((await clientOf(base, { proxy: { http: via, https: via } }).send(get('/volumes'), sending)).body).toEqual({ direct: true });
  expect(tunnels).toEqual([new URL(base).host]);
});

test('a proxy that is itself reached by TLS may have a certificate of the further authority', async () => {
  const base = await listen(createServer((_, response) => json(response, { direct: true })));
  const ca = certificateAuthority('localhost');
  const { proxy: secure, tunnels } = tunneling(createSecureServer({ key: authorityKey('localhost'), cert: ca }));
  const via = `https://localhost:${new URL(await listen(secure)).port}`;
  const proxy: Proxy = { http: via, https: via };
  await expect(clientOf(base, { proxy }).send(get('/volumes'), sending)).rejects.toMatchObject({ fault: 'Unavailable' });
  expect(tunnels).toEqual([]);
  expect((await clientOf(base, { proxy, ca }).send(get('/volumes'), sending)).body).toEqual({ direct: true });
  expect(tunnels).toEqual([new URL(base).host]);
});
