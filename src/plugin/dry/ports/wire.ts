import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { connect, getCACertificates } from 'node:tls';
import { createAgent } from '../../../cloud/index.ts';
import type { Wire } from '../../host.ts';
import { proxyIn } from './open-cloud.ts';

const within = 10_000;

/** The way to an endpoint as this machine sees it: by its own names, authorities and proxies, without a token. */
export function wireOf(env: Readonly<Record<string, string | undefined>>): Wire {
  const proxy = proxyIn(env);
  return {
    proxyFor: async (url) => {
      const [http, https] = [proxyHost(proxy.http), proxyHost(proxy.https)];
      const named = url.protocol === 'https:' ? (https ?? http) : http;
      return isExcepted(url, proxy.noProxy) ? undefined : named;
    },
    addresses: async (host) => (await lookup(unbracketed(host), { all: true })).map(({ address }) => address),
    certificateEnd,
    get: async (url, ca) => {
      const dispatcher = createAgent({ ca, connections: 1, proxy });
      try {
        const { origin, pathname } = new URL(url);
        const headers = { accept: 'application/json' };
        const answer = await dispatcher.request({ origin, path: pathname, method: 'GET', headers, signal: AbortSignal.timeout(within) });
        const { statusCode, headers: told, body } = answer;
        const text = await body.text();
        return { status: statusCode, date: Date.parse(String(told['date'])), body: parsed(text) };
      } finally {
        await dispatcher.destroy();
      }
    },
  };
}

function proxyHost(proxy: string): string | undefined {
  if (proxy === '') return undefined;
  if (/^(?:https?|socks5?):\/\//i.test(proxy) && URL.canParse(proxy)) return new URL(proxy).host;
  // It may hold a password.
  throw new Error('the proxy that HTTP_PROXY or HTTPS_PROXY names cannot be read: write for example http://proxy:3128');
}

/** As the client decides it. */
function isExcepted({ hostname, port, protocol }: URL, noProxy: string): boolean {
  const own = port === '' ? { 'https:': '443', 'http:': '80' }[protocol] : port;
  return noProxy.split(/[,\s]/).some((entry) => {
    const { six, name = six ?? entry, only = own } = /^(?:\[(?<six>.+)\]|(?<name>[^:]+))(?::(?<only>\d+))?$/.exec(entry)?.groups ?? {};
    return only === own && covers(name.toLowerCase().replace(/\.$/, ''), unbracketed(hostname));
  });
}

/** A name counts for all below it too, `*.name` for these alone. */
function covers(pattern: string, host: string): boolean {
  const suffix = pattern.replace(/^\*?\./, '');
  return pattern === '*' || (suffix !== '' && host.endsWith(`.${suffix}`)) || (!pattern.startsWith('*') && host === suffix);
}

/** Of an address of IPv6 as a URL has it. */
const unbracketed = (host: string): string => host.replace(/^\[(.+)\]$/, '$1');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rejects where it is not trusted. */
const certificateEnd = (url: URL, ca: string | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    const trust = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
    const port = Number(url.port === '' ? '443' : url.port);
    const host = unbracketed(url.hostname);
    const socket = connect({ host, port, timeout: within, ...(isIP(host) === 0 && { servername: host }), ...trust });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${within / 1000} s`)));
    socket.once('secureConnect', () => {
      const { valid_to: until } = socket.getPeerCertificate();
      socket.destroy();
      resolve(Date.parse(until));
    });
  });
