import { isIP } from 'node:net';
import { Environment } from '@marcbachmann/cel-js';
import { isCidr } from './formats.ts';

/** The Kubernetes additions to CEL that the evaluator does not bring, as far as rules of this operator may use them. */
const FUNCTIONS: Readonly<Record<string, (...args: never[]) => unknown>> = {
  'isURL(string): bool': (value: string) => isAbsoluteUrl(value),
  'isIP(string): bool': (value: string) => isIP(value) !== 0,
  'isCIDR(string): bool': (value: string) => isCidr(value),
  'isIP(string, int): bool': (value: string, family: bigint) => isIP(value) === Number(family),
  'string.replace(string, string): string': (value: string, from: string, to: string) => value.replaceAll(from, to),
  'string.charAt(int): string': (value: string, at: bigint) => Array.from(value)[Number(at)] ?? '',
  'string.find(string): string': (value: string, pattern: string) => new RegExp(pattern, 'u').exec(value)?.[0] ?? '',
  'string.findAll(string): list': (value: string, pattern: string) => value.match(new RegExp(pattern, 'gu')) ?? [],
  'string.reverse(): string': (value: string) => Array.from(value).toReversed().join(''),
  'list.sum(): dyn': (values: (bigint | number)[]) => sum(values),
  'list.min(): dyn': (values: (bigint | number)[]) => values.reduce((a, b) => (b < a ? b : a)),
  'list.max(): dyn': (values: (bigint | number)[]) => values.reduce((a, b) => (b > a ? b : a)),
  'list.isSorted(): bool': (values: (bigint | string)[]) => values.every((value, at) => at === 0 || (values[at - 1] ?? value) <= value),
};

function sum(values: readonly (bigint | number)[]): bigint | number {
  if (values.every((value) => typeof value === 'bigint')) return values.reduce((a, b) => a + b, 0n);
  return values.reduce((a: number, b) => a + Number(b), 0);
}

function isAbsoluteUrl(value: string): boolean {
  return URL.canParse(value) || (value.startsWith('/') && URL.canParse(value, 'http://host'));
}

/** `url(x).getHost()` and its like, on a type of their own. */
class CelUrl {
  readonly url: URL;

  constructor(url: URL) {
    this.url = url;
  }
}

function registerUrl(environment: Environment): Environment {
  return environment
    .registerType('kubernetes.URL', { ctor: CelUrl, fields: {} })
    .registerFunction('url(string): kubernetes.URL', (value: string) => new CelUrl(new URL(value)))
    .registerFunction('kubernetes.URL.getScheme(): string', (value: CelUrl) => value.url.protocol.replace(/:$/, ''))
    .registerFunction('kubernetes.URL.getHost(): string', (value: CelUrl) => value.url.host)
    .registerFunction('kubernetes.URL.getHostname(): string', (value: CelUrl) => value.url.hostname)
    .registerFunction('kubernetes.URL.getPort(): string', (value: CelUrl) => value.url.port)
    .registerFunction('kubernetes.URL.getEscapedPath(): string', (value: CelUrl) => value.url.pathname);
}

/** `oldSelfType` is `optional<dyn>` for rules with `optionalOldSelf`. */
export function celEnvironment(oldSelfType: 'dyn' | 'optional<dyn>'): Environment {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerVariable('self', 'dyn')
    .registerVariable('oldSelf', oldSelfType);
  for (const [signature, handler] of Object.entries(FUNCTIONS))
    environment.registerFunction(signature, handler as (...args: unknown[]) => unknown);
  return registerUrl(environment);
}
