import { expect, test } from 'vitest';
import { Controller } from '../../../src/engine/run/controller.ts';
import { WorkQueue } from '../../../src/engine/run/queue.ts';
import type { Engine } from '../../../src/engine/run/turn.ts';
import { VirtualClock } from '../../support/virtual-clock.ts';

test('thousands of turns that wait for nothing let sockets have their turn in between', async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0 });
  const objects = 2000;
  for (let n = 0; n < objects; n += 1) queue.add(`CloudVolume/team-a/v${n}`);
  let heardAt: number | undefined;
  setImmediate(() => (heardAt = queue.size));
  // Objects that are not there any more: the shortest turn there is.
  const engine = { clock, objects: { get: () => undefined }, links: new Map() } as unknown as Engine;
  const controller = new Controller(engine, queue, {} as never);
  const running = controller.run();
  await expect.poll(() => queue.size).toBe(0);
  await controller.stop(0);
  await running;
  expect(heardAt).toBeGreaterThan(objects / 2);
});
