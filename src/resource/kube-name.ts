import * as z from 'zod';
import { matches } from './fields/grammar.ts';

const labelPattern = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?';
const subdomainPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?([.][a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
/** No `..` at the beginning: such files belong to the kubelet. */
export const dataKeyPattern = '[.]?[-_a-zA-Z0-9][-._a-zA-Z0-9]*';

const whole = (pattern: string): RegExp => new RegExp(`^(${pattern})$`);
const subdomain = whole(subdomainPattern);

/** Whether the API server could have an object of this name (DNS-1123 subdomain). Any other must not reach the path of a request. */
export const isObjectName = (text: string): boolean => text.length <= 253 && subdomain.test(text);

/** Checked by admission, and once more by the operator: objects may be older than the rule. */
const text = (max: number, pattern: string, message: string) => {
  const grammar = whole(pattern);
  return z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(max),
      z.refine((value: string) => grammar.test(value), message),
    )
    .meta({ 'x-kubernetes-validations': [{ rule: matches('self', pattern), message }] });
};

const name = text(
  253,
  subdomainPattern,
  'a name has lower-case letters, digits, dashes and periods, and a letter or digit at the ends and beside each period: write for example web-1',
);
const namespace = text(
  63,
  labelPattern,
  'a name has lower-case letters, digits and dashes, and begins and ends with a letter or digit: write for example shop',
);

/** Name of an object in Kubernetes. One schema for all fields, as each takes kilobytes: what is said of a field goes on a copy (`.describe`). */
export const objectName = (): typeof name => name;

/** Name of a namespace; one schema for all fields. */
export const namespaceName = (): typeof namespace => namespace;

/** Key in a Secret or a ConfigMap. */
export const dataKey = (of = 'a Secret', example = 'password') =>
  text(253, dataKeyPattern, `a key of ${of} has letters, digits, dashes, underscores and periods: write for example ${example}`);
