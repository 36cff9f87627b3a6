import { address, duration, type Endpoint, endpoints, labels, level, names, truth, word } from './flag-values.ts';
import { flagHelp, parseFlags, type Flag } from './flags.ts';
import type { Millis } from './lib/clock.ts';

/** Everything that can be set, once, at start. Units are in the names or, for durations, milliseconds. */
export interface Config {
  readonly endpoints: readonly Endpoint[];
  readonly namespace: string;
  readonly watchNamespaces: readonly string[];
  readonly accountSelector: Readonly<Record<string, string>>;
  readonly cluster: ClusterChoice;
  /** To the account's API only. */
  readonly proxy: Proxy;
  readonly metricsAddress: string;
  readonly healthAddress: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseDuration: Millis;
  /** Undefined: the caller makes one that nobody else has. */
  readonly identity: string | undefined;
  readonly commitBound: Millis;
  readonly listLag: Millis;
  readonly shutdownGrace: Millis;
}

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
  readonly none: string;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Every flag: its environment twin, what it does, its default and its unit. The only list; `--help` is made from it. */
export const flags = {
  endpoint: {
    env: 'CLOUD_OPERATOR_ENDPOINTS',
    parse: endpoints,
    default: '',
    form: 'NAME=URL[,word=W][,ca=FILE]',
    help: "An API endpoint that CloudAccounts may name; the URL ends in /v4, `word` is the provider's word for an instance (default vm), `ca` a file with further certificates. Repeat it, or separate several by spaces.",
  },
  namespace: {
    env: 'POD_NAMESPACE',
    parse: word,
    default: 'cloud-operator',
    form: 'NAME',
    help: 'Namespace of the operator: its lease, its key and its copies of tokens.',
  },
  'watch-namespaces': {
    env: 'CLOUD_OPERATOR_WATCH_NAMESPACES',
    parse: names,
    default: '',
    form: 'A,B',
    help: 'Watch only these namespaces. Empty: all.',
  },
  'account-selector': {
    env: 'CLOUD_OPERATOR_ACCOUNT_SELECTOR',
    parse: labels,
    default: '',
    form: 'KEY=VALUE,...',
    help: 'Serve only CloudAccounts with these labels, so that several releases can share one cluster. Empty: all.',
  },
  kubeconfig: {
    env: 'KUBECONFIG',
    parse: (text: string) => text,
    default: '',
    form: 'FILE',
    help: 'Kubeconfig to use outside a cluster. Empty: the ServiceAccount of the pod.',
  },
  context: {
    env: 'CLOUD_OPERATOR_CONTEXT',
    parse: (text: string) => text,
    default: '',
    form: 'NAME',
    help: 'Context of the kubeconfig. Empty: its current one.',
  },
  'metrics-address': {
    env: 'CLOUD_OPERATOR_METRICS_ADDRESS',
    parse: address,
    default: ':8080',
    form: 'HOST:PORT',
    help: 'Where Prometheus reads /metrics.',
  },
  'health-address': {
    env: 'CLOUD_OPERATOR_HEALTH_ADDRESS',
    parse: address,
    default: ':8081',
    form: 'HOST:PORT',
    help: 'Where the kubelet asks /livez and /readyz.',
  },
  'log-level': {
    env: 'CLOUD_OPERATOR_LOG_LEVEL',
    parse: level,
    default: 'info',
    form: 'debug|info|warn|error',
    help: 'Least severity that is logged.',
  },
  'leader-elect': {
    env: 'CLOUD_OPERATOR_LEADER_ELECT',
    parse: truth,
    default: 'true',
    form: 'true|false',
    help: 'Take a lease before working. False only where nothing else can run the same release.',
  },
  'lease-name': {
    env: 'CLOUD_OPERATOR_LEASE_NAME',
    parse: word,
    default: 'cloud-operator',
    form: 'NAME',
    help: 'Name of the lease; releases side by side need different ones.',
  },
  'lease-duration': {
    env: 'CLOUD_OPERATOR_LEASE_DURATION',
    parse: duration,
    default: '15s',
    form: 'DURATION',
    help: 'How long a lease outlives its last renewal, for example 15s.',
  },
  identity: {
    env: 'POD_NAME',
    parse: (text: string) => text,
    default: '',
    form: 'NAME',
    help: 'Name of this replica in the lease, unique among them. Empty: the name of the host and a random part.',
  },
  'commit-bound': {
    env: 'CLOUD_OPERATOR_COMMIT_BOUND',
    parse: duration,
    default: '60s',
    form: 'DURATION',
    help: 'Latest time after which the API still acts on a request that it received. Lower it only against the emulator.',
  },
  'list-lag': {
    env: 'CLOUD_OPERATOR_LIST_LAG',
    parse: duration,
    default: '60s',
    form: 'DURATION',
    help: 'Longest time during which lists of the API may not show a change. Lower it only against the emulator.',
  },
  'shutdown-grace': {
    env: 'CLOUD_OPERATOR_SHUTDOWN_GRACE',
    parse: duration,
    default: '20s',
    form: 'DURATION',
    help: 'How long calls in flight may take to finish after SIGTERM.',
  },
} satisfies Readonly<Record<string, Flag<unknown>>>;

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
    cluster: choice(values, env),
    proxy: proxy(env),
    metricsAddress: values['metrics-address'],
    healthAddress: values['health-address'],
    logLevel: values['log-level'],
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

function choice({ kubeconfig, context }: { readonly kubeconfig: string; readonly context: string }, env: Environment): ClusterChoice {
  const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = env;
  return {
    kubeconfig: kubeconfig === '' ? undefined : kubeconfig,
    context: context === '' ? undefined : context,
    inCluster: host === '' ? undefined : { host, port },
  };
}

function proxy(env: Environment): Proxy {
  const [http = '', https = '', none = ''] = ['http_proxy', 'https_proxy', 'no_proxy'].map((name) => env[name] ?? env[name.toUpperCase()]);
  return { http, https, none };
}

export const configHelp = (): string => flagHelp(flags);
