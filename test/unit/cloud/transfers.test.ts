import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, expect, it } from 'vitest';
import { request } from 'undici';
import { createSourceAgent } from '../../../src/cloud/transfer/source-agent.ts';
import { Sources } from '../../../src/cloud/transfer/sources.ts';
import { StreamTransfers } from '../../../src/cloud/transfer/transfers.ts';
import type { TransferEnd, TransferJob } from '../../../src/engine/ports/index.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { Sensitive } from '../../../src/resource/index.ts';
import { authorityKey, certificateAuthority } from '../../emulator/areas/shared/certificate-authority.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});
async function serve(listener: RequestListener, cert?: string): Promise<number> {
  const server = cert === undefined ? createServer(listener) : createSecureServer({ key: authorityKey('localhost'), cert }, listener);
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return (server.address() as AddressInfo).port;
}
async function bytesOf(from: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of from) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const resolving =
  (...rounds: readonly (readonly string[])[]): Parameters<typeof createSourceAgent>[1] =>
  (_hostname, _options, done) => {
    const addresses = rounds[Math.min(asked.count, rounds.length - 1)] ?? [];
    asked.count += 1;
    done(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  };
const asked = { count: 0 };

it.each([
  ['a private address', [['10.1.2.3']]],
  ['loopback', [['127.0.0.1']]],
  ['the metadata service', [['169.254.169.254']]],
  ['a public address and loopback', [['1.1.1.1', '127.0.0.1']]],
  ['a unique local address', [['fd00::1']]],
  ['nothing', [[]]],
])('a name that leads to %s is not connected to', async (_, rounds) => {
  asked.count = 0;
  let heard = 0;
  const port = await serve((_request, response) => {
    heard += 1;
    response.end();
  });
  const agent = createSourceAgent(new Sources([{ host: 'images.test', port }]), resolving(...rounds));
  const got = request(`http://images.test:${port}/`, { dispatcher: agent });
  await expect(got).rejects.toMatchObject({ name: 'ClosedAddress' });
  expect([heard, asked.count]).toEqual([0, 1]);
  await agent.destroy();
});

it('a name is resolved once for a connection, so that what it leads to later does not count', async () => {
  asked.count = 0;
  const port = await serve((_request, response) => response.end('x'));
  const sources = new Sources([{ host: 'localhost', port }]);
  const agent = createSourceAgent(sources, resolving(['127.0.0.1'], ['10.0.0.1']));
  const { body } = await request(`http://localhost:${port}/`, { dispatcher: agent });
  expect([await body.text(), asked.count]).toEqual(['x', 1]);
  await agent.destroy();
});

const gzip = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(300_000, 7)]);
interface Bringing {
  readonly source: RequestListener;
  readonly target?: RequestListener;
  readonly gate?: () => string | undefined;
  readonly maxBytes?: number;
  /** Of the target, which then is reached by TLS. */
  readonly cert?: string;
  readonly ca?: string;
}
async function brought({
  source,
  target,
  gate = () => undefined,
  maxBytes = 1_000_000,
  cert,
  ca,
}: Bringing): Promise<{ readonly end: TransferEnd | undefined; readonly got: readonly Buffer[]; readonly said: readonly string[] }> {
  const got: Buffer[] = [];
  const said: string[] = [];
  const from = await serve(source);
  const to = await serve(
    target ??
      ((incoming, response) =>
        void bytesOf(incoming).then(
          (bytes) => {
            got.push(bytes);
            return response.end();
          },
          () => undefined,
        )),
    cert,
  );
  const endpoints = [{}, ...(ca === undefined ? [] : [{ ca }])];
  const transfers = new StreamTransfers({ clock: systemClock, imageSources: [{ host: '127.0.0.1', port: from }], endpoints });
  const end = await new Promise<TransferEnd | undefined>((resolve) => {
    const job: TransferJob = {
      from: new Sensitive(`http://127.0.0.1:${from}/golden.gz`),
      to: new Sensitive(cert === undefined ? `http://127.0.0.1:${to}/put?Signature=x` : `https://localhost:${to}/put?Signature=x`),
      about: { path: '/images/1', wish: 'w' },
      contentType: 'application/octet-stream',
      maxBytes,
      format: { name: 'gzip', begins: [0x1f, 0x8b] },
      gate,
      sending: () => void said.push('sending'),
      ended: ({ is }) => void said.push(is),
      changed: () => transfers.of('uid')?.end !== undefined && resolve(transfers.of('uid')?.end),
    };
    transfers.begin('uid', job);
  });
  transfers.stop();
  return { end, got, said };
}
const whole: RequestListener = (_, response) => response.setHeader('content-length', gzip.length).end(gzip);

