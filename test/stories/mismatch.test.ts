import { expect, it } from 'vitest';
import { World } from '../support/world.ts';

const crd = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/cloudvolumes.cloudhosting.dev';
const annotate = (world: World, hash: string | undefined): Promise<unknown> =>
  world.admin('PATCH', crd, { metadata: { annotations: { 'cloudhosting.dev/schema-hash': hash } } });

it('a CRD that is changed while the operator runs is noticed, and so is the one that fits again', async () => {
  const world = await World.create();
  const ours = (await world.admin('GET', crd)).metadata.annotations?.['cloudhosting.dev/schema-hash'];
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  await annotate(world, 'of-another-version');
  const { message } = await world.reason('CloudAccount', 'default', 'CRDMismatch', 360_000);
  expect(message).toContain('CloudVolume');
  await world.apply('CloudVolume', 'data', { region: 'eu-central' });
  await world.clock.advance(300_000);
  expect(world.emulator.control.rows('volumes')).toEqual([]);
  await annotate(world, ours);
  await world.ready('CloudVolume', 'data', 400_000);
  await world.reason('CloudAccount', 'default', 'Available', 150_000);
});

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
