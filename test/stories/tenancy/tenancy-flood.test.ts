import { expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

const [platform, noisy, quiet] = ['platform', 'noisy', 'quiet'];
const accountRef = { name: 'default', namespace: platform };
const volume = { accountRef, sizeGiB: 20, lifecycle: { onDelete: 'Delete' } };
/** Of what the service refuses more than the window of creates takes in a minute. */
const never = [
  [20, { ...volume, region: 'nowhere-1' }],
  [20, { ...volume, instanceRef: { name: 'none' } }],
  [110, { ...volume, region: 'us-east', sizeGiB: 20_000 }],
] as const;
const all = never.flatMap(([count, spec], sort) => Array.from({ length: count }, (_, i) => [`v-${sort}-${i}`, spec] as const));
const hour = 3_600_000;

/** How long ten volumes of a namespace take until the last one is Ready, while the other one does as it likes. */
async function takes(busy: (world: World, round: number) => Promise<void>): Promise<number> {
  const world = await World.create();
  for (const name of [platform, noisy, quiet]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [noisy, quiet] }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', hour, platform);
  for (let round = 0; round < 3; round++) {
    await busy(world, round);
    await world.clock.advance(15_000);
  }
  const begun = world.clock.now();
  const mine = Array.from({ length: 10 }, (_, i) => `q-${i}`);
  for (const name of mine) await world.apply('CloudVolume', name, { ...volume, region: 'us-east' }, quiet);
  for (let round = 3; world.clock.now() < begun + hour; round++) {
    await busy(world, round);
    await world.clock.advance(1000);
    const ready = await Promise.all(mine.map((name) => world.condition('CloudVolume', name, 'Ready', quiet)));
    if (ready.every((one) => one?.status === 'True')) break;
  }
  expect(changesOf(world).length).toBeGreaterThanOrEqual(10);
  return world.clock.now() - begun;
}

it('who makes, edits and deletes objects in a loop that can never be keeps no other namespace waiting', async () => {
  const alone = await takes(async () => undefined);
  const beside = await takes(async (world, round) => {
    for (const [at, [name, spec]] of all.entries()) {
      const known = await world.find('CloudVolume', name, noisy);
      if (known === undefined) await world.apply('CloudVolume', name, spec, noisy);
      else if (at % 10 === round % 10) await world.delete('CloudVolume', name, noisy);
      else await world.patch('CloudVolume', name, { spec: { tags: [`round-${round}`] } }, noisy);
    }
  });
  expect(beside).toBeLessThanOrEqual(alone + 1000);
});
