import { type RunningOperator, World, type WorldOptions } from './world.ts';

/** A world whose account is connected, and the operator that did it. */
export async function connectedWorld(options: WorldOptions = {}): Promise<{ readonly world: World; readonly operator: RunningOperator }> {
  const world = await World.create(options);
  await world.account();
  const operator = await world.start();
  await world.ready('CloudAccount', 'default');
  return { world, operator };
}
