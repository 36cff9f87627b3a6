import { createServer as createSecure } from 'node:https';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { authorityKey, certificateAuthority } from '../../emulator/areas/shared/certificate-authority.ts';
import { wireOf } from '../../../src/plugin/dry/ports/wire.ts';

const servers: Server[] = [];
async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
afterAll(() => {
  for (const server of servers) server.close();
});
describe('the way to an endpoint', () => {
  it('answers with status, time and what is JSON', async () => {
    const port = await listening(createServer(({ url }, response) => void response.end(url === '/v4/regions' ? '{"data":[]}' : '<html>')));
    const wire = wireOf({});
    const answer = await wire.get(`http://127.0.0.1:${port}/v4/regions`, undefined);
    expect(answer).toMatchObject({ status: 200, body: { data: [] } });
    expect(answer.date).toBeGreaterThan(0);
    expect((await wire.get(`http://127.0.0.1:${port}/`, undefined)).body).toBeUndefined();
    expect(await wire.addresses('127.0.0.1')).toEqual(['127.0.0.1']);
    await expect(wire.get('http://127.0.0.1:1/', undefined)).rejects.toThrow('ECONNREFUSED');
  });
  it('tells until when a certificate counts, and refuses one that nobody vouches for', async () => {
    const cert = certificateAuthority('localhost');
    const port = await listening(createSecure({ key: authorityKey('localhost'), cert }, (_, response) => void response.end('{}')));
    const url = new URL(`https://localhost:${port}/v4`);
    const until = await wireOf({}).certificateEnd(url, cert);
    expect(new Date(until).toISOString()).toBe('2099-12-31T23:59:59.000Z');
    await expect(wireOf({}).certificateEnd(url, undefined)).rejects.toThrow(/self-signed/);
    expect((await wireOf({}).get(`${url.href}/`, cert)).status).toBe(200);
  });
  it.each([
    ['https://api.example.com/v4', 'proxy:3128'],
    ['http://api.example.com/v4', undefined],
    ['https://api.internal/v4', undefined],
    ['https://deep.api.internal/v4', undefined],
  ])('%s goes by %s', async (url, proxy) => {
    const env = { HTTPS_PROXY: 'http://proxy:3128', no_proxy: '.api.internal, other' };
    expect(await wireOf(env).proxyFor(new URL(url))).toBe(proxy);
  });
  it.each([
    [{ HTTPS_PROXY: 'P' }, 'https://localhost:1/v4', true],
    [{ HTTPS_PROXY: 'P' }, 'http://localhost:1/v4', false],
    [{ HTTP_PROXY: 'P' }, 'https://localhost:1/v4', true],
    [{ HTTPS_PROXY: 'P', NO_PROXY: 'localhost:1' }, 'https://localhost:1/v4', false],
    [{ HTTPS_PROXY: 'P', NO_PROXY: 'localhost:2' }, 'https://localhost:1/v4', true],
    [{ HTTPS_PROXY: 'P', NO_PROXY: 'other LOCALHOST' }, 'https://localhost:1/v4', false],
    [{ HTTPS_PROXY: 'P', NO_PROXY: '.localhost.' }, 'https://localhost:1/v4', false],
    [{ HTTPS_PROXY: 'P', NO_PROXY: '*.localhost' }, 'https://localhost:1/v4', true],
    [{ HTTPS_PROXY: 'P', NO_PROXY: 'other,*:1' }, 'https://localhost:1/v4', false],
    [{ HTTPS_PROXY: 'P', NO_PROXY: '[::1]:1' }, 'https://[::1]:1/v4', false],
    [{ HTTPS_PROXY: 'P', NO_PROXY: '::1' }, 'https://[::1]:1/v4', false],
    [{ HTTPS_PROXY: 'P', NO_PROXY: 'localhost:443' }, 'https://localhost/v4', false],
  ])('with %o %s is reached by the proxy that is named: %#', async (named, url, isProxied) => {
    let tunnels = 0;
    const proxy = createServer().on('connect', (_, socket) => {
      tunnels += 1;
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
    });
    const address = `http://127.0.0.1:${await listening(proxy)}`;
    const wire = wireOf(Object.fromEntries(Object.entries(named).map(([name, value]) => [name, value === 'P' ? address : value])));
    await expect(wire.get(url, undefined)).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|Proxy response \(502\)/);
    expect({ asked: tunnels > 0, told: (await wire.proxyFor(new URL(url))) !== undefined }).toEqual({ asked: isProxied, told: isProxied });
  });
  it.each(['10.0.0.1:3128', 'proxy:3128', 'http//proxy'])('a proxy %s is no proxy', async (proxy) => {
    const wire = wireOf({ HTTPS_PROXY: proxy });
    await expect(wire.proxyFor(new URL('https://api.example.com/v4'))).rejects.toThrow('write for example http://proxy:3128');
    await expect(wire.get('https://api.example.com/v4', undefined)).rejects.toThrow('Invalid URL');
  });
});
