import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

it('a kind whose CRD is of another version is not written; the account says so, and other kinds work', async () => {
  const world = await World.create();
  await world.admin('PATCH', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev', {
    metadata: { annotations: { 'cloudhosting.dev/schema-hash': 'of-another-version' } },
  });
  await world.account();
  await world.start();
  const { metadata } = await world.apply('CloudVolume', 'data', { region: 'eu-central' });
  const { message } = await world.reason('CloudAccount', 'default', 'CRDMismatch');
  expect(message).toContain('CloudVolume');
  expect(message).toContain('Apply the CRDs');
  await world.apply('CloudDomain', 'zone', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
  await world.ready('CloudDomain', 'zone');
  await world.clock.advance(600_000);
  expect((await world.get('CloudVolume', 'data')).metadata.resourceVersion).toBe(metadata.resourceVersion);
  expect(world.emulator.control.rows('volumes')).toEqual([]);
});
