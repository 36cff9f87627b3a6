import { expect, it } from 'vitest';
import * as z from 'zod';
import { accountId, configMapKey, namingTexts, optional, prefixedId, secretKey, sitesOf } from '../../../src/resource/index.ts';

it('finds what is marked wherever it is, also where it was described after it was marked', () => {
  const inner = z.object({ external: accountId().describe('an id'), list: z.array(accountId().describe('an id')) });
  const spec = z.object({
    id: accountId().describe('an id'),
    maybe: optional(accountId(), 'an id'),
    image: prefixedId().describe('an image'),
    script: optional(z.string().register(namingTexts, { names: () => [] }), 'a script'),
    scriptFrom: configMapKey(() => []).describe('where one is'),
    password: secretKey().describe('a password'),
    deep: optional(inner, 'ids'),
    plain: z.int().describe('a number'),
  });
  expect(sitesOf(spec).map(({ at, what }) => `${at.join('.')}: ${what.is}`)).toEqual([
    'id: accountId',
    'maybe: accountId',
    'image: prefixedId',
    'script: text',
    'scriptFrom: configMap',
    'password: secret',
    'deep.external: accountId',
    'deep.list.*: accountId',
  ]);
});
