import { expect, test } from 'vitest';
import { post, put } from '../../src/resource/index.ts';
import { accountWorld, how, idOf, sent } from '../unit/cloud/account-world.ts';
import { settled } from '../unit/cloud/scripted.ts';

const tooMany = (world: ReturnType<typeof accountWorld>): number =>
  world.emulator.control.requests().filter(({ status }) => status === 429).length;

test.each(['fixed', 'sliding'] as const)('a mass create meets no 429 alone and goes as fast as %s windows allow', async (rateWindow) => {
  const world = accountWorld({ knobs: { rateWindow } });
  const { connection } = await world.open();
  await world.clock.advance(1000);
  const begun = world.clock.monotonic();
  const volumes = Array.from({ length: 400 }, (_, n) =>
    sent(connection, post('/volumes', { label: `v${n}`, region: 'us-east' }), { ...how, lane: 'create' }),
  );
  await settled(world.clock, Promise.all(volumes));
  expect(tooMany(world)).toBe(0);
  // 80 of 100 a minute are ours: five windows, the first of which is free.
  expect(world.clock.monotonic() - begun).toBeLessThanOrEqual(1.1 * 4 * 60_000 + 2000);
});

test('an edit goes out within a second during a mass create, a cold start and a flood of events', { timeout: 300_000 }, async () => {
  const world = accountWorld();
  const { connection } = await world.open();
  await world.clock.advance(1000);
  const domain = idOf(
    (
      await settled(
        world.clock,
        sent(connection, post('/domains', { domain: 'example.org', type: 'master', soa_email: 'a@example.org' }), how),
      )
    ).body,
  );
  const volume = idOf((await settled(world.clock, sent(connection, post('/volumes', { label: 'one', region: 'us-east' }), how))).body);
  const flood = Array.from({ length: 5000 }, (_, n) =>
    sent(connection, post(`/domains/${domain}/records`, { type: 'A', name: `r${n}`, target: '192.0.2.1' }), {
      ...how,
      lane: 'create',
      tenant: 'greedy',
    }),
  );
  let slowest = 0;
  for (let n = 0; n < 20; n += 1) {
    await world.clock.advance(7000);
    const begun = world.clock.monotonic();
    await settled(world.clock, sent(connection, put(`/volumes/${volume}`, { label: `one${n}` }), how));
    slowest = Math.max(slowest, world.clock.monotonic() - begun);
  }
  await settled(world.clock, Promise.all(flood));
  expect(slowest).toBeLessThanOrEqual(1000);
  expect(tooMany(world)).toBe(0);
  const polls = world.emulator.control.requests().filter(({ path }) => path === '/account/events').length;
  expect(polls).toBeLessThanOrEqual(2 * (world.clock.monotonic() / 2000) + 50);
});
