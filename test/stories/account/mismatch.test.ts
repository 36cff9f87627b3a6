import { expect, it } from 'vitest';
import { serveNewerCrd, serveOlderCrd } from '../../support/world/served-crd.ts';
import { World } from '../../support/world/world.ts';

it('a CRD that is changed while the operator runs is noticed, and so is the one that fits again', async () => {
  const world = await World.create();
  await world.account();
  await world.start();
  await world.ready('CloudAccount', 'default');
  const restore = await serveOlderCrd(world, 'CloudVolume');
  const { message } = await world.reason('CloudAccount', 'default', 'CRDMismatch', 360_000);
  expect(message).toContain('CloudVolume');
  await world.apply('CloudVolume', 'data', { region: 'eu-central' });
  await world.clock.advance(300_000);
  expect(world.emulator.control.rows('volumes')).toEqual([]);
  await restore();
  await world.ready('CloudVolume', 'data', 400_000);
  await world.reason('CloudAccount', 'default', 'Available', 150_000);
});

it('a kind whose CRD is of another version is not written; the account says so, and other kinds work', async () => {
  const world = await World.create();
  await serveOlderCrd(world, 'CloudVolume');
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

// A release that was rolled back alone left every kind alone that had gained a field: "the CRDs of CloudVolume are not those of this operator's version".
it('an operator that is rolled back works on under newer CRDs that only gained optional fields', async () => {
  const world = await World.create();
  await serveNewerCrd(world, 'CloudVolume');
  await serveNewerCrd(world, 'CloudAccount');
  await world.account();
  await world.start();
  await world.apply('CloudVolume', 'data', { region: 'eu-central', ofTheNextRelease: 'yes' });
  await world.ready('CloudVolume', 'data');
  expect((await world.ready('CloudAccount', 'default')).spec).not.toHaveProperty('ofTheNextRelease');
  expect((await world.get('CloudVolume', 'data')).spec).toMatchObject({ ofTheNextRelease: 'yes' });
  expect(world.emulator.control.rows('volumes')).toHaveLength(1);
});
