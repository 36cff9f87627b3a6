import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const conflict = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'the object has been modified',
  reason: 'Conflict',
  code: 409,
} as const;

it('a write that never succeeds is tried again with back-off, whatever refuses it', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  world.server.faults.add({ match: { method: 'PATCH', path: /cloudvolumes/ }, action: { kind: 'answer', status: 409, body: conflict } });
  await world.apply('CloudVolume', 'data', { region: 'eu-central' });
  await world.clock.advance(1_200_000);
  const tries = world.server.ledger.requests.filter(({ verb, path }) => verb === 'patch' && path.includes('cloudvolumes')).length;
  expect(tries).toBeGreaterThan(3);
  expect(tries).toBeLessThan(25);
});
