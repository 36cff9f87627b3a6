import { lookup } from 'node:dns/promises';
import { connect, getCACertificates } from 'node:tls';
import { createAgent } from '../../cloud/index.ts';
import type { Wire } from '../host.ts';

const within = 10_000;

/** The way to an endpoint as this machine sees it: by its own names, authorities and proxies, without a token. */
export function wireOf(env: Readonly<Record<string, string | undefined>>): Wire {
  const [http = '', https = '', none = ''] = ['http_proxy', 'https_proxy', 'no_proxy'].map((name) => env[name] ?? env[name.toUpperCase()]);
  return {
    proxyFor: async (url) => {
      const isExcepted = none.split(',').some((one) => isSuffix(one.trim(), url.hostname));
      const proxy = url.protocol === 'https:' ? https : http;
      return proxy === '' || isExcepted ? undefined : new URL(proxy).host;
    },
    addresses: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
    certificateEnd,
    get: async (url, ca) => {
      const dispatcher = createAgent({ ca, connections: 1, proxy: { http, https, none } });
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

const isSuffix = (pattern: string, host: string): boolean =>
  pattern === '*' || (pattern !== '' && (host === pattern.replace(/^\./, '') || host.endsWith(`.${pattern.replace(/^\*?\./, '')}`)));

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
    const socket = connect({ host: url.hostname, port, servername: url.hostname, timeout: within, ...trust });
    socket.once('error', reject);
    socket.once('timeout', () => socket.destroy(new Error(`no answer within ${within / 1000} s`)));
    socket.once('secureConnect', () => {
      const { valid_to: until } = socket.getPeerCertificate();
      socket.destroy();
      resolve(Date.parse(until));
    });
  });
