import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTemplate, matches, namesIn, rendered, templatePattern } from '../../../src/resource/index.ts';

const names = ['host', 'private-ipv4', 'BUCKET_NAME'];
const values = { host: 'a b/"c"', 'private-ipv4': null, BUCKET_NAME: undefined };

describe('the text of an output', () => {
  it.each([
    ['host', 'a b/"c"'],
    ['http://{host}/', 'http://a b/"c"/'],
    ['?q={host:uri}&', '?q=a%20b%2F%22c%22&'],
    ['{host:base64}', 'YSBiLyJjIg=='],
    ['{"hosts": [{host:json}]}', '{"hosts": ["a b/\\"c\\""]}'],
    ['} {host} {', '} a b/"c" {'],
    ['private-ipv4', null],
    ['{host}{private-ipv4}', null],
    ['BUCKET_NAME', undefined],
    ['{private-ipv4}{BUCKET_NAME}', undefined],
  ])('%s becomes %s', (template, text) => expect(rendered(template, values)).toBe(text));
  it('names the outputs that it needs', () => expect(namesIn('{"a": {host:json}, "b": "{BUCKET_NAME}"}')).toEqual(['host', 'BUCKET_NAME']));

  const piece = fc.constantFrom(
    '{',
    '}',
    '{{',
    'host',
    '{host}',
    '{host:uri}',
    '{host:hex}',
    '{BUCKET_NAME:json}',
    'x',
    ' ',
    '\n',
    ':',
    '"',
    '{}',
    'é',
  );
  it('is admitted exactly where the operator can write it', () => {
    const admits = new RegExp(matches('', templatePattern(names)).slice(".matches('".length, -2));
    const known = new Set(names);
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('');
        expect([text, admits.test(text)]).toEqual([text, isTemplate(text, known)]);
      }),
      { numRuns: 2000 },
    );
  });
});
