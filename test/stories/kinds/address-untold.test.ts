import { expect, it } from 'vitest';
import { changesOf } from '../../support/world/changes.ts';
import { World } from '../../support/world/world.ts';

// Read "which this object neither names nor had it at", and to name the very instance that it named.
it('an address whose instance has no id yet, and of which nothing is remembered, is not said to be elsewhere', async () => {
  const world = await World.create({ emulator: { speed: 10, knobs: { extraPublicAddresses: true } } });
  await world.account();
  const operator = await world.start();
  await world.apply('CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1', label: 'web' });
  await world.apply('CloudIPAddress', 'ip', { type: 'IPv4', instanceRef: { name: 'web' } });
  await world.ready('CloudIPAddress', 'ip');
  await world.clock.advance(600_000);
  operator.kill();
  const web = await world.get('CloudInstance', 'web');
  await world.admin('PUT', world.path('CloudInstance', undefined, 'web'), { ...web, metadata: { ...web.metadata, annotations: {} } });
  for (const [kind, name] of [
    ['CloudInstance', 'web'],
    ['CloudIPAddress', 'ip'],
  ] as const)
    await world.admin('PUT', `${world.path(kind, undefined, name)}/status`, { ...(await world.get(kind, name)), status: {} });
  const ofAddress = (): readonly string[] => changesOf(world).filter((call) => !call.endsWith(' /vm/instances'));
  const before = ofAddress();
  await world.start();
  await world.reason('CloudInstance', 'web', 'AlreadyExists', 600_000);
  await world.clock.advance(600_000);
  expect(await world.condition('CloudIPAddress', 'ip', 'Ready')).toMatchObject({ status: 'False', reason: 'ReferenceNotReady' });
  expect((await world.condition('CloudIPAddress', 'ip', 'Ready'))?.message).not.toContain('neither names nor had it at');
  expect(ofAddress()).toEqual(before);
  await world.patch('CloudInstance', 'web', { spec: { adopt: { id: Number(web.status?.['id']) } } });
  await world.ready('CloudIPAddress', 'ip', 600_000);
  expect(ofAddress()).toEqual(before);
});
