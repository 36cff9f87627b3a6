import { expect, it } from 'vitest';
import { adopting, plantDatabase } from '../support/world/planted-database.ts';
import { killedEverywhere, type Striking } from '../support/struck.ts';
import { World } from '../support/world/world.ts';

const kind = 'CloudDatabaseBackup';
const labels = (world: World): readonly string[] =>
  (world.emulator.control.rows('database backups') as { label: string }[]).map(({ label }) => label);

async function struck(striking: Striking): Promise<World> {
  const world = await World.create({ between: striking.between });
  await world.account();
  plantDatabase(world, 'mysql');
  await world.apply('CloudDatabase', 'shop', adopting('mysql'));
  const operator = await world.start();
  await world.ready('CloudDatabase', 'shop');
  striking.arm(operator);
  await world.apply(kind, 'before', { databaseRef: { name: 'shop' } });
  await world.clock.advance(300_000);
  return world;
}

it('killed with -9 at every step of a snapshot: one in the end, of one object', { timeout: 180_000 }, async () => {
  await killedEverywhere({
    play: struck,
    calm: (seen) => expect(seen.filter((one) => one.startsWith('POST /v4'))).toHaveLength(1),
    end: async (world, step) => {
      const { status } = await world.ready(kind, 'before', 1_800_000);
      await world.clock.advance(600_000);
      expect({ step, labels: labels(world) }).toEqual({ step, labels: [status?.['label']] });
    },
  });
});
