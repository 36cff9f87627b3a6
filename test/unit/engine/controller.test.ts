import { expect, test } from 'vitest';
import { Controller } from '../../../src/engine/controller/controller.ts';
import { WorkQueue } from '../../../src/engine/controller/work-queue.ts';
import type { Engine } from '../../../src/engine/context.ts';
import { ObjectMemory } from '../../../src/engine/memory/object-memory.ts';
import { Memory } from '../../../src/engine/memory/memory.ts';
import { VirtualClock } from '../../support/virtual/virtual-clock.ts';

test('thousands of turns that wait for nothing let sockets have their turn in between', async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0 });
  const objects = 2000;
  for (let n = 0; n < objects; n += 1) queue.add(`CloudVolume/team-a/v${n}`);
  let heardAt: number | undefined;
  setImmediate(() => (heardAt = queue.size));
  // Objects that are not there any more: the shortest turn there is.
  const engine = {
    clock,
    objects: { get: () => undefined },
    registry: { connection: { kind: 'CloudAccount' } },
    memory: new Memory(),
  } as unknown as Engine;
  const controller = new Controller(engine, queue, {} as never);
  const running = controller.run();
  await expect.poll(() => queue.size).toBe(0);
  await controller.stop(0);
  await running;
  expect(heardAt).toBeGreaterThan(objects / 2);
});

const nothing = (): undefined => undefined;

test('a turn that has ended makes no room for others, though what it began still waits for a window', async () => {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, random: () => 0 });
  const [ending, staying] = [100, 1500];
  for (let n = 0; n < ending + staying; n += 1) queue.add(`CloudAccount/team-a/a${n}`);
  const engine = {
    clock,
    objects: { get: (kind: string, key: object) => ({ kind, metadata: { ...key, uid: 'u' }, spec: {} }) },
    registry: { connection: { kind: 'CloudAccount' }, kind: () => ({ mode: 'connection' }) },
    leadership: { held: () => true },
    crds: { mismatched: new Set() },
    accountLeases: { during: (_: unknown, work: () => Promise<void>) => work() },
    settings: { accountSelector: {} },
    monitor: { reconciled: nothing, panic: nothing },
    permitQueue: { giveBack: nothing },
    objectMemory: new ObjectMemory(),
    memory: new Memory(),
  } as unknown as Engine;
  let begun = 0;
  const { promise: released, resolve: release } = Promise.withResolvers<never>();
  const reconcile = (_: unknown, { onWait }: { onWait: (waits: boolean) => void }): Promise<never> => {
    begun += 1;
    if (begun > ending) return released;
    onWait(true);
    return Promise.reject(new Error('ended'));
  };
  const controller = new Controller(engine, queue, { reconcile } as never);
  const running = controller.run();
  await expect.poll(() => begun).toBe(ending + 1000);
  for (let n = 0; n < 100; n += 1) await new Promise(setImmediate);
  expect(begun).toBe(ending + 1000);
  release(Promise.reject(new Error('ended')));
  queue.close();
  await controller.stop(0);
  await running;
});
