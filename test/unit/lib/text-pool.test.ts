import { expect, test } from 'vitest';
import { TextPool } from '../../../src/lib/text-pool.ts';

const parsed = (): object => JSON.parse('{"a":"the same text","b":["the same text",1,null,{"c":"another text"}]}') as object;

test('what was shared is as it was', () => {
  const pool = new TextPool(10);
  expect(pool.share(parsed())).toEqual(parsed());
  expect(pool.share({ a: undefined, b: new Map() })).toEqual({ a: undefined, b: new Map() });
});

test('a full pool begins anew, and still answers with the same texts', () => {
  const pool = new TextPool(2);
  for (let n = 0; n < 5; n += 1) expect(pool.share({ text: `text ${n}`, other: 'other' })).toEqual({ text: `text ${n}`, other: 'other' });
});
