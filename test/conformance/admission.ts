import { Environment } from '@marcbachmann/cel-js';
import { schemaOf } from '../../src/generate/schema.ts';
import type { Structural } from '../../src/generate/structural-schema.ts';
import { type AnyKind, erase, type Row } from '../../src/resource/index.ts';

const cel = new Environment({ unlistedVariablesAreDyn: true });

/** CEL has integers; JSON read by JavaScript has not. */
function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, celValue(item)]));
}

const specSchema = (kind: AnyKind): Structural => schemaOf(kind).properties?.['spec'] ?? {};

/** What the API server would say to this spec: by its schema first, then by its CEL rules; `before` makes it an update. */
export function refusals(kind: unknown, spec: Row, before?: Row): readonly string[] {
  const erased = erase(kind);
  const shape = erased.spec.safeParse(spec);
  const bySchema = shape.success ? [] : shape.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (bySchema.length > 0) return bySchema;
  return [...broken(specSchema(erased), spec, before), ...(before === undefined ? [] : ofObject(erased, spec, before))];
}

/** What the rules of the whole object say, where the account has what the spec said before. */
function ofObject(kind: AnyKind, spec: Row, before: Row): readonly string[] {
  const status = { ...before };
  return (schemaOf(kind)['x-kubernetes-validations'] ?? []).flatMap(({ rule, message }) =>
    holds(rule, { self: { spec, status }, oldSelf: { spec: before, status } }) ? [] : [message],
  );
}

/** Only what the rules about updates say; a rule that fails on these values counts as silent. */
export const refusalsOfUpdate = (kind: AnyKind, spec: Row, before: Row): readonly string[] => [
  ...(specSchema(kind)['x-kubernetes-validations'] ?? []).flatMap(({ rule, message }) => {
    if (!rule.includes('oldSelf')) return [];
    try {
      return holds(rule, { self: spec, oldSelf: before }) ? [] : [message];
    } catch {
      return [];
    }
  }),
  ...ofObject(kind, spec, before),
];

/** Messages of the rules that do not hold, at this node and everywhere below. */
export function broken(schema: Structural, self: unknown, oldSelf?: unknown): readonly string[] {
  const here = (schema['x-kubernetes-validations'] ?? []).flatMap(({ rule, message }) => {
    const transition = rule.includes('oldSelf');
    if (transition && oldSelf === undefined) return [];
    return holds(rule, transition ? { self, oldSelf } : { self }) ? [] : [message];
  });
  return [...here, ...below(schema, self, oldSelf)];
}

function below(schema: Structural, self: unknown, oldSelf: unknown): readonly string[] {
  const { items, properties = {} } = schema;
  if (Array.isArray(self)) return items ? self.flatMap((item) => broken(items, item, counterpart(schema, item, oldSelf))) : [];
  if (typeof self !== 'object' || self === null) return [];
  const old = (oldSelf ?? {}) as Row;
  return Object.entries(self as Row).flatMap(([key, value]) =>
    properties[key] && value !== undefined ? broken(properties[key], value, old[key]) : [],
  );
}

/** An element of a map list is the old one of the same key; elements of any other list have no past. */
function counterpart(schema: Structural, item: unknown, old: unknown): unknown {
  const keys = schema['x-kubernetes-list-map-keys'];
  if (keys === undefined || !Array.isArray(old)) return undefined;
  return (old as Row[]).find((one) => keys.every((key) => one[key] === (item as Row)[key]));
}

function holds(rule: string, variables: Row): boolean {
  const result = cel.parse(rule)(celValue(variables) as Record<string, unknown>) as unknown;
  if (typeof result !== 'boolean') throw new Error(`${rule} gave ${String(result)}, not a boolean`);
  return result;
}
