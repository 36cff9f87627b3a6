import { flags, keyFlags } from './flag-list.ts';
import type { Endpoint, ImageSource } from './flag-values.ts';
import { flagHelp, parseFlags } from './flags.ts';
import type { Millis } from './lib/clock.ts';

/** Everything that can be set, once, at start. Units are in the names or, for durations, milliseconds. */
export interface Config {
  readonly endpoints: readonly Endpoint[];
  readonly namespace: string;
  readonly watchNamespaces: readonly string[];
  readonly accountSelector: Readonly<Record<string, string>>;
  /** Names of kinds; empty: all. */
  readonly kinds: readonly string[];
  /** From where images of tenants are read. */
  readonly imageSources: readonly ImageSource[];
  readonly cluster: ClusterChoice;
  /** To the account's API only. */
  readonly proxy: Proxy;
  /** `0`: nowhere. */
  readonly metricsAddress: string;
  readonly healthAddress: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  /** Undefined: none. `-`: standard output. */
  readonly auditLog: string | undefined;
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseDuration: Millis;
  /** Undefined: the caller makes one that nobody else has. */
  readonly identity: string | undefined;
  readonly commitBound: Millis;
  readonly listLag: Millis;
  readonly shutdownGrace: Millis;
}

/** As much of it as an operator itself goes by. */
export type OperatorConfig = Pick<
  Config,
  | 'namespace'
  | 'watchNamespaces'
  | 'accountSelector'
  | 'leaderElect'
  | 'leaseName'
  | 'leaseDuration'
  | 'commitBound'
  | 'listLag'
  | 'shutdownGrace'
  | 'imageSources'
>;

/** What is known of the way to the API server; {@link readClusterChoice} and `commands/cluster.ts` say what wins. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Where the kubelet says the API server is; undefined outside a cluster. */
  readonly inCluster: { readonly host: string; readonly port: string } | undefined;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** The usual variables of the environment, in either case; the lower one wins, as in curl. */
export interface Proxy {
  readonly http: string;
  readonly https: string;
  readonly noProxy: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const refusal = (message: string): ConfigError => new ConfigError(message);

/** Flags win over the environment; a bad value is refused with the flag's name. */
export function readConfig(args: readonly string[], env: Environment): Config {
  const values = parseFlags(flags, args, env, refusal);
  if (values.endpoint.length === 0)
    throw new ConfigError('--endpoint is required: name at least one API endpoint, for example --endpoint main=https://api.example.com/v4');
  return Object.freeze({
    endpoints: values.endpoint,
    namespace: values.namespace,
    watchNamespaces: values['watch-namespaces'],
    accountSelector: values['account-selector'],
    kinds: values.kinds,
    imageSources: values['image-source'],
    cluster: choice(values, env),
    proxy: proxy(env),
    metricsAddress: values['metrics-address'],
    healthAddress: values['health-address'],
    logLevel: values['log-level'],
    auditLog: values['audit-log'] === '' ? undefined : values['audit-log'],
    leaderElect: values['leader-elect'],
    leaseName: values['lease-name'],
    leaseDuration: values['lease-duration'],
    identity: values.identity === '' ? undefined : values.identity,
    commitBound: values['commit-bound'],
    listLag: values['list-lag'],
    shutdownGrace: values['shutdown-grace'],
  });
}

/** Of commands that only need a cluster. */
export function readClusterChoice(args: readonly string[], env: Environment): ClusterChoice {
  const { kubeconfig, context } = flags;
  return choice(parseFlags({ kubeconfig, context }, args, env, refusal), env);
}

export interface KeyChoice {
  readonly cluster: ClusterChoice;
  readonly namespace: string;
  /** `-`: standard output or input. */
  readonly file: string;
}

/** Of `key export` and `key import`. */
export function readKeyChoice(args: readonly string[], env: Environment): KeyChoice {
  const { kubeconfig, context, namespace } = flags;
  const values = parseFlags({ kubeconfig, context, namespace, ...keyFlags }, args, env, refusal);
  return { cluster: choice(values, env), namespace: values.namespace, file: values.file };
}

function choice({ kubeconfig, context }: { readonly kubeconfig: string; readonly context: string }, env: Environment): ClusterChoice {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  return {
    kubeconfig: kubeconfig === '' ? undefined : kubeconfig,
    context: context === '' ? undefined : context,
    inCluster: host === '' ? undefined : { host, port },
  };
}

function proxy(env: Environment): Proxy {
  const [http = '', https = '', noProxy = ''] = ['http_proxy', 'https_proxy', 'no_proxy'].map(
    (name) => env[name] ?? env[name.toUpperCase()],
  );
  return { http, https, noProxy };
}

export const configHelp = (): string => flagHelp(flags);
export const keyHelp = (): string => flagHelp(keyFlags);
