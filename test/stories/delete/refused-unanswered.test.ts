import { expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudVolume';

// It read "is being deleted" and "Wait" for as long as the service answered 500.
it('a deletion that is answered with 500 again and again says so, and goes on when the service does', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply(kind, 'data', { region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Delete' } });
  await world.ready(kind, 'data');
  world.emulator.control.addFault({
    match: { method: 'DELETE', template: '/volumes/{volumeId}' },
    times: 12,
    effect: { kind: 'answer', status: 500 },
  });
  await world.delete(kind, 'data');
  await world.clock.advance(40_000);
  const { reason, message } = (await world.condition(kind, 'data', 'Ready')) ?? {};
  expect.soft(reason).toBe('Deleting');
  expect.soft(message).toMatch(/is still there, and whether it goes is not known: its deletion was sent once, and the answer was: .*500/);
  expect.soft((await cloud(world, 'why cvol/data')).out).toContain('is still there, and whether it goes is not known');
  await world.clock.advance(240_000);
  expect.soft((await world.condition(kind, 'data', 'Ready'))?.message).toMatch(/its deletion was sent [2-9] times/);
  await world.gone(kind, 'data', 3_600_000);
  expect(world.emulator.control.rows('volumes')).toEqual([]);
});

it('of a key it tells of that one, and not of the one before it, which goes as well', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudObjectKey', 'uploads', { bucketAccess: [], rotation: { overlapHours: 0 }, lifecycle: { onDelete: 'Delete' } });
  await world.ready('CloudObjectKey', 'uploads', 600_000);
  world.emulator.control.addFault({
    match: { method: 'DELETE', template: '/object-storage/keys/{keyId}' },
    times: 100,
    effect: { kind: 'answer', status: 500 },
  });
  await world.patch('CloudObjectKey', 'uploads', { metadata: { annotations: { 'cloudhosting.dev/rotate': '1' } } });
  const sent = (): number => world.emulator.control.requests().filter(({ method }) => method === 'DELETE').length;
  await world.clock.runUntil(() => Promise.resolve(sent() > 0), 600_000);
  const before = sent();
  await world.delete('CloudObjectKey', 'uploads');
  await world.clock.runUntil(() => Promise.resolve(sent() > before), 600_000);
  await world.clock.advance(2000);
  expect((await world.condition('CloudObjectKey', 'uploads', 'Ready'))?.message).toMatch(
    /^\/object-storage\/keys\/\d+ is still there.* sent once/,
  );
});
