import { getCACertificates } from 'node:tls';
import type { Dispatcher } from 'undici';
import { Agent, EnvHttpProxyAgent } from 'undici';

/** As `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` have it. */
export interface Proxy {
  readonly http?: string;
  readonly https?: string;
  readonly noProxy?: string;
}

export interface AgentOptions {
  readonly proxy?: Proxy | undefined;
  /** PEM of an authority that is trusted besides the system's: for the endpoint, and for a proxy that is reached by TLS. */
  readonly ca?: string | undefined;
  readonly connections: number;
}

/**
 * Sockets to one endpoint. HTTP/1.1 only: undici's HTTP/2 loses requests on GOAWAY and has no PING timeout. Its own
 * timeouts are off on every request; the client times out on the injected clock.
 */
export function createAgent({ proxy, ca, connections }: AgentOptions): Dispatcher {
  const trust = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] };
  const connect = { ...trust, keepAlive: true, keepAliveInitialDelay: 30_000 };
  const common = {
    allowH2: false,
    connections,
    pipelining: 1,
    // Shorter than the idle time of common balancers, so that a change is rarely written to a socket that is closing.
    keepAliveTimeout: 20_000,
    connect,
  };
  const { http = '', https = '', noProxy = '' } = proxy ?? {};
  if (http === '' && https === '') return new Agent(common);
  return new EnvHttpProxyAgent({
    ...common,
    // `connect` is for the sockets of no proxy.
    proxyTls: connect,
    requestTls: trust,
    proxyTunnel: true,
    httpProxy: http,
    httpsProxy: https,
    noProxy,
  });
}
