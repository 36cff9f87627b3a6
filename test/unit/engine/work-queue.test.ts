import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { WorkQueue } from '../../../src/engine/controller/work-queue.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

const make = (turns?: number): { clock: VirtualClock; queue: WorkQueue; steps: string[] } => {
  const clock = new VirtualClock();
  const steps: string[] = [];
  const observe = (change: string, key: string, waited: number): void => void steps.push(`${change} ${key} ${waited}`);
  return { clock, steps, queue: new WorkQueue({ clock, random: () => 0, observe, ...(turns !== undefined && { turns }) }) };
};

describe('work queue', () => {
  test('a key added twice before it is taken comes once', async () => {
    const { queue } = make();
    queue.add('a');
    queue.add('b');
    queue.add('a');
    expect(queue.size).toBe(2);
    expect([await queue.next(), await queue.next()]).toEqual(['a', 'b']);
    expect(queue.size).toBe(0);
  });

  test('a key added while it is worked on comes again, but only after done', async () => {
    const { queue } = make();
    queue.add('a');
    await queue.next();
    queue.add('a');
    queue.add('a');
    expect(queue.size).toBe(0);
    queue.done('a');
    expect(queue.size).toBe(1);
    expect(await queue.next()).toBe('a');
    queue.done('a');
    expect(queue.size).toBe(0);
  });

  test('waiting workers get keys as they come, and undefined at close', async () => {
    const { queue } = make();
    const waiting = [queue.next(), queue.next(), queue.next()];
    queue.add('a');
    queue.add('b');
    queue.close();
    queue.add('c');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['a', 'b', undefined]));
    expect(await queue.next()).toBeUndefined();
  });

  test('a closed queue hands out nothing that it still holds and leaves no timer', async () => {
    const { clock, queue } = make();
    queue.add('a');
    queue.add('b', { after: 5 });
    queue.close();
    await clock.advance(10);
    expect(await queue.next()).toBeUndefined();
  });

  test('a delayed key comes when its time has come, not before', async () => {
    const { clock, queue } = make();
    queue.add('later', { after: 100 });
    queue.add('sooner', { after: 50 });
    await clock.advance(49);
    expect([queue.size, queue.delayed]).toEqual([0, 2]);
    await clock.advance(1);
    expect(await queue.next()).toBe('sooner');
    await clock.advance(50);
    expect(await queue.next()).toBe('later');
  });

  test.each([
    { adds: [100, 20], due: 20 },
    { adds: [20, 100], due: 20 },
    { adds: [20, 0], due: 0 },
    { adds: [0, 20], due: 0 },
  ])('the earlier of due times $adds wins and the key comes once', async ({ adds, due }) => {
    const { clock, queue } = make();
    for (const after of adds) queue.add('a', { after });
    await clock.advance(due);
    expect(await queue.next()).toBe('a');
    queue.done('a');
    await clock.advance(1_000);
    expect([queue.size, queue.delayed]).toEqual([0, 0]);
  });

  test('a delay asked for by the worker itself survives done', async () => {
    const { clock, queue } = make();
    queue.add('a');
    await queue.next();
    queue.add('a', { after: 30 });
    queue.done('a');
    expect(queue.size).toBe(0);
    await clock.advance(30);
    expect(await queue.next()).toBe('a');
  });

  test('urgent keys go first, yet one in five is another', async () => {
    const { queue } = make();
    for (let n = 0; n < 3; n += 1) queue.add(`n${n}`);
    for (let n = 0; n < 10; n += 1) queue.add(`u${n}`, { urgent: true });
    const order: (string | undefined)[] = [];
    while (queue.size > 0) order.push(await queue.next());
    expect(order).toEqual(['u0', 'u1', 'u2', 'u3', 'n0', 'u4', 'u5', 'u6', 'u7', 'n1', 'u8', 'u9', 'n2']);
  });

  test('a waiting key becomes urgent when it is added as such, also through done', async () => {
    const { queue } = make();
    queue.add('worked on');
    await queue.next();
    queue.add('first');
    queue.add('second');
    queue.add('second', { urgent: true });
    queue.add('worked on', { urgent: true });
    queue.add('worked on');
    queue.done('worked on');
    expect([await queue.next(), await queue.next(), await queue.next()]).toEqual(['second', 'worked on', 'first']);
  });

  test('retry backs off per key until it is forgotten, and waits at least as long as it is told', async () => {
    const { queue } = make();
    expect([queue.retry('a'), queue.retry('a'), queue.retry('b'), queue.retry('a')]).toEqual([2_000, 4_000, 2_000, 8_000]);
    queue.forget('a');
    expect([queue.retry('a'), queue.retry('a', 90_000)]).toEqual([2_000, 90_000]);
    expect(queue.delayed).toBe(2);
  });

  test('tells each step with the time that the key was due before it was taken', async () => {
    const { clock, queue, steps } = make();
    queue.add('a');
    queue.add('b');
    await clock.advance(70);
    expect(queue.oldestWait()).toBe(70);
    await queue.next();
    queue.done('a');
    queue.retry('a');
    expect(steps).toEqual(['add a 0', 'add b 0', 'start a 70', 'done a 0', 'retry a 0']);
    await queue.next();
    expect(queue.oldestWait()).toBe(0);
  });

  test('one timer, and memory bounded by the keys, however often each is rescheduled', async () => {
    const { clock, queue } = make();
    for (let round = 0; round < 1_000; round += 1) {
      queue.add('a', { after: 1_000_000 });
      queue.add('a');
      queue.done((await queue.next()) ?? '');
    }
    queue.add('b', { after: 2_000 });
    await clock.advance(2_000);
    expect(await queue.next()).toBe('b');
    expect([queue.delayed, queue.size]).toEqual([0, 0]);
  });

  test('100,000 keys pass in seconds, not minutes', async () => {
    const { clock, queue } = make();
    const begin = performance.now();
    for (let n = 0; n < 100_000; n += 1) queue.add(`key ${n}`, n % 2 ? { after: 1 + (n % 977) } : {});
    await clock.advance(1_000);
    expect(queue.size).toBe(100_000);
    const taken = new Set<string>();
    while (queue.size > 0) {
      const key = (await queue.next()) ?? '';
      taken.add(key);
      queue.done(key);
    }
    expect(taken.size).toBe(100_000);
    expect(performance.now() - begin).toBeLessThan(20_000);
  });
});