it('brings all of it as it is, with its length', async () => {
  const { end, got, said } = await brought({ source: whole });
  expect([end, said]).toEqual([{ is: 'done' }, ['sending', 'done']]);
  expect(got.map((bytes) => bytes.equals(gzip))).toEqual([true]);
});
it('trusts the authority of an endpoint at the target too: one and the same proxy may stand before both', async () => {
  const cert = certificateAuthority('localhost');
  expect((await brought({ source: whole, cert })).end).toMatchObject({ is: 'cut' });
  const { end, got } = await brought({ source: whole, cert, ca: cert });
  expect(end).toEqual({ is: 'done' });
  expect(got.map((bytes) => bytes.equals(gzip))).toEqual([true]);
});
it.each<readonly [string, Bringing, string, string]>([
  [
    'a source that breaks off',
    {
      source: (_, response) =>
        void response.setHeader('content-length', gzip.length).write(gzip.subarray(0, 1000), () => response.destroy()),
    },
    'cut',
    'the source broke off',
  ],
  ['a source of no length', { source: (_, response) => void response.write(gzip, () => response.end()) }, 'refused', 'Content-Length'],
  [
    'a source that is too long',
    { source: (_, response) => void response.setHeader('content-length', 1_000_001).write(gzip) },
    'refused',
    '1000000 at most',
  ],
  [
    'a source that is something else',
    { source: (_, response) => response.setHeader('content-length', 5).end('hello') },
    'refused',
    'not compressed with gzip',
  ],
  ['an empty source', { source: (_, response) => response.setHeader('content-length', 0).end() }, 'refused', 'not compressed with gzip'],
  [
    'a redirect',
    { source: (_, response) => response.writeHead(307, { location: 'http://169.254.169.254/' }).end() },
    'refused',
    'redirect',
  ],
  ['a source that is down', { source: (_, response) => response.writeHead(503).end() }, 'cut', '503'],
  ['a source that closes', { source: (incoming) => incoming.socket.destroy() }, 'cut', 'cannot be reached'],
  [
    'a service that is down',
    { source: whole, target: (incoming, response) => void incoming.resume().on('end', () => response.writeHead(503).end()) },
    'cut',
    'the service answers 503',
  ],
  [
    'a service that breaks off',
    { source: whole, target: (incoming) => incoming.once('data', () => incoming.socket.destroy()) },
    'cut',
    'the connection to the service broke',
  ],
  [
    'a service that refuses it',
    { source: whole, target: (incoming, response) => void incoming.resume().on('end', () => response.writeHead(400).end('secret')) },
    'refused',
    'refuses the data (400)',
  ],
  ['a gate that closes', { source: whole, gate: () => 'the lease is not held' }, 'stopped', 'the lease is not held'],
])('%s ends it with the reason', async (_, bringing, is, says) => {
  const { end, got } = await brought(bringing);
  expect(end).toMatchObject({ is, message: expect.stringContaining(says) as unknown });
  expect(got).toEqual([]);
});
it('the service says how long nothing shall be sent there', async () => {
  const { end } = await brought({
    source: whole,
    target: (incoming, response) => void incoming.resume().on('end', () => response.writeHead(429, { 'retry-after': '30' }).end()),
  });
  expect(end).toEqual({ is: 'cut', message: 'the service answers 429', retryAfter: 30_000 });
});
it('an address that takes nothing any more is told apart', async () => {
  const { end } = await brought({
    source: whole,
    target: (incoming, response) => void incoming.resume().on('end', () => response.writeHead(403).end()),
  });
  expect(end).toEqual({ is: 'closed' });
});

it('holds no more than sockets do, however slowly the service takes it', async () => {
  const total = 64 * 2 ** 20;
  const piece = Buffer.concat([Buffer.from([0x1f, 0x8b]), Buffer.alloc(2 ** 16 - 2, 7)]);
  let written = 0;
  let taken = 0;
  let most = 0;
  const source: RequestListener = (_, response) => {
    response.setHeader('content-length', total);
    const pieces = function* () {
      for (; written < total; written += piece.length) yield piece;
    };
    Readable.from(pieces(), { objectMode: false }).pipe(response);
  };
  const target: RequestListener = (incoming, response) => {
    const take = async (): Promise<void> => {
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        most = Math.max(most, written - taken);
        taken += chunk.length;
        await new Promise((next) => void setImmediate(next));
      }
      response.end();
    };
    void take();
  };
  const { end } = await brought({ source, target, maxBytes: total });
  expect([end, taken]).toEqual([{ is: 'done' }, total]);
  expect(most).toBeLessThan(total / 4);
});

it('eight that send nothing any more leave a place and its sockets to another namespace', async () => {
  const from = await serve((incoming, response) => {
    response.setHeader('content-length', gzip.length);
    if (incoming.url === '/slow') response.write(gzip.subarray(0, 1000));
    else response.end(gzip);
  });
  const to = await serve(
    (incoming, response) =>
      void bytesOf(incoming).then(
        () => response.end(),
        () => undefined,
      ),
  );
  const transfers = new StreamTransfers({ clock: systemClock, imageSources: [{ host: '127.0.0.1', port: from }] });
  const { promise: ended, resolve } = Promise.withResolvers<TransferEnd>();
  const job = (path: string): TransferJob => ({
    from: new Sensitive(`http://127.0.0.1:${from}${path}`),
    to: new Sensitive(`http://127.0.0.1:${to}/put`),
    about: { path: '/images/1', wish: 'w' },
    contentType: 'application/octet-stream',
    maxBytes: 1_000_000,
    format: { name: 'gzip', begins: [0x1f, 0x8b] },
    gate: () => undefined,
    sending: () => undefined,
    ended: (end) => void (path === '/quick' && resolve(end)),
    changed: () => undefined,
  });
  const came: string[] = [];
  const begin = (uid: string, namespace: string, path: string): boolean => {
    const isFree = transfers.place(uid, { namespace, come: () => void came.push(uid) }) === undefined;
    if (isFree) transfers.begin(uid, job(path));
    return isFree;
  };
  const began = Array.from({ length: 8 }, (_, n) => begin(`slow ${n}`, 'hog', '/slow'));
  expect(began).toEqual([true, true, true, true, false, false, false, false]);
  expect(begin('quick', 'quiet', '/quick')).toBe(true);
  expect(await ended).toEqual({ is: 'done' });
  expect(came).toEqual([]);
  transfers.forget('slow 5');
  transfers.forget('slow 0');
  expect(came).toEqual(['slow 4']);
  transfers.stop();
});
