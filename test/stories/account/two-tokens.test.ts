import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

/** Two teams, each with a token of its own, both of one user of the account: they share one connection. */
let world: World;
beforeEach(async () => {
  world = await World.create();
  world.emulator.control.setToken({ token: 'token-b', username: 'admin', scopes: '*' });
  await world.namespace('team-b');
  await world.account();
  await world.account({}, 'team-b', 'token-b');
  await world.start();
  for (const namespace of ['team-a', 'team-b']) await world.ready('CloudAccount', 'default', 60_000, namespace);
});
const key = (name: string): Record<string, unknown> => ({
  publicKey: `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${name.padEnd(43, 'a')} ${name}`,
});
const labels = (): readonly string[] => (world.emulator.control.rows('ssh keys') as { label: string }[]).map(({ label }) => label);
const account = async (namespace: string): Promise<string | undefined> =>
  (await world.condition('CloudAccount', 'default', 'Synced', namespace))?.reason;

describe('a token that is revoked', () => {
  it('stops the team that has it, whose objects are not served with the token of the other team', async () => {
    world.emulator.control.revokeToken('token-admin');
    await world.clock.advance(31 * 60_000);
    expect([await account('team-a'), await account('team-b')]).toEqual(['Unauthorized', 'Available']);
    await world.apply('CloudSSHKey', 'ours', key('ours'));
    await world.apply('CloudSSHKey', 'theirs', key('theirs'), 'team-b');
    await world.ready('CloudSSHKey', 'theirs', 60_000, 'team-b');
    await world.clock.advance(120_000);
    expect(labels().map((label) => label.split('-')[0])).toEqual(['theirs']);
    const back = { token: Buffer.from('token-b').toString('base64') };
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: back });
    await world.ready('CloudSSHKey', 'ours', 120_000);
  });
});

describe('a token that is rotated to one with other scopes', () => {
  it('gives the other team no right that its own token lacks', async () => {
    for (const namespace of ['team-a', 'team-b']) {
      const data = { token: Buffer.from('token-readonly').toString('base64') };
      await world.admin('PATCH', `/api/v1/namespaces/${namespace}/secrets/cloud-token`, { data });
    }
    await world.clock.advance(130_000);
    const data = { token: Buffer.from('token-admin').toString('base64') };
    await world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data });
    await world.clock.advance(130_000);
    await world.apply('CloudSSHKey', 'ours', key('ours'));
    await world.apply('CloudSSHKey', 'theirs', key('theirs'), 'team-b');
    await world.ready('CloudSSHKey', 'ours', 60_000);
    await world.reason('CloudSSHKey', 'theirs', 'Forbidden', 60_000, 'team-b');
    expect(labels().map((label) => label.split('-')[0])).toEqual(['ours']);
  });
});