const named = (namespace: string, count: number): string[] => Array.from({ length: count }, (_, n) => `CloudVolume/${namespace}/${n}`);

/** What workers that wait for a key have been given so far. */
function workers(queue: WorkQueue, count: number): string[] {
  const given: string[] = [];
  for (let n = 0; n < count; n += 1) void queue.next().then((one) => void (one !== undefined && given.push(one)));
  return given;
}
const settled = (): Promise<void> => new Promise(setImmediate);

/** Milliseconds for so many turns, while one namespace has ten thousand at work. */
async function costs(spread: boolean, keys: number): Promise<number> {
  const { queue } = make();
  for (const one of named('hog', 10_000)) queue.add(one);
  while (queue.size > 0) await queue.next();
  for (let n = 0; n < keys; n += 1) queue.add(`CloudVolume/${spread ? n : 'one'}/${n}`);
  queue.add('CloudVolume/hog/more');
  const begin = performance.now();
  for (let n = 0; n < keys; n += 1) queue.done((await queue.next()) ?? '');
  return performance.now() - begin;
}

describe('namespaces', () => {
  test('the next turn is for one that has the fewest, and of equals for who came first', async () => {
    const { queue } = make();
    for (const one of [...named('hog', 6), ...named('b', 2), ...named('c', 1)]) queue.add(one);
    const order: string[] = [];
    while (queue.size > 0) order.push((await queue.next()) ?? '');
    expect(order.map((one) => one.split('/')[1])).toEqual(['hog', 'b', 'c', 'hog', 'b', 'hog', 'hog', 'hog', 'hog']);
    expect(order.filter((one) => one.includes('/hog/'))).toEqual(named('hog', 6));
  });

  test('a turn that ends is for one that has fewer, however long the others have been due', async () => {
    const { queue } = make(8);
    for (const one of named('hog', 100)) queue.add(one);
    const given = workers(queue, 20);
    await settled();
    for (const one of named('late', 3)) queue.add(one);
    await settled();
    for (const one of named('hog', 7)) queue.done(one);
    await settled();
    expect(given.filter((one) => one.includes('/late/'))).toEqual(named('late', 3));
    expect(given.indexOf('CloudVolume/late/2')).toBeLessThan(11);
  });

  test('however many are due, turns are left for one that comes later, also when that one takes all it gets', async () => {
    const { queue } = make(512);
    for (const one of named('hog', 600)) queue.add(one);
    const given = workers(queue, 600);
    await settled();
    expect(given).toEqual(named('hog', 448));
    for (const one of named('second hog', 100)) queue.add(one);
    await settled();
    expect(given).toHaveLength(448 + 56);
    for (const late of ['c', 'd', 'e']) {
      queue.add(`CloudVolume/${late}/0`);
      await settled();
      expect(given.at(-1)).toBe(`CloudVolume/${late}/0`);
    }
  });

  test('no turn is lost: what waited for one gets it when another ends', async () => {
    const { queue } = make(8);
    const all = [...named('hog', 50), ...named('b', 50)];
    for (const one of all) queue.add(one);
    const given = workers(queue, 200);
    for (let n = 0; n < all.length; n += 1) {
      await settled();
      queue.done(given[n] ?? 'none was given');
    }
    expect(given.toSorted()).toEqual(all.toSorted());
  });

  test('urgent keys of one that has too many at work do not keep others from the turns that are left', async () => {
    const { queue } = make(8);
    for (const one of named('hog', 30)) queue.add(one, { urgent: true });
    const given = workers(queue, 20);
    await settled();
    queue.add('CloudVolume/late/0');
    await settled();
    expect(given.at(-1)).toBe('CloudVolume/late/0');
  });

  test('a turn costs the same with ten thousand namespaces, and with one that has ten thousand at work', async () => {
    expect(await costs(true, 10_000)).toBeLessThan(2_000);
    expect(await costs(false, 10_000)).toBeLessThan(2_000);
  });
});

