import { beforeEach, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

const stuck = 'the account has nothing of this object: delete it and apply the corrected one, as spec.region cannot be changed in it';
const made = [
  ['CloudVolume', { sizeGiB: 20 }],
  ['CloudInstance', { type: 'g6-nanode-1' }],
  ['CloudDatabase', { engine: 'mysql/8.0.26', type: 'g6-dedicated-2', clusterSize: 1 }],
  ['CloudKubernetesCluster', { k8sVersion: '1.25', nodePools: [{ name: 'base', type: 'g6-standard-1', count: 1 }] }],
] as const;

let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
});

it.each(made)(
  'a %s that nothing says where to make is made anew by its writer, or by defaults.region: no edit of it may add one',
  async (kind, spec) => {
    await world.apply(kind, 'x', spec);
    const { message } = await world.reason(kind, 'x', 'InvalidSpec');
    expect(message).toContain('neither it nor defaults.region of the CloudAccount says where to make this');
    expect(message).toContain(stuck);
    await world.patch('CloudAccount', 'default', { spec: { defaults: { region: 'us-east' } } });
    await world.clock.runUntil(async () => (await world.find(kind, 'x'))?.status?.['path'] !== undefined, 900_000);
  },
);
it('says nothing of deleting where the object may be replaced, so that the edit goes through', async () => {
  await world.apply('CloudVolume', 'x', { sizeGiB: 20, lifecycle: { replace: 'Allow' } });
  const { message } = await world.reason('CloudVolume', 'x', 'InvalidSpec');
  expect(message).toContain('spec.region: neither it nor defaults.region');
  expect(message).not.toContain('delete it');
});
