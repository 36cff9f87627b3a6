import { expect, it } from 'vitest';
import { Newborn } from '../../../src/engine/create/newborn.ts';
import { Evidence } from '../../../src/engine/run/evidence.ts';

it('what an object deleted is remembered for it alone, and forgotten with it', () => {
  const evidence = new Evidence();
  evidence.deleted('first', '/buckets/a');
  expect(evidence.wasDeleted('first', '/buckets/a')).toBe(true);
  expect(evidence.wasDeleted('second', '/buckets/a')).toBe(false);
  evidence.mayExistAgain('first', '/buckets/a');
  expect(evidence.wasDeleted('first', '/buckets/a')).toBe(false);
  evidence.deleted('first', '/buckets/b');
  evidence.forget('first');
  expect(evidence.wasDeleted('first', '/buckets/b')).toBe(false);
});

it('births are forgotten, those of places where nothing is made any more too', () => {
  const newborn = new Newborn();
  newborn.note('a', { path: '/a/1', row: {}, at: 0 }, -100);
  newborn.note('b', { path: '/b/1', row: {}, at: 50 }, -50);
  newborn.note('c', { path: '/c/1', row: {}, at: 120 }, 20);
  expect(newborn.since('a', -1000)).toEqual([]);
  expect(newborn.since('b', -1000)).toHaveLength(1);
  expect(newborn.since('c', -1000)).toHaveLength(1);
});