/** The same rules in the simplest possible form: one record per key. */
class Model {
  readonly due = new Map<string, number>();
  readonly busy = new Set<string>();
  now = 0;
  add(key: string, after: number): void {
    this.due.set(key, Math.min(this.due.get(key) ?? Infinity, this.now + after));
  }
  ready(): string[] {
    return [...this.due].filter(([key, due]) => due <= this.now && !this.busy.has(key)).map(([key]) => key);
  }
}
const key = fc.constantFrom('a', 'b', 'K/n/c', 'K/m/d');
const command = fc.record({
  do: fc.constantFrom('add', 'add', 'take', 'done', 'pass'),
  key,
  after: fc.constantFrom(0, 0, 5, 10, 30),
  urgent: fc.boolean(),
  span: fc.constantFrom(1, 5, 20),
});
type Step = typeof command extends fc.Arbitrary<infer T> ? T : never;

const pair = (): { queue: WorkQueue; clock: VirtualClock; model: Model } => ({ ...make(), model: new Model() });
const perform = {
  add: ({ queue, model }, step) => {
    queue.add(step.key, step);
    model.add(step.key, step.after);
  },
  done: ({ queue, model }, step) => {
    queue.done(step.key);
    model.busy.delete(step.key);
  },
  pass: async ({ clock, model }, step) => {
    await clock.advance(step.span);
    model.now += step.span;
  },
  take: async ({ queue, model }) => {
    const taken = queue.size > 0 ? await queue.next() : undefined;
    if (taken === undefined) return;
    if (!model.ready().includes(taken)) throw new Error(`${taken} was handed out although it is not due or still worked on`);
    model.due.delete(taken);
    model.busy.add(taken);
  },
} satisfies Record<string, (both: ReturnType<typeof pair>, step: Step) => void | Promise<void>>;

test('behaves as the model: never two workers on a key, nothing lost, nothing early, nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 60 }), async (commands) => {
      const both = pair();
      for (const step of commands) {
        await perform[step.do](both, step);
        expect(both.queue.size).toBe(both.model.ready().length);
      }
    }),
    { seed: 20, numRuns: 300 },
  );
});
