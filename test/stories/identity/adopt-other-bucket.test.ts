import { expect, test } from 'vitest';
import { changesSince, lastRequest } from '../../support/world/gitops.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

const kind = 'CloudBucket';
const bucket = { cluster: 'eu-central-1', acl: 'private', corsEnabled: false };

test('a bucket whose name its spec does not say is adopted by its id, which is cluster and label, and kept in step', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  const user = new CloudUser(world);
  await user.post('/object-storage/buckets', { label: 'of-years', cluster: 'eu-central-1', acl: 'private', cors_enabled: false });
  await world.clock.advance(300_000);
  const since = lastRequest(world);
  await world.apply(kind, 'assets', { ...bucket, adopt: { id: 'eu-central-1/of-years' } });
  const { status } = await world.ready(kind, 'assets');
  expect(status?.['path']).toBe('/object-storage/buckets/eu-central-1/of-years');
  expect(changesSince(world, since)).toEqual([]);
  await world.patch(kind, 'assets', { spec: { corsEnabled: true } });
  await world.clock.advance(60_000);
  await world.ready(kind, 'assets');
  expect(changesSince(world, since)).toEqual([expect.stringContaining('"cors_enabled":true')]);

  await user.post('/object-storage/buckets', { label: 'another', cluster: 'eu-central-1', acl: 'private', cors_enabled: false });
  await world.patch(kind, 'assets', { spec: { adopt: { id: 'eu-central-1/another' } } });
  const { message } = await world.reason(kind, 'assets', 'InvalidSpec');
  expect(message).toContain('write spec.adopt: {id: eu-central-1/of-years}');
});
