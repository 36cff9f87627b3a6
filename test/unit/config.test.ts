import { describe, expect, it } from 'vitest';
import { configHelp, readClusterChoice, readConfig } from '../../src/config.ts';
import { flags } from '../../src/flag-list.ts';

const endpoint = '--endpoint=main=https://api.example.com/v4';
const main = { name: 'main', url: 'https://api.example.com/v4', word: 'vm' };

describe('configuration', () => {
  it('has defaults that need nothing but an endpoint', () =>
    expect(readConfig([endpoint], {})).toMatchObject({
      endpoints: [main],
      namespace: 'cloud-operator',
      watchNamespaces: [],
      accountSelector: {},
      metricsAddress: ':8080',
      leaderElect: true,
      leaseDuration: 15_000,
      commitBound: 60_000,
      identity: undefined,
    }));

  it.each([
    {
      name: 'a flag wins over its twin',
      args: [endpoint, '--log-level=debug'],
      env: { CLOUD_OPERATOR_LOG_LEVEL: 'warn' },
      config: { logLevel: 'debug' },
    },
    { name: 'the twin wins over the default', args: [endpoint], env: { CLOUD_OPERATOR_LOG_LEVEL: 'warn' }, config: { logLevel: 'warn' } },
    { name: 'durations have units', args: [endpoint, '--list-lag=1.5m'], env: {}, config: { listLag: 90_000 } },
    { name: 'lists with commas', args: [endpoint, '--watch-namespaces=a,b'], env: {}, config: { watchNamespaces: ['a', 'b'] } },
    {
      name: 'lists by repeating',
      args: [endpoint, '--watch-namespaces=a', '--watch-namespaces=b'],
      env: {},
      config: { watchNamespaces: ['a', 'b'] },
    },
    {
      name: 'selectors by repeating',
      args: [endpoint, '--account-selector=a=1', '--account-selector=b=2'],
      env: {},
      config: { accountSelector: { a: '1', b: '2' } },
    },
    {
      name: 'the names that other operators have for flags',
      args: [endpoint, '--metrics-bind-address=:9090', '--health-probe-bind-address', '127.0.0.1:9091', '--leader-elect'],
      env: { CLOUD_OPERATOR_LEADER_ELECT: 'false' },
      config: { metricsAddress: ':9090', healthAddress: '127.0.0.1:9091', leaderElect: true },
    },
    { name: 'no election', args: ['--leader-elect=false', endpoint], env: {}, config: { leaderElect: false } },
    { name: 'no election in two words', args: ['--leader-elect', 'false', endpoint], env: {}, config: { leaderElect: false } },
    { name: 'no page of metrics', args: [endpoint, '--metrics-address=0'], env: {}, config: { metricsAddress: '0' } },
    { name: 'an audit log', args: [endpoint, '--audit-log=-'], env: {}, config: { auditLog: '-' } },
    { name: 'kinds', args: [endpoint, '--kinds=CloudVolume,CloudDomain'], env: {}, config: { kinds: ['CloudVolume', 'CloudDomain'] } },
    { name: 'no source of images', args: [endpoint], env: {}, config: { imageSources: [] } },
    {
      name: 'sources of images, with and without a port',
      args: [endpoint, '--image-source=Images.Example.com,minio.example.com:9000', '--image-source=[::1]:8443'],
      env: {},
      config: { imageSources: [{ host: 'images.example.com' }, { host: 'minio.example.com', port: 9000 }, { host: '[::1]', port: 8443 }] },
    },
    {
      name: 'an endpoint with a word and an authority',
      args: ['--endpoint', 'eu=https://eu.example.com/v4,word=server,ca=/etc/ca.pem'],
      env: {},
      config: { endpoints: [{ name: 'eu', url: 'https://eu.example.com/v4', word: 'server', ca: '/etc/ca.pem' }] },
    },
    {
      name: 'several endpoints in the environment',
      args: [],
      env: { CLOUD_OPERATOR_ENDPOINTS: 'main=https://api.example.com/v4 b=http://localhost:1/v4' },
      config: { endpoints: [main, { name: 'b', url: 'http://localhost:1/v4', word: 'vm' }] },
    },
    {
      name: 'proxies in either case',
      args: [endpoint],
      env: { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2', NO_PROXY: 'local' },
      config: { proxy: { http: '', https: 'http://b:2', noProxy: 'local' } },
    },
    {
      name: 'the way to the API server from inside',
      args: [endpoint],
      env: { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '6443' },
      config: { cluster: { kubeconfig: undefined, context: undefined, inCluster: { host: '10.0.0.1', port: '6443' } } },
    },
  ])('$name', ({ args, env, config }) => expect(readConfig(args, env)).toMatchObject(config));

  it.each([
    { name: 'no endpoint', args: [], env: {}, says: '--endpoint is required' },
    { name: 'an endpoint that does not end in /v4', args: ['--endpoint=main=https://api.example.com/'], env: {}, says: '--endpoint' },
    { name: 'two endpoints of one name', args: [endpoint, endpoint], env: {}, says: '--endpoint' },
    { name: 'an unknown part of an endpoint', args: [`${endpoint},colour=red`], env: {}, says: '--endpoint' },
    { name: 'a duration without unit', args: [endpoint, '--list-lag=5'], env: {}, says: '--list-lag' },
    {
      name: 'a level that does not exist',
      args: [endpoint, '--log-level=loud'],
      env: {},
      says: '--log-level: "loud" is not valid; write debug|info|warn|error',
    },
    { name: 'an address without port', args: [endpoint, '--metrics-address=localhost'], env: {}, says: '--metrics-address' },
    {
      name: 'a bad value in the environment, by its name there',
      args: [endpoint],
      env: { CLOUD_OPERATOR_LIST_LAG: 'x' },
      says: 'CLOUD_OPERATOR_LIST_LAG',
    },
    {
      name: 'a flag that does not exist, with the closest',
      args: [endpoint, '--metric-address=:1'],
      env: {},
      says: 'there is no flag --metric-address; the closest is --metrics-address, and --help explains them all',
    },
    { name: 'a short flag', args: [endpoint, '-v'], env: {}, says: 'there is no flag -v' },
    { name: 'a flag without its value', args: [endpoint, '--log-level'], env: {}, says: '--log-level' },
    { name: 'a kind that is none', args: [endpoint, '--kinds=Cloud/Volume'], env: {}, says: '--kinds' },
    { name: 'a word too many', args: [endpoint, 'now'], env: {}, says: 'now' },
  ])('refuses $name', ({ args, env, says }) => expect(() => readConfig(args, env)).toThrow(says));

  it('reads a cluster alone for commands that need no endpoint', () =>
    expect(readClusterChoice(['--context=prod'], { KUBECONFIG: '/tmp/config' })).toEqual({
      kubeconfig: '/tmp/config',
      context: 'prod',
      inCluster: undefined,
    }));

  it('explains every flag with its twin and its default', () => {
    const help = configHelp();
    for (const [name, { env, help: text }] of Object.entries(flags)) {
      expect(help).toContain(`--${name} `);
      expect(help).toContain(`Environment: ${env}.`);
      expect(text).toMatch(/\.$/);
    }
  });
});
