import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { structural } from '../../../src/generate/schema/structural.ts';
import { remoteId } from '../../../src/resource/index.ts';

const field = (schema: z.ZodType, use: 'spec' | 'status' = 'spec') =>
  structural(z.object({ it: schema.describe('It.') }), 'CloudX.spec', use).properties?.['it'];

describe('what a CRD can hold', () => {
  it.each([
    ['text', z.string().min(1).max(9), { type: 'string', minLength: 1, maxLength: 9 }],
    ['an enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
    ['an integer without the bounds of a double', z.int().min(3), { type: 'integer', format: 'int64', minimum: 3 }],
    ['an id that is a number or a string', remoteId(), { minimum: 1, minLength: 1, maxLength: 200, 'x-kubernetes-int-or-string': true }],
    ['a format without its pattern', z.iso.datetime(), { type: 'string', format: 'date-time' }],
    [
      'two patterns',
      z.string().regex(/a/).regex(/b/).max(3),
      { type: 'string', maxLength: 3, allOf: [{ pattern: 'a' }, { pattern: 'b' }] },
    ],
    [
      'a bounded map',
      z.record(z.string(), z.string().max(3)).meta({ maxProperties: 4 }),
      { type: 'object', maxProperties: 4, additionalProperties: { type: 'string', maxLength: 3 } },
    ],
    ['a strict object', z.strictObject({}), { type: 'object', properties: {} }],
    ['a read-only list', z.array(z.boolean()).max(2).readonly(), { type: 'array', maxItems: 2, items: { type: 'boolean' } }],
    [
      'anything, when asked for',
      z.unknown().meta({ 'x-kubernetes-preserve-unknown-fields': true }),
      { 'x-kubernetes-preserve-unknown-fields': true },
    ],
  ])('%s', (_, schema, expected) => expect(field(schema)).toEqual({ description: 'It.', ...expected }));

  it('of a status nothing that may be null is required, because no null is written', () => {
    const list = z.array(z.object({ id: z.int().describe('Id.'), label: z.string().nullable().describe('Label.') }));
    expect(field(list, 'status')?.items?.required).toEqual(['id']);
  });
  it('an enum of a status that may be null', () =>
    expect(field(z.enum(['a']).nullable(), 'status')).toEqual({ description: 'It.', type: 'string', nullable: true, enum: ['a', null] }));
});

describe('what a CRD cannot hold fails with the path', () => {
  it.each([
    ['a union', z.union([z.string().max(3), z.boolean()]), /^ {2}CloudX\.spec\.it: a union is not structural/m],
    ['a date', z.date(), /CloudX\.spec\.it: has no type/],
    ['anything', z.any(), /has no type/],
    ['open objects', z.looseObject({ a: z.boolean().describe('A.') }), /properties and additionalProperties exclude each other/],
    [
      'look-ahead',
      z
        .string()
        .regex(/^(?=a)/)
        .max(3),
      /looks ahead/,
    ],
    [
      'look-behind',
      z
        .string()
        .regex(/(?<!a)b/)
        .max(3),
      /looks ahead or behind/,
    ],
    ['a back-reference', z.string().regex(/(a)\1/).max(3), /back-reference/],
    [
      'repetition beyond RE2',
      z
        .string()
        .regex(/^a{1,1001}$/)
        .max(3),
      /more than 1000/,
    ],
    ['flags of a pattern', z.string().regex(/a/i).max(3), /the flags of \/a\/i would be lost/],
    ['a format that the API server ignores', z.cidrv4(), /ignores this format/],
    ['defaults', z.boolean().default(true), /no defaults/],
    ['null', z.boolean().nullable(), /use optional\(\)/],
    ['unbounded text', z.string(), /needs max\(n\)/],
    ['unbounded lists', z.array(z.boolean()), /an array needs max\(n\)/],
    ['unbounded maps', z.record(z.string(), z.boolean()), /maxProperties/],
    ['a nested field without a description', z.object({ a: z.boolean() }), /CloudX\.spec\.it\.a: needs a description/],
    ['an item of a list', z.array(z.string()).max(1), /CloudX\.spec\.it\[\]: a string needs max/],
    ['examples', z.boolean().meta({ examples: [true] }), /examples has no place in a CRD/],
  ])('%s', (_, schema, message) => expect(() => field(schema)).toThrow(message));

  it('names every field at once', () =>
    expect(() => structural(z.object({ a: z.string(), b: z.date().describe('B.') }), 'S', 'spec')).toThrow(/S\.a:.*\n(.*\n)*.*S\.b:/));
});
