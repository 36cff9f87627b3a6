import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiClock } from '../../../src/cloud/http/api-clock.ts';
import { Budget } from '../../../src/cloud/requests/rate-budget.ts';
import type { BudgetLeft } from '../../../src/cloud/requests/rate-budget.ts';
import { weights } from '../../../src/cloud/requests/lanes.ts';
import { RateWindow } from '../../../src/cloud/requests/rate-window.ts';
import type { Lane } from '../../../src/engine/ports/index.ts';
import type { RateClass } from '../../../src/resource/index.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { RateServer } from './rate-server.ts';
import type { ServerRules } from './rate-server.ts';

function setUp(rules: ServerRules, { share = 0.8, latency = 50, isOfMany = false } = {}) {
  const clock = new VirtualClock();
  const server = new RateServer(clock, rules);
  const apiClock = new ApiClock();
  const seen: BudgetLeft[] = [];
  const budget = new Budget({ clock, apiClock, share: () => share, isOfMany: () => isOfMany, onBudget: (left) => seen.push(left) });
  const never = new AbortController().signal;
  const order: string[] = [];
  let ended = 0;
  const call = async (lane: Lane, tenant = 'a', rate: RateClass = 'general'): Promise<void> => {
    const slot = await budget.acquire(rate, { lane, tenant, signal: never });
    order.push(`${lane}/${tenant}`);
    const requestedAt = clock.monotonic();
    await new Promise<void>((resolve) => clock.after(latency, resolve));
    const head = server.answer();
    await new Promise<void>((resolve) => clock.after(latency, resolve));
    apiClock.observe(head.apiTime, requestedAt, clock.monotonic());
    slot.answered({ ...head, requestedAt, answeredAt: clock.monotonic() });
    ended += 1;
  };
  return { clock, server, budget, call, order, seen, ended: () => ended };
}
const minute: ServerRules = { limit: 100, seconds: 60, kind: 'fixed', rounding: 'ceil' };

describe('alone with a token', () => {
  const rules = fc.record({
    limit: fc.constantFrom(5, 10, 20, 100),
    seconds: fc.constantFrom(15, 30, 60),
    kind: fc.constantFrom('fixed' as const, 'sliding' as const),
    rounding: fc.constantFrom('ceil' as const, 'floor' as const),
  });

  test('never a 429, never more than our share of a window, and everything gets through', async () => {
    await fc.assert(
      fc.asyncProperty(rules, fc.integer({ min: 1, max: 400 }), fc.integer({ min: 10, max: 97 }), async (one, latency, percent) => {
        const share = percent / 100;
        const { clock, server, call, ended } = setUp(one, { share, latency });
        const usable = Math.max(1, Math.floor(one.limit * share));
        const wanted = usable * 3 + 2;
        const calls = Array.from({ length: wanted }, () => call('create'));
        await clock.runUntil(() => ended() === wanted, 60 * 60_000);
        await Promise.all(calls);
        expect(server.refused).toBe(0);
        // A probe may still fall into a window whose end was rounded down; a sliding one keeps our share only on the whole.
        expect(server.most).toBeLessThanOrEqual(one.kind === 'fixed' ? usable + 2 : one.limit);
      }),
      { numRuns: 40, seed: 1 },
    );
  });

  test('a fixed window is used within 1.1 of what it allows', async () => {
    const { clock, server, call, ended } = setUp({ limit: 20, seconds: 15, kind: 'fixed', rounding: 'ceil' });
    const calls = Array.from({ length: 160 }, () => call('create', 'a', 'instance-create'));
    const took = await clock.runUntil(() => ended() === 160, 60 * 60_000);
    await Promise.all(calls);
    expect(server.refused).toBe(0);
    // 16 of 20 each: ten windows, the first of which is free.
    expect(took).toBeLessThanOrEqual(1.1 * 9 * 15_000 + 500);
  });

  test('one whose answer does not come keeps the others waiting for a second, not for as long as it hangs', async () => {
    const { clock, budget, call, ended } = setUp(minute);
    const never = new AbortController().signal;
    const hanging = await budget.acquire('general', { lane: 'create', tenant: 'a', signal: never });
    const calls = Array.from({ length: 4 }, () => call('create', 'b'));
    await clock.advance(900);
    expect(ended()).toBe(0);
    await clock.advance(400);
    expect(ended()).toBe(4);
    hanging.lost();
    await Promise.all(calls);
  });

  test('one request goes out alone until the first answer', async () => {
    const { clock, call, order } = setUp(minute);
    const calls = [call('edit'), call('edit'), call('edit')];
    await clock.settle();
    expect(order).toHaveLength(1);
    await clock.advance(100);
    await clock.settle();
    expect(order).toHaveLength(3);
    await clock.advance(1000);
    await Promise.all(calls);
  });
});

