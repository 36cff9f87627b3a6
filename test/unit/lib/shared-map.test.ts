import { expect, it } from 'vitest';
import { SharedMap } from '../../../src/lib/shared-map.ts';

it('keeps what an owner with few has, however much another puts in', () => {
  const map = new SharedMap<number>(10);
  map.set('mine', 'a', 1);
  for (let index = 0; index < 1000; index += 1) map.set(`theirs-${index}`, 'b', index);
  expect([map.size, map.get('mine'), map.has('theirs-990'), map.get('theirs-991')]).toEqual([10, 1, false, 991]);
});

it('drops the oldest of one owner, of which what is set again is none', () => {
  const map = new SharedMap<number>(3);
  for (const key of ['a', 'b', 'c']) map.set(key, 'one', 1);
  map.set('a', 'one', 2);
  map.set('d', 'one', 1);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([2, undefined, 1, 1]);
});

it('counts an entry for whoever set it last, and forgets what is taken out', () => {
  const map = new SharedMap<number>(2);
  map.set('x', 'one', 1);
  map.set('x', 'two', 2);
  map.set('y', 'two', 3);
  map.set('z', 'one', 4);
  expect([map.has('x'), map.get('y'), map.get('z')]).toEqual([false, 3, 4]);
  for (const key of ['x', 'y', 'z']) map.delete(key);
  expect([map.size, map.get('y')]).toEqual([0, undefined]);
});
