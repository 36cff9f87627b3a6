import { expect, test } from 'vitest';
import { createRng } from './contract/rng.ts';
import { testClock } from './test-clock.ts';

test('callbacks run in order of time, then of arrival, at their own time', () => {
  const clock = testClock(0);
  const rng = createRng(3);
  const ran: [number, number, number][] = [];
  for (let order = 0; order < 500; order += 1) {
    const at = rng.integer(0, 40);
    clock.after(at, () => ran.push([at, order, clock.monotonic()]));
  }
  clock.advance(100);
  expect(ran).toHaveLength(500);
  expect(ran).toEqual(ran.toSorted((left, right) => left[0] - right[0] || left[1] - right[1]));
  expect(ran.every(([at, , seen]) => at === seen)).toBe(true);
  expect([clock.now(), clock.next()]).toEqual([100, undefined]);
});

test('cancelled callbacks do not run; callbacks may add others', () => {
  const clock = testClock(0);
  const ran: string[] = [];
  const timer = clock.after(5, () => ran.push('cancelled'));
  clock.after(5, () => clock.after(5, () => ran.push(`nested at ${clock.monotonic()}`)));
  timer.cancel();
  clock.advance(9);
  expect([ran, clock.next()]).toEqual([[], 1]);
  clock.advance(1);
  expect(ran).toEqual(['nested at 10']);
});
