import { beforeEach, describe, expect, it } from 'vitest';
import { type RunningOperator, World } from '../../support/world/world.ts';

let world: World;
let operator: RunningOperator;
beforeEach(async () => {
  world = await World.create();
  await world.account();
  operator = await world.start();
  await world.apply('CloudVolume', 'idle', { region: 'eu-central', sizeGiB: 20 });
  await world.apply('CloudDomain', 'idle', { domain: 'example.com', type: 'master', soaEmail: 'admin@example.com' });
  await world.ready('CloudVolume', 'idle');
  await world.ready('CloudDomain', 'idle');
  await world.clock.advance(60_000);
});
const said = async (): Promise<readonly unknown[]> =>
  Promise.all(['CloudVolume', 'CloudDomain'].map(async (kind) => (await world.get(kind, 'idle')).status?.conditions));
const silence = (): number => world.emulator.control.addFault({ match: { username: 'admin' }, effect: { kind: 'html', status: 502 } });
const setToken = (token: string): Promise<unknown> =>
  world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: { token: Buffer.from(token).toString('base64') } });

describe('while the account cannot be reached', () => {
  it('objects with nothing to do keep their conditions, one with work says so once, and all is well soon after', async () => {
    const before = await said();
    const fault = silence();
    await world.apply('CloudVolume', 'new', { region: 'eu-central' });
    await world.reason('CloudVolume', 'new', 'Unreachable');
    await world.reason('CloudAccount', 'default', 'Unreachable');
    await world.clock.advance(60_000);
    const { metadata } = await world.get('CloudVolume', 'new');
    await world.clock.advance(1_800_000);
    expect((await world.get('CloudVolume', 'new')).metadata.resourceVersion).toBe(metadata.resourceVersion);
    expect(await said()).toEqual(before);
    world.emulator.control.removeFault(fault);
    await world.reason('CloudAccount', 'default', 'Available', 660_000);
    await world.ready('CloudVolume', 'new', 30_000);
    expect(await said()).toEqual(before);
  });
  it('a restart changes nothing on objects with nothing to do', async () => {
    const before = await said();
    silence();
    operator.kill();
    await world.start();
    await world.clock.advance(1_800_000);
    expect(await said()).toEqual(before);
    await world.reason('CloudAccount', 'default', 'Unreachable');
  });
});

describe('while the token is no good', () => {
  it.each([
    ['revoked', 'Unauthorized', async (): Promise<unknown> => Promise.resolve(world.emulator.control.revokeToken('token-admin'))],
    ['of another account', 'AccountMismatch', (): Promise<unknown> => setToken('token-other')],
  ])('(%s) objects with nothing to do keep their conditions, before and after a restart', async (_, reason, spoil) => {
    const before = await said();
    await spoil();
    await world.reason('CloudAccount', 'default', reason, 180_000);
    await world.clock.advance(900_000);
    expect(await said()).toEqual(before);
    operator.kill();
    await world.start();
    await world.clock.advance(900_000);
    expect(await said()).toEqual(before);
  });
  it('another one is found within a minute, however long the first was no good', async () => {
    await setToken('token-nobody');
    await world.reason('CloudAccount', 'default', 'Unauthorized', 180_000);
    // Whoever waits for the account must not be told that it is there.
    expect(await world.condition('CloudAccount', 'default', 'Ready')).toMatchObject({ status: 'False', reason: 'Unauthorized' });
    await world.clock.advance(3_600_000);
    await setToken('token-admin');
    await world.reason('CloudAccount', 'default', 'Available', 65_000);
    expect((await world.condition('CloudAccount', 'default', 'Synced'))?.reason).toBe('Available');
  });
  it('(its Secret is gone) objects with nothing to do keep their conditions, and one with work says why', async () => {
    const before = await said();
    await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
    await world.clock.advance(900_000);
    expect(await said()).toEqual(before);
    await world.apply('CloudVolume', 'new', { region: 'eu-central' });
    expect((await world.reason('CloudVolume', 'new', 'AccountNotReady')).message).toContain('Secret cloud-token is not found');
  });
});
