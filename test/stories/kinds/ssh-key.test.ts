import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIB4nUkBFu2vyy1uUCWKkPKVtQUP8QuwnxJqQxSr1EmZ5 alice@laptop';
beforeEach(async () => {
  world = await World.create();
  await world.account();
  await world.start();
  await world.apply('CloudSSHKey', 'alice', { label: 'alice', publicKey });
  await world.ready('CloudSSHKey', 'alice');
});
const keys = (): { id: number; label: string }[] => world.emulator.control.rows('ssh keys') as never;
const listings = (): number =>
  world.emulator.control.requests().filter(({ method, path }) => method === 'GET' && path === '/profile/sshkeys').length;
const byHand = (method: string, body?: object): Promise<unknown> =>
  world.emulator.control.actAs({ username: 'admin', method, path: `/v4/profile/sshkeys/${keys()[0]?.id}`, ...(body && { body }) });

describe('a key, of which events name nothing', () => {
  it('that was changed by hand is put right within the poll interval, and its user is named', async () => {
    await world.clock.advance(600_000);
    await byHand('PUT', { label: 'mallory' });
    await world.clock.advance(15_000);
    expect(keys()).toMatchObject([{ label: 'alice' }]);
    const { status } = await world.get('CloudSSHKey', 'alice');
    expect(status?.['lastCorrection']).toMatchObject({ fields: ['label'], by: 'admin' });
  });
  it('that was deleted by hand is made anew', async () => {
    await world.clock.advance(600_000);
    await byHand('DELETE');
    await world.clock.runUntil(() => Promise.resolve(keys().length === 1), 60_000);
  });
  it('that we made, changed or deleted is not listed again because of our own events', async () => {
    // Right after a sweep, so that the next one is minutes away.
    const first = listings();
    await world.clock.runUntil(() => Promise.resolve(listings() > first), 600_000);
    const before = listings();
    await world.patch('CloudSSHKey', 'alice', { spec: { label: 'alice-2' } });
    await world.ready('CloudSSHKey', 'alice');
    await world.clock.advance(60_000);
    expect(listings()).toBe(before);
  });
});
