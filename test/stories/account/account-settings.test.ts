import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
let user: CloudUser;
beforeEach(async () => {
  world = await World.create();
  user = new CloudUser(world);
});

const sent = (): readonly string[] =>
  world.changes.filter(({ kind }) => kind === 'CloudAccount').map(({ method, path }) => `${method} ${path}`);
const ofAccount = async (): Promise<unknown> => user.get('/account/settings');
const status = async (): Promise<unknown> => (await world.get('CloudAccount', 'default')).status?.['settings'];

describe('settings of an account', () => {
  it('are brought to what the spec asks for, and what it does not name is left alone', async () => {
    await world.account({ settings: { networkHelper: false } });
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.clock.advance(60_000);
    expect(await ofAccount()).toMatchObject({ network_helper: false, backups_enabled: false });
    expect(await status()).toEqual({ networkHelper: false, backupsEnabled: false });
    expect(sent()).toEqual(['PUT /account/settings']);

    await world.patch('CloudAccount', 'default', { spec: { settings: { networkHelper: null, backupsEnabled: true } } });
    await world.clock.advance(60_000);
    expect(await ofAccount()).toMatchObject({ network_helper: false, backups_enabled: true });
    expect(sent()).toHaveLength(2);
  });
  it('that a colleague changes are put back within the time that status tells', async () => {
    await world.account({ settings: { backupsEnabled: true } });
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.clock.advance(60_000);
    await user.put('/account/settings', { backups_enabled: false });
    await world.clock.advance(900_000);
    expect(await ofAccount()).toMatchObject({ backups_enabled: true });
    expect(sent()).toHaveLength(2);
  });
  it('are shown, and never changed, where the spec asks for none', async () => {
    await world.account();
    await world.start();
    await world.ready('CloudAccount', 'default');
    await world.clock.advance(900_000);
    expect(await status()).toEqual({ networkHelper: true, backupsEnabled: false });
    expect(sent()).toEqual([]);
  });
});
