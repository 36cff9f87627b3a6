import { describe, expect, test } from 'vitest';
import { schemaOf } from '../../../src/generate/schema/schema.ts';
import { kinds } from '../../../src/generated/kinds.ts';
import { type Schema, shortcomings } from '../../../src/kube/definitions/crd-fit.ts';

const all = (ours: object, served: object): readonly string[] => [...shortcomings(ours, served)];
const object = (properties: Record<string, object>, more: object = {}): object => ({ type: 'object', properties, ...more });
const rule = (text: string): object => ({ 'x-kubernetes-validations': [{ rule: text, message: 'no' }] });

describe('a served schema fits', () => {
  test.each(kinds)('$kind: its own', (kind) => {
    expect(all(schemaOf(kind), JSON.parse(JSON.stringify(schemaOf(kind))) as object)).toEqual([]);
  });
  test.each<readonly [string, object, object]>([
    ['with another field', object({ a: {} }), object({ a: {}, b: { type: 'string' } })],
    ['with another field deeper', object({ a: { items: object({}) } }), object({ a: { items: object({ b: {} }) } })],
    ['with another text', { description: 'a' }, { description: 'b' }],
    ['with another choice', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['that lets one choose freely', { enum: ['a'] }, {}],
    ['with wider bounds', { minimum: 2, maxLength: 5 }, { minimum: 1, maxLength: 6 }],
    ['without bounds', { minimum: 2, maxLength: 5, pattern: '^a' }, {}],
    ['that asks for less', { required: ['a', 'b'] }, { required: ['a'] }],
    ['that admits null', {}, { nullable: true }],
    ['that keeps anything', object({ a: {} }), { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }],
    ['with fewer rules', { ...object({ a: {} }), ...rule('self.a > 1') }, object({ a: {} })],
    ['with a rule about what came', object({ a: {} }), object({ a: {}, b: {} }, rule('!has(self.a) || !has(self.b)'))],
    [
      'with a rule about what came deeper',
      object({ a: object({}) }),
      object({ a: object({ b: {} }) }, rule('has(self.a) && has(self.a.b)')),
    ],
    ['with another map of texts', { additionalProperties: { maxLength: 3 } }, { additionalProperties: { maxLength: 4 } }],
  ])('%s', (_name, ours, served) => expect(all(ours, served)).toEqual([]));
});

describe('a served schema does not fit', () => {
  test.each<readonly [string, object, object, string]>([
    ['without a field', object({ a: {} }), object({}), 'a is not in it'],
    ['without a field of a list', object({ a: { items: object({ b: {} }) } }), object({ a: { items: object({}) } }), 'a[].b is not in it'],
    ['that keeps not all', { 'x-kubernetes-preserve-unknown-fields': true }, {}, 'not every field is kept'],
    [
      'that describes what was free',
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      { 'x-kubernetes-preserve-unknown-fields': true, ...object({ a: {} }) },
      'a may not be anything',
    ],
    ['without a choice', object({ a: { enum: ['x', 'y'] } }), object({ a: { enum: ['y'] } }), 'a: x is refused'],
    ['with choices', { type: 'string' }, { type: 'string', enum: ['x'] }, 'any value is refused'],
    ['with a tighter bound', { maximum: 10 }, { maximum: 9 }, 'maximum is 9, not 10'],
    ['with a new bound', {}, { minItems: 1 }, 'minItems is 1'],
    ['with a bound that is not reached', { minimum: 1 }, { minimum: 1, exclusiveMinimum: true }, 'exclusiveMinimum is another'],
    ['with another pattern', { pattern: 'a' }, { pattern: 'b' }, 'pattern is another'],
    ['that asks for more', object({ a: {} }), object({ a: {}, b: {} }, { required: ['b'] }), 'b is required'],
    ['of another type', object({ a: { type: 'string' } }), object({ a: { type: 'integer' } }), 'a: type is another'],
    ['with a default', object({ a: {} }), object({ a: { default: 1 } }), 'a: default is another'],
    ['that merges lists otherwise', { 'x-kubernetes-list-type': 'map' }, {}, 'x-kubernetes-list-type is another'],
    ['that refuses null', { nullable: true }, {}, 'nullable is gone'],
    ['with a rule about what was', object({ a: {} }), object({ a: {} }, rule('self.a > 1')), 'a rule is not ours: self.a > 1'],
    [
      'with a rule that names what came in a part of a word',
      object({ ab: {} }),
      object({ ab: {}, a: {} }, rule('self.ab > 1')),
      'a rule is not ours: self.ab > 1',
    ],
    ['with a keyword that is not known here', {}, { 'x-kubernetes-of-tomorrow': 1 }, 'x-kubernetes-of-tomorrow is another'],
    ['without a map', { additionalProperties: {} }, {}, '* is not in it'],
  ])('%s', (_name, ours, served, says) => expect(all(ours, served)).toEqual([says]));

  // Whatever one field less there is, of whatever kind: an older release never fits.
  test.each(kinds)('$kind: without any one of its fields', (kind) => {
    const ours = schemaOf(kind);
    const paths = pathsOf(ours);
    expect(paths.length).toBeGreaterThan(50);
    const fitting = paths.filter((path) => all(ours, without(ours, path)).length === 0);
    expect(fitting).toEqual([]);
  });
});

type Path = readonly string[];
const pathsOf = ({ properties, items }: Schema): readonly Path[] => [
  ...Object.entries(properties ?? {}).flatMap(([name, node]) => [[name], ...pathsOf(node).map((path) => [name, ...path])]),
  ...(items === undefined ? [] : pathsOf(items).map((path) => ['[]', ...path])),
];

function without(schema: Schema, [first, ...rest]: Path): Schema {
  if (first === undefined) return schema;
  if (first === '[]') return { ...schema, items: without(schema.items ?? {}, rest) };
  const { [first]: node, ...others } = schema.properties ?? {};
  return { ...schema, properties: rest.length === 0 ? others : { ...others, [first]: without(node ?? {}, rest) } };
}