describe('lanes', () => {
  test('each lane gets its floor of a contended window, whatever the others ask', async () => {
    const lanes = Object.keys(weights) as Lane[];
    const sum = Object.values(weights).reduce((a, b) => a + b, 0);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...lanes), { minLength: 1, maxLength: 30 }), async (noise) => {
        const { clock, call, order } = setUp({ ...minute, limit: 49 }, { share: 1 });
        for (const lane of noise) void call(lane);
        for (const lane of lanes) for (let n = 0; n < 100; n += 1) void call(lane);
        await clock.advance(59_000);
        for (const lane of lanes) {
          const got = order.filter((one) => one.startsWith(`${lane}/`)).length;
          expect(got).toBeGreaterThanOrEqual(Math.floor((order.length * weights[lane]) / sum) - 1);
        }
      }),
      { numRuns: 15, seed: 2 },
    );
  });

  test('tenants of a lane take turns: ten thousand edits of one do not delay the first of another', async () => {
    const { clock, call, order } = setUp({ ...minute, limit: 1000 });
    for (let n = 0; n < 500; n += 1) void call('edit', 'greedy');
    void call('edit', 'modest');
    await clock.advance(300);
    expect(order.indexOf('edit/modest')).toBeLessThanOrEqual(2);
  });

  test('a sweep leaves part of the window to an edit that comes later', async () => {
    const { clock, call, order, server } = setUp(minute);
    for (let n = 0; n < 200; n += 1) void call('sweep');
    await clock.advance(5000);
    const swept = order.length;
    void call('edit');
    await clock.advance(100);
    expect(order.length).toBe(swept + 1);
    expect(order.at(-1)).toBe('edit/a');
    expect(server.refused).toBe(0);
  });
});

describe('others use the token too', () => {
  test('a 429 closes its class until it says, and says so', async () => {
    const { clock, server, call, budget } = setUp({ ...minute, limit: 10 }, { share: 1 });
    for (let n = 0; n < 10; n += 1) server.answer();
    await Promise.all([call('edit'), clock.advance(1000)]);
    expect(server.refused).toBe(1);
    await expect(call('edit')).rejects.toMatchObject({ fault: 'Throttled', retryAfter: expect.any(Number) });
    expect(budget.throttledClasses()).toEqual(['general']);
    await clock.advance(60_000);
    await Promise.all([call('edit'), clock.advance(1000)]);
    expect(server.refused).toBe(1);
  });

  test('what they have used of their share is not kept for them again', async () => {
    const { clock, server, call, order } = setUp(minute);
    for (let n = 0; n < 20; n += 1) server.answer();
    for (let n = 0; n < 100; n += 1) void call('edit');
    await clock.advance(30_000);
    expect(order).toHaveLength(80);
    expect(server.refused).toBe(0);
  });
});

test('two classes that the service counts in one window stay below it together', async () => {
  const { clock, server, call } = setUp({ ...minute, limit: 200 });
  for (let n = 0; n < 300; n += 1) {
    void call('edit', 'a', 'general');
    void call('edit', 'a', 'list');
  }
  await clock.advance(59_000);
  expect(server.refused).toBe(0);
  expect(server.admitted.length).toBeLessThanOrEqual(170);
});

