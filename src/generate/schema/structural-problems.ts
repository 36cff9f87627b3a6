import { regexProblem } from './regex.ts';

/** `spec` is what people write: every size is bounded and nothing has a default. `status` is what the operator writes. */
export type Use = 'spec' | 'status';
/** One schema object as zod gives it. */
export type Node = Readonly<Record<string, unknown>>;

/** Keys that a CRD takes over as they are, in the order in which they are printed. */
export const plain = [
  'description',
  'type',
  'format',
  'nullable',
  'enum',
  'minimum',
  'exclusiveMinimum',
  'maximum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'x-kubernetes-int-or-string',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
] as const;
const nested = ['properties', 'required', 'items', 'additionalProperties', 'allOf', 'anyOf', 'default'];
/** Hints of zod's for other readers, which a CRD has no place for. */
const dropped = ['readOnly', 'contentEncoding', '$schema'];
const known = new Set<string>([...plain, ...nested, ...dropped]);

/** Formats that the API server checks; it would silently ignore any other. */
const formats = new Set<unknown>(['date-time', 'date', 'uri', 'email', 'hostname', 'ipv4', 'ipv6', 'uuid', 'int32', 'int64', 'double']);

interface Demand {
  readonly broken: (node: Node) => boolean;
  readonly problem: string;
}

const shape: readonly Demand[] = [
  {
    broken: (node) => node['anyOf'] !== undefined,
    problem: 'a union is not structural; write a flat object with a CEL rule, an enum, or remoteId()',
  },
  {
    broken: (node) =>
      !node['anyOf'] && !node['type'] && !node['x-kubernetes-int-or-string'] && !node['x-kubernetes-preserve-unknown-fields'],
    problem: 'has no type that a CRD can hold',
  },
  {
    broken: (node) => node['properties'] !== undefined && isObject(node['additionalProperties']),
    problem: 'properties and additionalProperties exclude each other',
  },
  { broken: (node) => node['type'] === 'array' && !node['items'], problem: 'an array needs a type of its items' },
  {
    broken: (node) => node['format'] !== undefined && !formats.has(node['format']),
    problem: 'the API server ignores this format; write a pattern instead',
  },
];

const written: readonly Demand[] = [
  {
    broken: (node) => node['default'] !== undefined,
    problem: 'a spec has no defaults: they would show up as differences in Git',
  },
  { broken: (node) => node['nullable'] === true, problem: 'use optional() instead of nullable(): an absent field is "not managed"' },
  {
    broken: (node) => node['type'] === 'string' && !node['enum'] && !node['format'] && node['maxLength'] === undefined,
    problem: 'a string needs max(n): it bounds the cost of admission',
  },
  {
    broken: (node) => node['type'] === 'array' && node['maxItems'] === undefined,
    problem: 'an array needs max(n): it bounds the cost of admission',
  },
  {
    broken: (node) => node['type'] === 'object' && !node['properties'] && node['maxProperties'] === undefined,
    problem: 'a record needs meta({ maxProperties: n }): it bounds the cost of admission',
  },
];

/** Why a CRD cannot hold this node itself; its children are not looked at. */
export const problems = (node: Node, use: Use): readonly string[] => [
  ...Object.keys(node)
    .filter((key) => !known.has(key))
    .map((key) => `${key} has no place in a CRD; write objects, arrays, enums and scalars`),
  ...[...shape, ...(use === 'spec' ? written : [])].filter(({ broken }) => broken(node)).map(({ problem }) => problem),
  ...patterns(node).flatMap((pattern) => regexProblem(pattern) ?? []),
];

const patterns = (node: Node): readonly string[] =>
  [node['pattern'], ...((node['allOf'] ?? []) as Node[]).map(({ pattern }) => pattern)].filter((pattern) => typeof pattern === 'string');

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
