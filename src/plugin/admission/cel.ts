import { Environment } from '@marcbachmann/cel-js';
import type { Structural } from '../../generate/schema/structural-schema.ts';
import type { Row } from '../../resource/index.ts';

const cel = new Environment({ unlistedVariablesAreDyn: true });
cel.registerFunction('list.sum(): int', (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n));

/** CEL has integers; JSON read by JavaScript has not. */
function celValue(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value;
  if (Array.isArray(value)) return value.map(celValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, celValue(item)]));
}

/** Whether a rule of a CRD holds. Throws where the rule itself fails on these values. */
export function holds(rule: string, variables: Row): boolean {
  const result = cel.parse(rule)(celValue(variables) as Record<string, unknown>) as unknown;
  if (typeof result !== 'boolean') throw new Error(`${rule} gave ${String(result)}, not a boolean`);
  return result;
}

/** Messages of the rules that do not hold, at this node and everywhere below. With `oldSelf` those about updates count too. */
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
