import { describe, expect, it } from 'vitest';
import { schemaOf } from '../../../src/generate/schema/schema.ts';
import type { Structural } from '../../../src/generate/schema/structural-schema.ts';
import { kinds } from '../../../src/generated/kinds.ts';

/** Dotted paths of all fields of a spec, and what stands there. */
const walk = (schema: Structural, at: string): readonly (readonly [string, Structural])[] =>
  Object.entries((schema.items ?? schema).properties ?? {}).flatMap(([name, field]) => [
    [`${at}${name}`, field] as const,
    ...walk(field, `${at}${name}.`),
  ]);
const specs = kinds.map((kind) => [kind.kind, walk(schemaOf(kind).properties?.['spec'] ?? {}, '')] as const);

describe.each(specs)('the spec of %s', (_, fields) => {
  /** A namespace in a reference lets one tenant reach for another's objects, unless the target must admit it. */
  it('names a namespace only where the other side must admit it', () => {
    const found = fields
      .filter(([path]) => path.endsWith('.namespace'))
      .filter(([path, field]) => path !== 'accountRef.namespace' && !/must admit/.test(field.description ?? ''));
    expect(found.map(([path]) => path)).toEqual([]);
  });
  it('holds no secret in clear', () => {
    const named = fields.filter(([path, field]) => /(password|token|secret|privateKey)$/i.test(path) && field.type === 'string');
    expect(named.map(([path]) => path)).toEqual([]);
  });
  it('has a schema for everything, so that nothing is stored unseen', () =>
    expect(fields.filter(([, field]) => field['x-kubernetes-preserve-unknown-fields']).map(([path]) => path)).toEqual([]));
});
