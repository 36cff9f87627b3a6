import { expect, it } from 'vitest';
import type { Resource } from '../../../src/engine/ports/index.ts';
import { statusOps } from '../../../src/engine/status/status-patch.ts';
import { World } from '../../support/world/world.ts';

it('a status that was meant for an object never reaches the one made anew under its name', async () => {
  const world = await World.create();
  const first = await world.apply('CloudVolume', 'data', { region: 'eu-central' });
  await world.delete('CloudVolume', 'data');
  const second = await world.apply('CloudVolume', 'data', { region: 'eu-central' });
  expect(second.metadata.uid).not.toBe(first.metadata.uid);
  const ops = statusOps(first as unknown as Resource, { id: '4711' });
  const late = await world.server.as('admin', 'PATCH', `${world.path('CloudVolume', 'team-a', 'data')}/status`, ops);
  expect(late.status).toBe(422);
  expect((await world.get('CloudVolume', 'data')).status?.['id']).toBeUndefined();
  const right = await world.server.as(
    'admin',
    'PATCH',
    `${world.path('CloudVolume', 'team-a', 'data')}/status`,
    statusOps(second as unknown as Resource, { id: '4712' }),
  );
  expect(right.status).toBe(200);
});

it('a status that was made from an older one never overwrites a newer (chaos F2, F5: a suspended writer)', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudVolume', 'data', { region: 'eu-central' });
  const old = await world.ready('CloudVolume', 'data');
  await world.patch('CloudVolume', 'data', { spec: { sizeGiB: 30 } });
  await world.ready('CloudVolume', 'data');
  const path = `${world.path('CloudVolume', 'team-a', 'data')}/status`;
  const late = await world.server.as('admin', 'PATCH', path, statusOps(old as unknown as Resource, { sizeGiB: 20 }));
  expect(late.status).toBe(422);
  expect((await world.get('CloudVolume', 'data')).status?.['sizeGiB']).toBe(30);
});
