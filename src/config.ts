import { flagHelp, parseFlags, type Flag } from './flags.ts';
import type { Millis } from './lib/clock.ts';

/** One endpoint of the account's API that the administrator trusts; objects of tenants only name it (design 5.1). */
export interface Endpoint {
  readonly name: string;
  /** Ends in `/v4`. */
  readonly url: string;
  /** The provider's word for an instance in paths and fields; `vm` in the documents. */
  readonly word: string;
  /** File with further CA certificates, PEM. */
  readonly ca?: string;
}

/** Everything that can be set, once, at start. Units are in the names or, for durations, milliseconds. */
export interface Config {
  readonly endpoints: readonly Endpoint[];
  readonly namespace: string;
  readonly watchNamespaces: readonly string[];
  readonly accountSelector: Readonly<Record<string, string>>;
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly metricsAddress: string;
  readonly healthAddress: string;
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error';
  readonly leaderElect: boolean;
  readonly leaseName: string;
  readonly leaseDuration: Millis;
  readonly identity: string;
  readonly commitBound: Millis;
  readonly listLag: Millis;
  readonly shutdownGrace: Millis;
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const duration = (text: string): Millis | undefined => {
  const match = /^(?<n>\d+(?:\.\d+)?)(?<unit>ms|s|m|h)$/.exec(text)?.groups;
  const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
  return match === undefined ? undefined : Number(match['n']) * (units[match['unit'] ?? ''] ?? 1);
};
const names = (text: string): readonly string[] | undefined => {
  const all = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return all.every((name) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) ? all : undefined;
};
const labels = (text: string): Readonly<Record<string, string>> | undefined => {
  const pairs = text
    .split(',')
    .filter((pair) => pair !== '')
    .map((pair) => pair.split('='));
  return pairs.every((pair) => pair.length === 2 && pair[0] !== '') ? Object.fromEntries(pairs as [string, string][]) : undefined;
};
const address = (text: string): string | undefined => (/^\S*:\d{1,5}$/.test(text) ? text : undefined);
const truth = (text: string): boolean | undefined => ({ true: true, false: false })[text];
const word = (text: string): string | undefined => (text === '' ? undefined : text);
const level = (text: string): Config['logLevel'] | undefined =>
  (['debug', 'info', 'warn', 'error'] as const).find((known) => known === text);

/** `NAME=URL,word=W[,ca=FILE]`, several separated by white space or by repeating the flag. */
function endpoints(text: string): readonly Endpoint[] | undefined {
  const all = text
    .split(/\s+/)
    .filter((part) => part !== '')
    .map(endpoint);
  return all.every((one) => one !== undefined) && new Set(all.map((one) => one.name)).size === all.length ? all : undefined;
}
function endpoint(text: string): Endpoint | undefined {
  const match = /^(?<name>[a-z0-9-]+)=(?<url>https?:\/\/[^,\s]+\/v4)(?<rest>(?:,[a-z]+=[^,\s]+)*)$/.exec(text)?.groups;
  if (match === undefined || !URL.canParse(match['url'] ?? '')) return undefined;
  const rest = Object.fromEntries(
    (match['rest'] ?? '')
      .split(',')
      .filter((part) => part !== '')
      .map((part) => part.split('=') as [string, string]),
  );
  const { word: own = 'vm', ca, ...unknown } = rest;
  if (Object.keys(unknown).length > 0 || !/^[a-z][a-z0-9]*$/.test(own)) return undefined;
  return { name: match['name'] ?? '', url: match['url'] ?? '', word: own, ...(ca !== undefined && { ca }) };
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
  identity: { env: 'POD_NAME', parse: word, default: 'local', form: 'NAME', help: 'Name of this replica in the lease; unique among them.' },
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

/** Flags win over the environment; a bad value is refused with the flag's name. */
export function readConfig(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Config {
  const values = parseFlags(flags, args, env, (message) => new ConfigError(message));
  if (values.endpoint.length === 0)
    throw new ConfigError('--endpoint is required: name at least one API endpoint, for example --endpoint main=https://api.example.com/v4');
  return Object.freeze({
    endpoints: values.endpoint,
    namespace: values.namespace,
    watchNamespaces: values['watch-namespaces'],
    accountSelector: values['account-selector'],
    kubeconfig: values.kubeconfig === '' ? undefined : values.kubeconfig,
    context: values.context === '' ? undefined : values.context,
    metricsAddress: values['metrics-address'],
    healthAddress: values['health-address'],
    logLevel: values['log-level'],
    leaderElect: values['leader-elect'],
    leaseName: values['lease-name'],
    leaseDuration: values['lease-duration'],
    identity: values.identity,
    commitBound: values['commit-bound'],
    listLag: values['list-lag'],
    shutdownGrace: values['shutdown-grace'],
  });
}

export const configHelp = (): string => flagHelp(flags);
