import { describe, expect, it } from 'vitest';
import { type Schema, schemaChanges } from '../../../src/release/about/api-changes.ts';

/** A schema with one field `a` in `spec`. */
const spec = (a: Schema | undefined, more: Partial<Schema> = {}): Schema => ({
  properties: { spec: { ...more, properties: a === undefined ? {} : { a } } },
});
const said = (before: Schema, after: Schema) =>
  schemaChanges(before, after).map(({ breaking, text }) => `${breaking ? 'breaks' : 'may'}: ${text}`);
const text = { type: 'string' };

describe('changes of a schema', () => {
  it.each<readonly [string, Schema, Schema, readonly string[]]>([
    ['none', spec(text), spec(text), []],
    ['a field more', spec(undefined), spec(text), ['may: `spec.a` is new']],
    [
      'a field that must be set',
      spec(undefined),
      spec(text, { required: ['a'] }),
      ['breaks: `spec.a` is required', 'may: `spec.a` is new'],
    ],
    ['a field less', spec(text), spec(undefined), ['breaks: `spec.a` is gone']],
    ['a field less that had to be set', spec(text, { required: ['a'] }), spec(undefined), ['breaks: `spec.a` is gone']],
    ['a field that may be left out', spec(text, { required: ['a'] }), spec(text), ['may: `spec.a` may be left out']],
    ['another type', spec(text), spec({ type: 'integer' }), ['breaks: `spec.a`: type was "string", is "integer"']],
    ['a first bound', spec(text), spec({ ...text, maxLength: 9 }), ['breaks: `spec.a`: maxLength was none, is 9']],
    ['a higher maximum', spec({ maximum: 1 }), spec({ maximum: 2 }), ['may: `spec.a`: maximum was 1, is 2']],
    ['a lower maximum', spec({ maximum: 2 }), spec({ maximum: 1 }), ['breaks: `spec.a`: maximum was 2, is 1']],
    ['a higher minimum', spec({ minimum: 1 }), spec({ minimum: 2 }), ['breaks: `spec.a`: minimum was 1, is 2']],
    ['a lower minimum', spec({ minimum: 2 }), spec({ minimum: 1 }), ['may: `spec.a`: minimum was 2, is 1']],
    ['no bound any more', spec({ minimum: 2 }), spec({}), ['may: `spec.a`: minimum was 2, is none']],
    [
      'other words',
      spec({ enum: ['x', 'y'] }),
      spec({ enum: ['y', 'z'] }),
      ['breaks: `spec.a` does not take "x" any more', 'may: `spec.a` takes "z" too'],
    ],
    ['words for what was free', spec(text), spec({ ...text, enum: ['x'] }), ['breaks: `spec.a` takes only "x"']],
    ['a field of an item', spec({ items: spec(text) }), spec({ items: spec(undefined) }), ['breaks: `spec.a[].spec.a` is gone']],
    [
      'a field of a map',
      spec({ additionalProperties: spec(text) }),
      spec({ additionalProperties: spec(undefined) }),
      ['breaks: `spec.a.*.spec.a` is gone'],
    ],
    [
      'a field that is called like a method',
      spec(text),
      { properties: { spec: { properties: { a: text, toString: text } } } },
      ['may: `spec.toString` is new'],
    ],
    [
      'other rules',
      { 'x-kubernetes-validations': [{ rule: 'old' }] },
      { 'x-kubernetes-validations': [{ rule: 'new', message: 'Not so.' }] },
      ['breaks: the object is held to a new rule: Not so.', 'may: the object is no longer held to the rule: old'],
    ],
  ])('%s', (_, before, after, lines) => expect(said(before, after)).toEqual(lines));
});
