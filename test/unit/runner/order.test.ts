import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { longest, longestFirst } from '../../runner/order.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

it.each(longest)('%s, which is begun early, is there', (file) => expect(existsSync(root + file)).toBe(true));

it('files that wait longest come first, the others stay in their order', () => {
  const [slowest = '', slow = ''] = longest;
  const files = ['test/b.test.ts', slow, 'test/a.test.ts', slowest].map((file) => ({ moduleId: `/somewhere/${file}` }));
  expect(longestFirst(files).map(({ moduleId }) => moduleId.replace('/somewhere/', ''))).toEqual([
    slowest,
    slow,
    'test/b.test.ts',
    'test/a.test.ts',
  ]);
});
