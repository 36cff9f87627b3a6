import { expect, it } from 'vitest';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { World } from '../../support/world/world.ts';

const keyAt = '/api/v1/namespaces/cloud-operator/secrets';
const spec = { region: 'eu-central', type: 'g6-nanode-1' };
const volume = { region: 'eu-central' };

it('a backup with status and without annotations has nothing made a second time, under any label', async () => {
  const old = await World.create();
  await old.account({ installation: 'prod' });
  const operator = await old.start();
  await old.apply('CloudInstance', 'web', spec);
  await old.apply('CloudVolume', 'data', volume);
  const kept = { CloudInstance: await old.ready('CloudInstance', 'web'), CloudVolume: await old.ready('CloudVolume', 'data') };
  const objects = exported(old);
  operator.kill();
  const { data } = (await old.admin('GET', `${keyAt}/cloud-operator-key`)) as unknown as { readonly data: object };
  const world = await World.create({ beside: old });
  const metadata = { name: 'cloud-operator-key', namespace: 'cloud-operator' };
  await world.admin('POST', keyAt, { apiVersion: 'v1', kind: 'Secret', metadata, data });
  await world.account({ installation: 'prod' });
  await restore(world, objects);
  for (const { kind, metadata: of, status } of Object.values(kept))
    await world.admin('PATCH', `${world.path(kind, of.namespace, of.name)}/status`, { status });
  const seq = lastRequest(world);
  await world.start();
  await world.clock.advance(20 * 60_000);
  expect(changesSince(world, seq).filter((call) => !/^\S+ \S+ 400/.test(call))).toEqual([]);
  expect((await world.ready('CloudInstance', 'web')).status).toMatchObject({ path: kept.CloudInstance.status?.['path'] });
  expect((await world.ready('CloudVolume', 'data')).status).toMatchObject({ path: kept.CloudVolume.status?.['path'] });
});
