import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

interface Schema {
  readonly description?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
const file = (name: string): string => readFileSync(new URL(`../../../charts/cloud-operator/${name}`, import.meta.url), 'utf8');
const schema = JSON.parse(file('values.schema.json')) as Schema;
const values = parse(file('values.yaml')) as Readonly<Record<string, unknown>>;

/** Paths of the values that the schema closes: objects with properties of their own. */
const inSchema = (node: Schema, at = ''): readonly string[] =>
  Object.entries(node.properties ?? {}).flatMap(([name, below]) => [`${at}${name}`, ...inSchema(below, `${at}${name}.`)]);
const described = (node: Schema, at = ''): readonly string[] =>
  Object.entries(node.properties ?? {}).flatMap(([name, below]) => [
    ...(below.description || at.endsWith('[].') ? [] : [`${at}${name}`]),
    ...described(below, `${at}${name}.`),
    ...(below.items?.description ? described(below.items, `${at}${name}.`) : []),
  ]);

describe('the values of the chart', () => {
  it('are all described', () => expect(described(schema)).toEqual([]));
  it('are in the file of defaults, as far as they have one', () => {
    const missing = inSchema(schema).filter(
      (path) => path.split('.').reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], values) === undefined,
    );
    expect(missing).toEqual(['global']);
  });
});
