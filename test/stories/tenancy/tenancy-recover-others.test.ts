import { expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

// The key is there, so that `data-xxxxxxxx` is known to be no label of evil/data. `evil` may adopt nothing.
const [platform, victim, evil] = ['platform', 'team-a', 'evil'];
const accountRef = { name: 'default', namespace: platform };
const minute = 60_000;
it('while an account recovers with its key nobody takes, and deletes, what bears the mark of another namespace', async () => {
  const world = await World.create();
  for (const name of [platform, evil]) await world.namespace(name);
  await world.account({ access: [{ namespaces: [victim] }, { namespaces: [evil] }] }, platform);
  await world.start();
  await world.ready('CloudAccount', 'default', minute, platform);
  await world.clock.advance(minute);
  await world.apply('CloudVolume', 'data', { accountRef, region: 'eu-central', sizeGiB: 20, lifecycle: { onDelete: 'Retain' } }, victim);
  await world.ready('CloudVolume', 'data', 10 * minute, victim);
  await world.delete('CloudVolume', 'data', victim);
  await world.gone('CloudVolume', 'data', 10 * minute, victim);
  await world.clock.advance(2 * minute);
  await world.patch('CloudAccount', 'default', { spec: { recover: true } }, platform);
  await world.clock.advance(minute);
  await world.apply('CloudVolume', 'data', { accountRef, region: 'eu-central', lifecycle: { onDelete: 'Delete' } }, evil);
  await world.clock.advance(10 * minute);
  expect((await world.condition('CloudVolume', 'data', 'Synced', evil))?.reason).toBe('RemoteMissing');
  await world.delete('CloudVolume', 'data', evil);
  await world.clock.advance(10 * minute);
  expect(world.emulator.control.rows('volumes')).toHaveLength(1);
  await world.apply('CloudVolume', 'data', { accountRef, region: 'eu-central', sizeGiB: 20 }, victim);
  await world.ready('CloudVolume', 'data', 10 * minute, victim);
  expect(world.emulator.control.rows('volumes')).toHaveLength(1);
});
