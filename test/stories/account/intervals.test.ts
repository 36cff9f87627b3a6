import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const polls = (world: World): number => world.emulator.control.requests().filter(({ path }) => path.includes('/account/events')).length;
const interval = (pollIntervalSeconds: number | null): object => ({ spec: { pollIntervalSeconds } });

async function pollsWithin(world: World, span: number): Promise<number> {
  const before = polls(world);
  await world.clock.advance(span);
  return polls(world) - before;
}

it('an account is polled as its spec asks for by now, not as it did when it was connected', async () => {
  const world = await World.create();
  await world.account({ pollIntervalSeconds: 3600 });
  await world.start();
  await world.ready('CloudAccount', 'default');
  await world.clock.advance(5 * minute);
  expect(await pollsWithin(world, 10 * minute)).toBe(0);
  await world.patch('CloudAccount', 'default', interval(60));
  expect(await pollsWithin(world, 10 * minute)).toBeGreaterThanOrEqual(9);
  await world.patch('CloudAccount', 'default', interval(null));
  expect(await pollsWithin(world, 10 * minute)).toBeGreaterThanOrEqual(55);
  await world.patch('CloudAccount', 'default', interval(600));
  await world.clock.advance(minute);
  expect(await pollsWithin(world, 20 * minute)).toBeLessThanOrEqual(3);
});
