import { describe, expect, test } from 'vitest';
import { ApiClock } from '../../../src/cloud/http/api-clock.ts';
import { Budget } from '../../../src/cloud/requests/rate-budget.ts';
import { Shares } from '../../../src/cloud/requests/shares.ts';
import type { Lane } from '../../../src/engine/ports/index.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';
import { RateServer } from './rate-server.ts';

const latency = 50;
const never = new AbortController().signal;

/** Several accounts of one user, whose window has a hundred requests a minute. */
function setUp(percents: Readonly<Record<string, number>>) {
  const clock = new VirtualClock();
  const server = new RateServer(clock, { limit: 100, seconds: 60, kind: 'fixed', rounding: 'ceil' });
  const apiClock = new ApiClock();
  const shares = new Shares();
  const holders = Object.fromEntries(Object.keys(percents).map((account) => [account, {}]));
  const give = (account: string, percent: number): void => shares.set(holders[account] ?? {}, account, { share: percent });
  for (const [account, percent] of Object.entries(percents)) give(account, percent);
  const budget = new Budget({ clock, apiClock, share: (account) => shares.part(account) });
  const served: Record<string, number> = {};
  const call = async (account: string | undefined, lane: Lane = 'edit', tenant = 'team'): Promise<void> => {
    const slot = await budget.acquire('general', { lane, tenant, signal: never, ...(account !== undefined && { account }) });
    served[account ?? lane] = (served[account ?? lane] ?? 0) + 1;
    const requestedAt = clock.monotonic();
    await new Promise<void>((resolve) => clock.after(latency, resolve));
    slot.answered({ ...server.answer(), requestedAt, answeredAt: clock.monotonic() });
  };
  const many = (count: number, ...of: Parameters<typeof call>): void => {
    for (let n = 0; n < count; n += 1) void call(...of);
  };
  return { clock, server, budget, shares, give, call, many, served };
}

describe('a share', () => {
  test('caps its account, and the others have what it leaves', async () => {
    const { clock, many, served } = setUp({ small: 1, large: 80 });
    many(200, 'small');
    many(200, 'large');
    await clock.advance(59_000);
    expect(served).toEqual({ small: 1, large: 79 });
    await clock.advance(60_000);
    expect(served).toEqual({ small: 2, large: 158 });
  });

  test('of which several are named caps all together by the largest', async () => {
    const { clock, many, served } = setUp({ one: 30, two: 40 });
    many(100, 'one');
    many(100, 'two');
    await clock.advance(59_000);
    expect((served['one'] ?? 0) + (served['two'] ?? 0)).toBe(40);
    expect(served['one']).toBeLessThanOrEqual(30);
  });

  test('holds whatever namespaces its account serves, and holds up none that has another account', async () => {
    const { clock, many, call, served } = setUp({ small: 2, large: 50 });
    for (let n = 0; n < 40; n += 1) many(5, 'small', 'edit', `namespace-${n}`);
    await clock.advance(10_000);
    await Promise.all([call('large', 'sweep', 'namespace-1'), clock.advance(1000)]);
    expect(served).toEqual({ small: 2, large: 1 });
  });

  test('does not hold up events, which only the window itself ends', async () => {
    const { clock, many, served } = setUp({ small: 1 });
    many(50, 'small');
    many(20, undefined, 'events');
    many(20, undefined, 'wait');
    await clock.advance(59_000);
    expect(served['events']).toBe(20);
    expect((served['small'] ?? 0) + (served['wait'] ?? 0)).toBeLessThanOrEqual(1);
  });

  test('that is raised is in force at once, and one that is given up counts no more', async () => {
    const { clock, budget, many, give, served, shares } = setUp({ one: 1 });
    many(60, 'one');
    await clock.advance(5000);
    expect(served['one']).toBe(1);
    give('one', 50);
    budget.retune();
    await clock.advance(5000);
    expect(served['one']).toBe(50);
    const other = {};
    shares.set(other, 'other', { share: 90 });
    expect(shares.part(undefined)).toBe(0.9);
    shares.delete(other);
    expect([shares.part(undefined), shares.part('other')]).toEqual([0.5, 0.5]);
  });

  test('counts an answer that never came, and not what was never sent', async () => {
    const { clock, budget, call, many, served } = setUp({ one: 3, large: 80 });
    await Promise.all([call('large'), clock.advance(1000)]);
    const slots = await Promise.all(
      [1, 2].map(() => budget.acquire('general', { lane: 'edit', tenant: 'team', account: 'one', signal: never })),
    );
    slots[0]?.lost();
    slots[1]?.release();
    many(10, 'one');
    await clock.advance(50_000);
    expect(served['one']).toBe(2);
  });
});

describe('a share that is used up', () => {
  test('is told of its account while its calls wait for it alone, and for three minutes after', async () => {
    const { clock, budget, many } = setUp({ small: 1, large: 80 });
    many(3, 'small');
    many(3, 'large');
    await clock.advance(4000);
    expect(budget.usedUp('small')).toEqual([]);
    await clock.advance(2000);
    expect([budget.usedUp('small'), budget.usedUp('large')]).toEqual([['general'], []]);
    await clock.advance(170_000);
    expect(budget.usedUp('small')).toEqual(['general']);
    await clock.advance(60_000);
    expect(budget.usedUp('small')).toEqual([]);
  });

  test('is not told where somebody else has used the window', async () => {
    const { clock, budget, server, many } = setUp({ one: 80 });
    many(1, 'one');
    await clock.advance(1000);
    for (let n = 0; n < 99; n += 1) server.answer();
    many(30, 'one');
    await clock.advance(20_000);
    expect(budget.usedUp('one')).toEqual([]);
  });
});
