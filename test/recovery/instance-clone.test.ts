import { expect, it } from 'vitest';
import { killedEverywhere, type Striking } from '../support/struck.ts';
import { World } from '../support/world/world.ts';

const kind = 'CloudInstance';
const machine = { region: 'eu-central', type: 'g6-nanode-1' };
const copy = { ...machine, label: 'copied', power: 'On', tags: ['prod'], cloneFrom: { instanceRef: { name: 'golden' } } };
const instances = (world: World) =>
  (world.emulator.control.rows('instances') as { label: string; status: string }[]).map(({ label, status }) => `${label} ${status}`);

async function struck(striking: Striking): Promise<World> {
  const world = await World.create({ between: striking.between });
  await world.account();
  await world.secret('root', { password: 'Canary-Horse-9-Battery' });
  const rootPasswordSecretRef = { name: 'root', key: 'password' };
  await world.apply(kind, 'golden', { ...machine, label: 'golden', image: 'vm/debian11', rootPasswordSecretRef });
  const operator = await world.start();
  await world.ready(kind, 'golden');
  await world.clock.advance(60_000);
  striking.arm(operator);
  await world.apply(kind, 'copy', copy);
  await world.clock.advance(300_000);
  return world;
}

it('killed with -9 at every step of a copy under a label that somebody chose: one in the end', { timeout: 180_000 }, async () => {
  await killedEverywhere({
    play: struck,
    calm: (seen) => expect(seen.filter((one) => one.endsWith('/clone'))).toHaveLength(1),
    end: async (world, step) => {
      await world.ready(kind, 'copy', 1_800_000);
      await world.clock.advance(600_000);
      expect({ step, instances: instances(world) }).toEqual({ step, instances: ['golden running', 'copied running'] });
    },
  });
});
