import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  world = await World.create();
  await world.apply('CloudAccount', 'default', {
    endpoint: 'main',
    tokenSecretRef: { name: 'cloud-token', key: 'token' },
    installation: 'tests',
  });
  await world.start();
  await world.reason('CloudAccount', 'default', 'AccountNotReady');
});

for (const line of ['wait cacc/default', 'reconcile cacc/default --wait'])
  it(`${line} ends at once where the Secret with the token is missing, as status counts it`, async () => {
    const before = world.clock.now();
    const { exit, out } = await cloud(world, line, { limit: 30 * minute });
    expect(exit).toBe(1);
    expect(out).toContain('CloudAccount team-a/default needs a person: AccountNotReady: ');
    expect(out).toContain('Secret');
    expect(world.clock.now() - before).toBeLessThan(minute);
    expect((await cloud(world, 'status')).exit).toBe(1);
  });
it('wait ends well once it is connected', async () => {
  await world.secret('cloud-token', { token: 'token-admin' });
  await world.ready('CloudAccount', 'default');
  expect((await cloud(world, 'wait cacc/default', { limit: 30 * minute })).exit).toBe(0);
});
