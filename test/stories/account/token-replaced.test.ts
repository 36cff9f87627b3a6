import { beforeEach, describe, expect, it } from 'vitest';
import { World } from '../../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await World.create();
  world.emulator.control.setToken({ token: 'token-b', username: 'admin', scopes: '*' });
  await world.account();
});
const volumes = (): readonly unknown[] => world.emulator.control.rows('volumes');
const changes = (since = 0): readonly unknown[] => world.emulator.control.requests(since).filter(({ method }) => method !== 'GET');
const newest = (): number => world.emulator.control.requests().at(-1)?.seq ?? 0;
const secret = '/api/v1/namespaces/team-a/secrets/cloud-token';
const token = (value: string): Promise<unknown> => world.admin('PATCH', secret, { data: { token: Buffer.from(value).toString('base64') } });
const apply = (name: string, namespace?: string): Promise<unknown> =>
  world.apply('CloudVolume', name, { region: 'eu-central', lifecycle: { onDelete: 'Delete' } }, namespace);

describe('a token that is replaced by one that is not valid', () => {
  it('stops every change within a minute, although the old one would still do', async () => {
    await world.start();
    await apply('before');
    await world.ready('CloudVolume', 'before');
    await token('no-such-token');
    await world.clock.advance(90_000);
    const from = newest();
    await apply('after');
    await world.patch('CloudVolume', 'before', { spec: { sizeGiB: 40 } });
    await world.clock.advance(10 * 60_000);
    await world.delete('CloudVolume', 'before');
    await world.clock.advance(10 * 60_000);
    expect(changes(from)).toEqual([]);
    expect((await world.condition('CloudAccount', 'default', 'Synced'))?.reason).toBe('Unauthorized');
    expect((await world.condition('CloudVolume', 'after', 'Synced'))?.reason).toBe('AccountNotReady');
    await token('token-b');
    await world.ready('CloudVolume', 'after');
    await world.gone('CloudVolume', 'before');
    expect(volumes()).toHaveLength(1);
  });

  it('stops them whoever shares the connection, and not those who share it', async () => {
    await world.namespace('team-b');
    await world.account({}, 'team-b', 'token-b');
    await world.start();
    for (const namespace of ['team-a', 'team-b']) await world.ready('CloudAccount', 'default', 60_000, namespace);
    await token('no-such-token');
    await world.clock.advance(90_000);
    await apply('ours');
    await apply('theirs', 'team-b');
    await world.ready('CloudVolume', 'theirs', 60_000, 'team-b');
    await world.clock.advance(40 * 60_000);
    expect(volumes()).toHaveLength(1);
    expect((await world.condition('CloudAccount', 'default', 'Synced'))?.reason).toBe('Unauthorized');
  });

  it('stops a change that waited for the rate window meanwhile', async () => {
    world.emulator.control.setKnobs({ rateProfile: 'published-2026' });
    await world.start();
    await world.ready('CloudAccount', 'default');
    for (let n = 0; n < 300; n += 1) await apply(`v${n}`);
    await world.clock.advance(5_000);
    await token('no-such-token');
    await world.clock.advance(90_000);
    const from = newest();
    expect(volumes().length).toBeLessThan(300);
    await world.clock.advance(10 * 60_000);
    expect(changes(from)).toEqual([]);
    await token('token-admin');
    await world.clock.advance(10 * 60_000);
    expect(volumes()).toHaveLength(300);
  });

  it('is as after a restart: the copy of the old one serves deletions only once the Secret is gone', async () => {
    await world.start();
    await apply('v');
    await world.ready('CloudVolume', 'v');
    await token('no-such-token');
    await world.clock.advance(90_000);
    await world.delete('CloudVolume', 'v');
    await world.clock.advance(5 * 60_000);
    expect(volumes()).toHaveLength(1);
    await world.admin('DELETE', secret);
    await world.gone('CloudVolume', 'v');
    expect(volumes()).toEqual([]);
  });

  it('is not Ready once its Secret is gone, and says what to do, while what it has made stays as it was', async () => {
    await world.start();
    await apply('v');
    await world.ready('CloudVolume', 'v');
    await world.admin('DELETE', secret);
    await world.clock.advance(150_000);
    for (const type of ['Ready', 'Synced'] as const)
      expect(await world.condition('CloudAccount', 'default', type)).toMatchObject({
        status: 'False',
        reason: 'AccountNotReady',
        message: expect.stringContaining('Create the Secret again') as string,
      });
    expect(await world.condition('CloudVolume', 'v', 'Ready')).toMatchObject({ status: 'True' });
    const data = { token: Buffer.from('token-admin').toString('base64') };
    await world.admin('POST', '/api/v1/namespaces/team-a/secrets', { metadata: { name: 'cloud-token' }, data });
    await world.clock.advance(150_000);
    await world.ready('CloudAccount', 'default');
  });

  it('that cannot be verified because the API is away is not replaced by the old one either', async () => {
    await world.start();
    await apply('before');
    await world.ready('CloudVolume', 'before');
    world.emulator.control.addFault({ match: { method: 'GET', path: '/profile' }, effect: { kind: 'answer', status: 503 } });
    await token('token-b');
    await world.clock.advance(90_000);
    const from = newest();
    await apply('after');
    await world.clock.advance(3 * 60_000);
    expect(changes(from)).toEqual([]);
    world.emulator.control.clearFaults();
    await world.ready('CloudVolume', 'after', 10 * 60_000);
  });
});
