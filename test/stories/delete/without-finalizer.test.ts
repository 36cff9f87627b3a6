import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const volume = { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } };
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
});
const told = (): readonly string[] =>
  (
    world.server.objects('/events') as unknown as readonly {
      readonly type: string;
      readonly reason: string;
      readonly note?: string;
      readonly message?: string;
    }[]
  )
    .filter(({ type, reason }) => type === 'Warning' && reason === 'Retained')
    .map(({ note, message }) => String(note ?? message));

it('what an object leaves that lost its finalizer in the moment of its deletion is told by a Warning, and comes back with its manifest', async () => {
  await world.patch('CloudVolume', 'data', { metadata: { finalizers: null } });
  await world.delete('CloudVolume', 'data');
  await world.gone('CloudVolume', 'data');
  await world.clock.advance(60_000);
  expect(world.emulator.control.rows('volumes')).toHaveLength(1);
  expect(told()).toEqual([expect.stringContaining('/volumes/1000 stays in the account, whatever spec.lifecycle.onDelete said')]);
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
  expect(world.emulator.control.rows('volumes')).toHaveLength(1);
});

it('nothing of the kind is told of what the operator let go of, or deleted, itself', async () => {
  await world.patch('CloudVolume', 'data', { spec: { lifecycle: { onDelete: 'Retain' } } });
  await world.delete('CloudVolume', 'data');
  await world.gone('CloudVolume', 'data');
  await world.apply('CloudVolume', 'data', volume);
  await world.ready('CloudVolume', 'data');
  await world.delete('CloudVolume', 'data');
  await world.gone('CloudVolume', 'data');
  await world.clock.advance(60_000);
  expect(told()).toEqual([]);
});
