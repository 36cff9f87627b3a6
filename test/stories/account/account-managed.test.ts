import { beforeEach, describe, expect, it } from 'vitest';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { World } from '../../support/world/world.ts';

let world: World;
let colleague: CloudUser;
beforeEach(async () => {
  world = await World.create();
  colleague = new CloudUser(world);
});
async function begin(token?: string): Promise<void> {
  await world.account({}, 'team-a', token);
  await world.start();
  await world.ready('CloudAccount', 'default');
}
const status = async () => (await world.get('CloudAccount', 'default')).status ?? {};
const asked = (): readonly string[] =>
  world.emulator.control
    .requests()
    .flatMap(({ path, userAgent }) => (path.startsWith('/managed') && userAgent.includes('CloudAccount') ? [path] : []));
const issue = (id: number, services: readonly number[] = [654]): unknown =>
  world.emulator.control.edit({
    collection: 'managed issues',
    row: {
      id,
      created: '2026-01-01T00:01:01',
      services,
      entity: { id: 98_000 + id, label: 'Down', type: 'ticket', url: '/v4/support/tickets/1' },
    },
  });

describe('what the Managed service of an account shows', () => {
  it('is in its status once it is bought: the key of its staff, and the newest issues', async () => {
    await begin();
    await colleague.post('/account/settings/managed-enable');
    issue(823);
    issue(
      824,
      Array.from({ length: 30 }, (_, index) => 600 + index),
    );
    await world.clock.advance(960_000);
    const { ssh_key } = await colleague.get('/managed/credentials/sshkey');
    const { managedSSHKey, managedIssues } = await status();
    expect(managedSSHKey).toBe(ssh_key);
    expect(managedIssues).toEqual({
      count: 2,
      latest: [
        { id: 824, created: '2026-01-01T00:01:01', services: Array.from({ length: 20 }, (_, index) => 600 + index), ticket: 98_824 },
        { id: 823, created: '2026-01-01T00:01:01', services: [654], ticket: 98_823 },
      ],
    });
    for (let id = 900; id < 930; id += 1) issue(id);
    await world.clock.advance(960_000);
    const after = (await status())['managedIssues'] as { readonly count: number; readonly latest: readonly { readonly id: number }[] };
    expect(after.count).toBe(32);
    expect(after.latest.map(({ id }) => id)).toEqual([929, 928, 927, 926, 925, 924, 923, 922, 921, 920]);
  });
  it('is read as soon as the account is, where it was bought before', async () => {
    await colleague.post('/account/settings/managed-enable');
    issue(823);
    await begin();
    await world.clock.advance(60_000);
    expect(await status()).toMatchObject({ managedSSHKey: expect.stringMatching(/^ssh-rsa /), managedIssues: { count: 1 } });
  });
  it('is not asked for while it is not bought, and goes when it ends', async () => {
    world.emulator.control.setKnobs({ managedMustBeEnabled: true });
    await begin();
    await world.clock.advance(3_600_000);
    expect(asked()).toEqual([]);
    await colleague.post('/account/settings/managed-enable');
    await world.clock.advance(960_000);
    expect(await status()).toMatchObject({ managedIssues: { count: 0, latest: [] } });
    const [{ euuid } = {}] = world.emulator.control.rows('account_settings') as unknown as { euuid: string }[];
    world.emulator.control.edit({ collection: 'account_settings', key: String(euuid), row: { managed: false } });
    await world.clock.advance(1_000_000);
    const count = asked().length;
    await world.clock.advance(3_600_000);
    expect(await status()).not.toHaveProperty('managedSSHKey');
    expect(await status()).not.toHaveProperty('managedIssues');
    expect(asked()).toHaveLength(count);
  });
  it('is refused to a restricted user, whose account is Ready all the same', async () => {
    await colleague.post('/account/settings/managed-enable');
    await begin('token-limited');
    await world.clock.advance(3_600_000);
    await world.ready('CloudAccount', 'default');
    expect(await status()).not.toHaveProperty('managedSSHKey');
    expect(asked().length).toBeLessThan(20);
  });
});
