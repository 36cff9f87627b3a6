import { beforeEach, expect, test } from 'vitest';
import { RecentMap } from '../../../src/lib/recent-map.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

let clock: VirtualClock;
let map: RecentMap<string, number>;
beforeEach(() => {
  clock = new VirtualClock();
  map = new RecentMap(clock, 1000, 3);
});

test('what was not used for the span is gone, without anybody asking for it', async () => {
  map.set('a', 1);
  await clock.advance(600);
  map.set('b', 2);
  await clock.advance(500);
  expect(map.size).toBe(1);
  expect(map.use('a')).toBeUndefined();
  await clock.advance(2000);
  expect(map.size).toBe(0);
});

test('use keeps it for another span', async () => {
  map.set('a', 1);
  await clock.advance(900);
  expect(map.use('a')).toBe(1);
  await clock.advance(900);
  expect(map.use('a')).toBe(1);
  await clock.advance(1000);
  expect(map.use('a')).toBeUndefined();
});

test('the one that was not used for longest makes room', () => {
  for (const key of ['a', 'b', 'c']) map.set(key, 1);
  map.use('a');
  map.set('d', 1);
  expect(['a', 'b', 'c', 'd'].map((key) => map.use(key))).toEqual([1, undefined, 1, 1]);
});

test('a cleared map waits for nothing', () => {
  let waiting = 0;
  const after = (): { cancel: () => void } => {
    waiting += 1;
    return { cancel: () => void (waiting -= 1) };
  };
  const other = new RecentMap({ now: () => 0, monotonic: () => 0, after }, 1000, 3);
  other.set('a', 1);
  expect(waiting).toBe(1);
  other.clear();
  expect([other.size, waiting]).toEqual([0, 0]);
});
