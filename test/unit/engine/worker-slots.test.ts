import { beforeEach, expect, test } from 'vitest';
import { WorkerSlots } from '../../../src/engine/controller/worker-slots.ts';

let freed: number;
let rests: WorkerSlots;
beforeEach(() => {
  freed = 0;
  rests = new WorkerSlots(() => void (freed += 1));
});

test('a turn counts once, however many of its calls wait', () => {
  const one = rests.begin();
  one.onWait(true);
  one.onWait(true);
  expect([rests.count, freed]).toEqual([1, 1]);
  one.onWait(false);
  expect(rests.count).toBe(1);
  one.onWait(false);
  expect(rests.count).toBe(0);
});

test('a turn that has ended is not counted for what goes on waiting, nor taken off a second time', () => {
  const [one, other] = [rests.begin(), rests.begin()];
  one.onWait(true);
  other.onWait(true);
  one.end();
  expect(rests.count).toBe(1);
  one.onWait(false);
  one.onWait(true);
  expect(rests.count).toBe(1);
  one.end();
  other.end();
  expect([rests.count, freed]).toEqual([0, 2]);
});
