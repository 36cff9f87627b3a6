import { expect, it } from 'vitest';
import { World } from '../support/world.ts';
it('objects that come before their account has its token become ready', async () => {
  const world = await World.create();
  await world.start();
  await world.apply('CloudBucket', 'shop-assets', { cluster: 'eu-central-1', acl: 'private', corsEnabled: false });
  await world.apply('CloudDomain', 'example', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
  await world.apply('CloudAccount', 'default', { endpoint: 'main', tokenSecretRef: { name: 'cloud-token', key: 'token' }});
  await world.clock.advance(5000);
  await world.secret('cloud-token', { token: 'token-admin' });
  const t0 = world.clock.now();
  await world.ready('CloudAccount', 'default', 70_000);
  console.log('account', world.clock.now()-t0);
  await world.ready('CloudDomain', 'example', 70_000);
  console.log('domain', world.clock.now()-t0);
  await world.ready('CloudBucket', 'shop-assets', 70_000);
  console.log('bucket', world.clock.now()-t0);
  expect(world.panics).toEqual([]);
});
