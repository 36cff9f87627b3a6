import { beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudVolume';
let world: World;
const deletes = (): readonly string[] => changesOf(world).filter((call) => call.startsWith('DELETE'));

describe('what becomes of an object while its DELETE is about to be sent', () => {
  beforeEach(async () => {
    world = await World.create();
    await world.account();
    await world.start();
    await world.apply(kind, 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
    await world.ready(kind, 'data');
    await world.clock.advance(60_000);
    // It is read right before, and what comes after that the watch alone tells.
    world.server.faults.add({
      match: { method: 'GET', path: /\/cloudvolumes\/data/ },
      nth: 1,
      action: { kind: 'delay-answer', by: 5000 },
    });
    await world.delete(kind, 'data');
    await world.clock.advance(2000);
  });

  it('nothing: it is sent', async () => {
    await world.gone(kind, 'data');
    expect(deletes()).toHaveLength(1);
  });
  it.each([
    ['its finalizer is stripped', () => world.patch(kind, 'data', { metadata: { finalizers: null } })],
    [
      'it is stripped, and another object has its name',
      async () => {
        await world.patch(kind, 'data', { metadata: { finalizers: null } });
        await world.apply(kind, 'data', { region: 'eu-central', lifecycle: { onDelete: 'Delete' } });
      },
    ],
    ['it is paused', () => world.patch(kind, 'data', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } })],
    ['it is protected', () => world.patch(kind, 'data', { spec: { lifecycle: { protect: true } } })],
  ])('%s: it is not', async (_, change) => {
    await change();
    await world.clock.advance(600_000);
    expect(deletes()).toEqual([]);
  });
});
