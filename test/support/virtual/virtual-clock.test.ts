import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { sleep } from '../../../src/lib/clock.ts';
import { VirtualClock } from './virtual-clock.ts';

describe('virtual clock', () => {
  test('timers fire in order of due time, then of creation', async () => {
    const clock = new VirtualClock({ start: 1_000 });
    const fired: string[] = [];
    for (const [name, delay] of [
      ['c', 20],
      ['a', 10],
      ['b', 10],
      ['now', 0],
    ] as const)
      clock.after(delay, () => fired.push(`${name}@${clock.now()}`));
    await clock.advance(20);
    expect(fired).toEqual(['now@1000', 'a@1010', 'b@1010', 'c@1020']);
  });

  test('a timer does not fire early, nor after it was cancelled', async () => {
    const clock = new VirtualClock();
    let fired = 0;
    clock.after(11, () => (fired += 1));
    clock.after(5, () => (fired += 10)).cancel();
    await clock.advance(10);
    expect(fired).toBe(0);
    await clock.advance(1);
    expect(fired).toBe(1);
  });

  test('promise chains, nextTick, immediates and file reads finish before time moves on', async () => {
    const clock = new VirtualClock();
    const seen: number[] = [];
    clock.after(10, () => void longWork().then(() => seen.push(clock.monotonic())));
    clock.after(11, () => seen.push(clock.monotonic()));
    await clock.advance(50);
    expect(seen).toEqual([10, 11]);
  });

  test('work begun by a sleeping promise is in time order with everybody else', async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    const loop = async (name: string, every: number): Promise<void> => {
      for (let i = 0; i < 3; i += 1) {
        await sleep(clock, every);
        seen.push(`${name}${clock.monotonic()}`);
      }
    };
    const both = Promise.all([loop('x', 10), loop('y', 15)]);
    await clock.advance(100);
    await both;
    expect(seen).toEqual(['x10', 'y15', 'x20', 'y30', 'x30', 'y45']);
  });

  test('tracked real work holds virtual time still', async () => {
    const clock = new VirtualClock();
    let at = -1;
    clock.after(
      10,
      () => void clock.activity.track(new Promise((resolve) => setTimeout(resolve, 30))).then(() => (at = clock.monotonic())),
    );
    clock.after(11, () => undefined);
    await clock.advance(100);
    expect(at).toBe(10);
  });

  test('runUntil stops at the instant, and says what was pending when it gives up', async () => {
    const clock = new VirtualClock();
    let done = false;
    clock.after(70, () => (done = true));
    expect(await clock.runUntil(() => done, 1_000)).toBe(70);
    clock.after(5_000, () => undefined);
    await expect(clock.runUntil(() => false, 100)).rejects.toThrow(/within 100 ms of virtual time; 1 timers wait, the next in 4900 ms/);
    expect(clock.monotonic()).toBe(170);
  });

  test('the timers of a killed process never fire', async () => {
    const clock = new VirtualClock();
    const process = clock.spawn();
    let fired = 0;
    process.clock.after(10, () => (fired += 1));
    process.kill();
    process.clock.after(10, () => (fired += 1));
    await clock.advance(100);
    expect([fired, process.alive]).toEqual([0, false]);
  });

  test('a wall-clock jump moves no timer', async () => {
    const clock = new VirtualClock({ start: 0 });
    let at = 0;
    clock.after(100, () => (at = clock.monotonic()));
    clock.jumpWallClock(-3_600_000);
    await clock.advance(100);
    expect([at, clock.now()]).toEqual([100, -3_599_900]);
  });

  test('a failure reported by the test machinery surfaces in the next settling', async () => {
    const clock = new VirtualClock();
    clock.activity.fail(new Error('bug in a backend'));
    await expect(clock.settle()).rejects.toThrow('bug in a backend');
    await clock.settle();
  });

  test('two clocks in one process settle beside each other', async () => {
    const clocks = [new VirtualClock(), new VirtualClock()];
    const reached = clocks.map(async (clock) => {
      for (let n = 0; n < 50; n += 1) clock.after(n, () => void longWork());
      await clock.advance(100);
      return clock.monotonic();
    });
    expect(await Promise.all(reached)).toEqual([100, 100]);
  });

  test('an idle hour with 1,000 timers takes less than two seconds', async () => {
    const clock = new VirtualClock();
    let ticks = 0;
    const tick = (): void => {
      ticks += 1;
      clock.after(3_600, tick);
    };
    tick();
    const begin = performance.now();
    await clock.advance(3_600_000);
    expect(ticks).toBe(1_001);
    expect(performance.now() - begin).toBeLessThan(2_000);
  });
});

async function longWork(): Promise<void> {
  for (let i = 0; i < 500; i += 1) await Promise.resolve();
  await new Promise<void>((resolve) => process.nextTick(resolve));
  for (let i = 0; i < 20; i += 1) await new Promise<void>((resolve) => void setImmediate(resolve));
  await readFile(new URL(import.meta.url));
}
