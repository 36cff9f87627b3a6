import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

it('an object whose annotations leave no room for ours says so, and is made once there is room', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  const other = 'kubectl.kubernetes.io/last-applied-configuration';
  await world.admin('POST', world.path('CloudVolume'), {
    apiVersion: 'cloudhosting.dev/v1alpha1',
    kind: 'CloudVolume',
    metadata: { name: 'data', namespace: 'team-a', annotations: { [other]: 'x'.repeat(262_000) } },
    spec: { region: 'eu-central' },
  });
  await world.reason('CloudVolume', 'data', 'Rejected');
  expect((await world.condition('CloudVolume', 'data', 'Synced'))?.message).toContain('256 KiB');
  expect(world.emulator.control.rows('volumes')).toEqual([]);
  await world.patch('CloudVolume', 'data', { metadata: { annotations: { [other]: null, 'cloudhosting.dev/reconcile-at': 'now' } } });
  await world.ready('CloudVolume', 'data');
});
