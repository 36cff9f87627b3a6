import { readFile } from 'node:fs/promises';
import type { RequestOptions } from 'node:https';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { bearer, cachedCredentials } from './credentials.ts';
import type { Credentials } from './credentials.ts';

const SERVICE_ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

export interface Tls {
  readonly ca?: string | Buffer;
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
}
/** Where the API server is and how it is spoken to. */
export interface Cluster {
  /** Origin, with a path where a proxy needs one; no slash at the end. */
  readonly server: string;
  readonly tls: Tls;
  readonly credentials: Credentials;
  /** The namespace that we run in, or that the kubeconfig's context names. */
  readonly namespace?: string;
}

/** From plain values, for tests and embedding. */
export const clusterAt = (clock: Clock, at: { server: string; ca?: string; token?: string | (() => Promise<string>) }): Cluster => ({
  server: at.server.replace(/\/+$/, ''),
  tls: at.ca === undefined ? {} : { ca: at.ca },
  credentials: cachedCredentials(clock, async () => {
    const token = typeof at.token === 'function' ? await at.token() : at.token;
    return token === undefined ? {} : bearer(token);
  }),
});

/** From the ServiceAccount's files; the kubelet rotates the token, so it is read again every minute. */
export async function inCluster(
  clock: Clock,
  at: { readonly host: string; readonly port: string; readonly directory?: string },
): Promise<Cluster> {
  const file = (name: string): Promise<string> => readFile(join(at.directory ?? SERVICE_ACCOUNT, name), 'utf8');
  const [ca, namespace] = await Promise.all([file('ca.crt'), file('namespace')]);
  const host = at.host.includes(':') ? `[${at.host}]` : at.host;
  return {
    server: `https://${host}:${at.port}`,
    tls: { ca },
    credentials: cachedCredentials(clock, async () => bearer((await file('token')).trim())),
    namespace: namespace.trim(),
  };
}

/**
 * From a kubeconfig, with everything that it may hold: client certificates, exec plugins, OIDC. `path` absent: as kubectl
 * finds it. Loads `@kubernetes/client-node`, which a process inside a cluster never does.
 */
export async function fromKubeconfig(clock: Clock, at: { readonly path?: string; readonly context?: string } = {}): Promise<Cluster> {
  const { KubeConfig } = await import('./kube-config.ts');
  const config = new KubeConfig();
  if (at.path === undefined) config.loadFromDefault();
  else config.loadFromFile(at.path);
  if (at.context !== undefined) config.setCurrentContext(at.context);
  const context = config.getContextObject(config.getCurrentContext());
  const cluster = config.getCurrentCluster();
  if (!cluster || config.getCurrentContext() === 'loaded-context')
    throw new Error(
      missing(
        at,
        config.getContexts().map(({ name }) => name),
      ),
    );
  const load = async (): Promise<RequestOptions> => {
    const options: RequestOptions = {};
    await config.applyToHTTPSOptions(options);
    return options;
  };
  const namespace = context?.namespace;
  return {
    server: cluster.server.replace(/\/+$/, ''),
    tls: tlsOf(await load()),
    credentials: cachedCredentials(clock, async () => headersOf(await load())),
    ...(namespace !== undefined && { namespace }),
  };
}

function missing(at: { readonly path?: string; readonly context?: string }, contexts: readonly string[]): string {
  const file = at.path ?? 'the kubeconfig';
  // What the library puts in place of a kubeconfig is no choice.
  const known = contexts.filter((name) => name !== 'loaded-context');
  return at.context !== undefined && known.length > 0 && !known.includes(at.context)
    ? `no context "${at.context}" in ${file}: it has ${known.join(', ')}`
    : `no cluster found in ${file}${at.context === undefined ? '' : ` under context "${at.context}"`}: name one with --kubeconfig and --context, or set KUBECONFIG`;
}

const tlsOf = (options: RequestOptions): Tls => ({
  ...(options.ca !== undefined && { ca: options.ca as Buffer }),
  ...(options.cert !== undefined && { cert: options.cert as Buffer }),
  ...(options.key !== undefined && { key: options.key as Buffer }),
  ...(options.servername !== undefined && { servername: options.servername }),
  ...(options.rejectUnauthorized !== undefined && { rejectUnauthorized: options.rejectUnauthorized }),
});

function headersOf(options: RequestOptions): Readonly<Record<string, string>> {
  const headers = Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]));
  if (typeof options.auth !== 'string') return headers;
  return { ...headers, authorization: `Basic ${Buffer.from(options.auth).toString('base64')}` };
}
