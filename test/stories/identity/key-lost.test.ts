import { expect, it } from 'vitest';
import { changesSince, exported, lastRequest, restore } from '../../support/world/gitops.ts';
import { World } from '../../support/world/world.ts';

const minute = 60_000;
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOy3aI05m4g1XjMCxjDe1RxEej2A1/chTLltdDV98GUl a@b';
const objects: readonly (readonly [string, Record<string, unknown>])[] = [
  ['CloudVolume', { region: 'eu-central' }],
  ['CloudFirewall', { inboundPolicy: 'DROP', outboundPolicy: 'ACCEPT' }],
  ['CloudBucket', { cluster: 'eu-central-1' }],
  ['CloudSSHKey', { publicKey }],
];
/** A cluster whose installation is named and whose objects have no label of their own, and one that is rebuilt from Git alone. */
async function rebuilt(account: Record<string, unknown> = {}): Promise<World> {
  const old = await World.create();
  await old.account({ installation: 'prod' });
  const operator = await old.start();
  for (const [kind, spec] of objects) await old.apply(kind, 'data', spec);
  for (const [kind] of objects) await old.ready(kind, 'data');
  operator.kill();
  const world = await World.create({ beside: old });
  await world.account({ installation: 'prod', ...account });
  await restore(world, exported(old));
  return world;
}

it('a cluster that lost its key and that nobody lets recover makes nothing a second time, also after a restart', async () => {
  const world = await rebuilt();
  const seq = lastRequest(world);
  const operator = await world.start();
  for (const [kind] of objects) await world.reason(kind, 'data', 'AlreadyExists');
  operator.kill();
  await world.start();
  await world.clock.advance(40 * minute);
  for (const [kind] of objects) expect((await world.condition(kind, 'data', 'Synced'))?.message).toContain('set spec.recover: true');
  expect(changesSince(world, seq)).toEqual([]);
  await world.patch('CloudAccount', 'default', { spec: { recover: true } });
  for (const [kind] of objects) await world.ready(kind, 'data');
  expect(changesSince(world, seq)).toEqual([]);
});

it('a person may say that what is there is not wanted', async () => {
  const world = await rebuilt();
  await world.start();
  await world.reason('CloudVolume', 'data', 'AlreadyExists');
  await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/recreate': 'today' } } });
  await world.ready('CloudVolume', 'data');
  expect(world.emulator.control.rows('volumes')).toHaveLength(2);
});

it('another installation of the same names is kept waiting by nothing', async () => {
  const world = await rebuilt({ installation: 'staging' });
  await world.start();
  for (const [kind] of objects) await world.ready(kind, 'data');
  expect(world.emulator.control.rows('volumes')).toHaveLength(2);
});

it('nor is who has the name of something that was made here and kept', async () => {
  const world = await World.create();
  await world.namespace('team-b');
  await world.account({ installation: 'prod' });
  await world.account({ installation: 'prod' }, 'team-b');
  await world.start();
  await world.apply('CloudVolume', 'data', { region: 'eu-central', lifecycle: { onDelete: 'Retain' } });
  await world.ready('CloudVolume', 'data');
  await world.delete('CloudVolume', 'data');
  await world.gone('CloudVolume', 'data');
  await world.apply('CloudVolume', 'data', { region: 'eu-central' }, 'team-b');
  await world.ready('CloudVolume', 'data', undefined, 'team-b');
});
