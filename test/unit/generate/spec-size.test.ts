import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../../src/generate/schema/schema.ts';
import { schemaAt, type Structural } from '../../../src/generate/schema/structural-schema.ts';
import { kinds } from '../../../src/generated/kinds.ts';

/** The operator keeps all objects in memory, also those that are refused: a tenant must not fill it with a few of them. */
const most = 512 * 1024;
/** Of what has no length of its own: numbers, times, words. */
const scalar = 40;

/** Characters of the largest value that the schema admits, names of fields with them. */
function largest(node: Structural): number {
  if (node.type === 'string') return longest(node);
  if (node.type === 'array') return Math.min((node.maxItems ?? Infinity) * largest(node.items ?? {}), togetherAtMost(node));
  if (node.properties !== undefined) return largestFields(node, Object.entries(node.properties));
  if (node.additionalProperties !== undefined) return (node.maxProperties ?? Infinity) * (scalar + largest(node.additionalProperties));
  return scalar;
}

const longest = ({ enum: words, maxLength, format }: Structural): number =>
  words === undefined ? (maxLength ?? (format === undefined ? Infinity : scalar)) : Math.max(...words.map((word) => String(word).length));

/** Two lists may have one bound together; then the one of larger elements has it all. */
function largestFields(node: Structural, fields: readonly (readonly [string, Structural])[]): number {
  const shared = (node['x-kubernetes-validations'] ?? []).map(({ rule }) => bothAtMost.exec(rule)).find((found) => found !== null);
  const [, one, other, bound] = shared ?? [];
  const apart = fields.filter(([name]) => name !== one && name !== other);
  const together = fields.filter(([name]) => name === one || name === other).map(([, list]) => Number(bound) * largest(list.items ?? {}));
  return sum(apart.map(([name, field]) => name.length + largest(field))) + Math.max(0, ...together);
}
const bothAtMost = /^\(has\(self\.(\w+)\) \? size\(self\.\1\) : 0\) \+ \(has\(self\.(\w+)\) \? size\(self\.\2\) : 0\) <= (\d+)$/u;

/** What a rule says of the text of all elements together, and what they have beside it. */
function togetherAtMost({ 'x-kubernetes-validations': rules = [], maxItems = 0, items = {} }: Structural): number {
  const bound = rules.map(({ rule }) => /^self\.map\(.*\)\.sum\(\) <= (\d+)$/u.exec(rule)?.[1]).find((found) => found !== undefined);
  const texts = items.type === 'string' ? [items] : Object.values(items.properties ?? {});
  const beside = largest(items) - Math.max(...texts.map(largest));
  return bound === undefined ? Infinity : Number(bound) + maxItems * beside;
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);

/** Accounts are written by administrators. */
const tenants = kinds.filter(({ mode }) => mode !== 'connection').map((kind) => ({ kind }));

describe('the largest spec that admission lets pass', () => {
  it.each(tenants)('of $kind.kind is at most half a megabyte', ({ kind }) => {
    const spec = schemaAt(schemaOf(kind), '.spec');
    expect(spec && largest(spec)).toBeLessThanOrEqual(most);
  });
});
