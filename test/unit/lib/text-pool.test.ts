import { expect, test } from 'vitest';
import { keepTexts, TextPool } from '../../../src/lib/text-pool.ts';

const parsed = (): object => JSON.parse('{"a":"the same text","b":["the same text",1,null,{"c":"another text"}]}') as object;

test('what was shared is as it was', () => {
  const pool = new TextPool(10);
  expect(pool.share(parsed())).toEqual(parsed());
  expect(pool.share({ a: undefined, b: new Map() })).toEqual({ a: undefined, b: new Map() });
});

test('each text is kept once, however often it comes', () => {
  const pool = new TextPool(10);
  for (let n = 0; n < 5; n += 1) pool.share(parsed());
  expect(pool.size).toBe(2);
});

test('texts that nobody repeats do not stay for ever', () => {
  const pool = new TextPool(3);
  for (let n = 0; n < 100; n += 1) expect(pool.share({ text: `text ${n}` })).toEqual({ text: `text ${n}` });
  expect(pool.size).toBeLessThanOrEqual(3);
});

test('long ones are not kept', () => {
  const pool = new TextPool(3);
  expect(pool.share({ userData: 'x'.repeat(65) })).toEqual({ userData: 'x'.repeat(65) });
  expect(pool.size).toBe(0);
});

const newer = (): object => ({ uid: 'u', resourceVersion: '2', annotations: { remote: 'r' }, finalizers: Object.freeze(['f']) });
test('a newer version that keeps the texts of the older one is as it came', () => {
  const kept = newer();
  keepTexts({ uid: 'u', resourceVersion: '1', annotations: { remote: 'r', pause: 'true' }, finalizers: ['f'] }, kept);
  expect(kept).toEqual(newer());
});