test('what is kept of a window for others is kept of all classes that the service counts in it', async () => {
  const { clock, call, order } = setUp({ ...minute, limit: 200 }, { share: 1, isOfMany: true });
  void call('edit', 'a', 'list');
  await clock.advance(1000);
  for (let n = 0; n < 300; n += 1) void call('edit', 'a');
  await clock.advance(20_000);
  for (let n = 0; n < 300; n += 1) void call('edit', 'a', 'list');
  await clock.advance(20_000);
  const before = order.length;
  for (let n = 0; n < 10; n += 1) void call('edit', 'b');
  await clock.advance(10_000);
  expect(order.slice(before)).toEqual(Array.from({ length: 10 }, () => 'edit/b'));
});

test('object storage is asked one at a time', async () => {
  const { clock, call, order } = setUp({ ...minute, limit: 1000 });
  for (let n = 0; n < 5; n += 1) void call('edit', 'a', 'object-storage');
  await clock.advance(350);
  expect(order).toHaveLength(4);
});

test('object writes go two at a time and never more than five in a second', async () => {
  const { clock, server, call, order } = setUp({ ...minute, limit: 1000 }, { latency: 1000 });
  for (let n = 0; n < 40; n += 1) void call('edit', 'a', 'object-write');
  await clock.advance(2500);
  expect(order).toHaveLength(3);
  const quick = setUp({ ...minute, limit: 1000 }, { latency: 1 });
  for (let n = 0; n < 40; n += 1) void quick.call('edit', 'a', 'object-write');
  await quick.clock.advance(30_000);
  expect(quick.server.admitted).toHaveLength(40);
  for (const at of quick.server.admitted) {
    expect(quick.server.admitted.filter((other) => other >= at && other < at + 1000).length).toBeLessThanOrEqual(5);
  }
  expect(server.refused + quick.server.refused).toBe(0);
});

test('an answer that counts in another window changes nothing in this one', () => {
  const window = new RateWindow();
  window.answered({ limit: 1600, remaining: 1599, resetAt: 60_000 }, 0);
  window.answered({ limit: 200, remaining: 3, resetAt: 60_000 }, 0);
  expect(window.left(1, 0, 1)).toBe(1598);
});

test('without rate headers only concurrency bounds', async () => {
  const clock = new VirtualClock();
  const budget = new Budget({ clock, apiClock: new ApiClock(), share: () => 0.8 });
  const how = { lane: 'edit', tenant: 'a', signal: new AbortController().signal } as const;
  const first = await budget.acquire('general', how);
  first.answered({ status: 200, headers: {}, json: true, dated: false, requestedAt: 0, answeredAt: 0, apiTime: 0 });
  const slots = await Promise.all(Array.from({ length: 24 }, () => budget.acquire('general', how)));
  let more = false;
  void budget.acquire('general', how).then(() => (more = true));
  await clock.settle();
  expect(more).toBe(false);
  slots[0]?.release();
  slots[0]?.release();
  await clock.settle();
  expect(more).toBe(true);
});

test('a caller that goes away leaves the line', async () => {
  const { clock, budget, call } = setUp(minute);
  void call('edit');
  const abort = new AbortController();
  const waiting = budget.acquire('general', { lane: 'edit', tenant: 'a', signal: abort.signal });
  abort.abort();
  await expect(waiting).rejects.toMatchObject({ fault: 'Abandoned' });
  expect(budget.left()[0]?.waiting).toBe(0);
  await clock.advance(1000);
});

test.each([
  [true, 88, 12],
  [false, 100, 0],
])('of a window that one tenant would use up an eighth is kept where there may be others (%s)', async (isOfMany, before, late) => {
  const { clock, call, order, ended } = setUp(minute, { share: 1, isOfMany });
  const all = Array.from({ length: 300 }, () => call('edit', 'noisy'));
  await clock.advance(20_000);
  expect(order).toHaveLength(before);
  all.push(...Array.from({ length: 14 }, () => call('edit', 'quiet')));
  await clock.advance(5000);
  expect(order.slice(before)).toEqual(Array.from({ length: late }, () => 'edit/quiet'));
  await clock.runUntil(() => ended() === 314, 30 * 60_000);
  await Promise.all(all);
});
