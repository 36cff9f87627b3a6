import { expect, it } from 'vitest';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const keyAt = '/api/v1/namespaces/cloud-operator/secrets';
const pools = (world: World): readonly { readonly id: number }[] => world.emulator.control.rows('pools') as never;

it('a pool that comes back out of Git says that its mark can be copied, and recover takes it', { timeout: 120_000 }, async () => {
  const old = await World.create();
  await old.account({ installation: 'prod' });
  const operator = await old.start();
  await old.apply('CloudKubernetesCluster', 'prod', {
    region: 'us-east',
    k8sVersion: '1.24',
    nodePools: [{ name: 'base', type: 'g6-standard-2', count: 1 }],
  });
  await old.ready('CloudKubernetesCluster', 'prod');
  await old.apply('CloudNodePool', 'gpu', { clusterRef: { name: 'prod' }, type: 'g6-standard-4', count: 1 });
  await old.ready('CloudNodePool', 'gpu');
  operator.kill();
  const { data } = (await old.admin('GET', `${keyAt}/cloud-operator-key`)) as unknown as { readonly data: object };
  const world = await World.create({ beside: old });
  const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
  await world.admin('POST', keyAt, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await world.account({ installation: 'prod' });
  await restore(world, exported(old));
  const seq = lastRequest(world);
  await world.start();
  const { message } = await world.reason('CloudNodePool', 'gpu', 'AlreadyExists', 30 * minute);
  expect(message).toContain("bears this object's mark, a tag that anybody may have copied");
  expect(message).toContain('spec.recover: true on CloudAccount team-a/default');
  await world.patch('CloudAccount', 'default', { spec: { recover: true } });
  await world.ready('CloudNodePool', 'gpu', 30 * minute);
  await world.patch('CloudAccount', 'default', { spec: { recover: false } });
  await world.clock.advance(10 * minute);
  await world.ready('CloudNodePool', 'gpu');
  expect([changesSince(world, seq).filter((call) => !call.startsWith('PUT')), pools(world).length]).toEqual([[], 2]);
});
