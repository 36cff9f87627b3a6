import { expect, it } from 'vitest';
import { EqualPool } from '../../../src/lib/equal-pool.ts';

it('makes equal values one', () => {
  const pool = new EqualPool(10);
  const one = pool.share([{ type: 'Ready', status: 'True' }]);
  expect(pool.share([{ type: 'Ready', status: 'True' }])).toBe(one);
  expect(pool.share([{ type: 'Ready', status: 'False' }])).not.toBe(one);
});

it('lets nobody change what it gave', () => {
  const [ready] = new EqualPool(10).share([{ type: 'Ready', status: 'True' }]);
  expect(() => Object.assign(ready ?? {}, { status: 'False' })).toThrow(TypeError);
});

it('keeps nothing that is too long to be there twice', () => {
  const pool = new EqualPool(10);
  expect(pool.share([{ message: 'x'.repeat(5000) }])).not.toBe(pool.share([{ message: 'x'.repeat(5000) }]));
  expect(pool.size).toBe(0);
});

it('begins anew when it is full', () => {
  const pool = new EqualPool(2);
  const first = pool.share(['1']);
  pool.share(['2']);
  pool.share(['3']);
  expect(pool.size).toBe(1);
  expect(pool.share(['1'])).not.toBe(first);
});
