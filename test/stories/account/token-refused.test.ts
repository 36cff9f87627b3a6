import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
  await world.clock.advance(5 * minute);
});
const refused = (): readonly unknown[] => world.emulator.control.requests().filter(({ status }) => status === 401);
const accountWrites = (): number => world.server.ledger.writes.filter(({ resource }) => resource === 'cloudaccounts').length;
/** To the end of the first call that is refused, and a second more. */
async function firstRefusal(): Promise<void> {
  for (let second = 0; second < 30 && refused().length === 0; second += 1) await world.clock.advance(1000);
  await world.clock.advance(1000);
  expect(refused().length).toBeGreaterThan(0);
}

describe('the first call that is refused for its token', () => {
  it.each([
    ['that asks for events', (): Promise<unknown> => Promise.resolve()],
    ['that was to change something', (): Promise<unknown> => world.patch('CloudVolume', 'data', { spec: { sizeGiB: 40 } })],
  ])('makes the account not Ready within a second: one %s', async (_, ask) => {
    world.emulator.control.revokeToken('token-admin');
    await ask();
    await firstRefusal();
    for (const type of ['Ready', 'Synced'])
      expect(await world.condition('CloudAccount', 'default', type)).toMatchObject({ status: 'False', reason: 'Unauthorized' });
    expect((await cloud(world, 'status')).out).toMatch(/^team-a\/default +Unauthorized /m);
  });
  it('costs nothing but looks whether the token is good again, and the account is Ready as soon as it is', async () => {
    world.emulator.control.revokeToken('token-admin');
    await firstRefusal();
    const [calls, writes] = [refused().length, accountWrites()];
    await world.clock.advance(30 * minute);
    expect(refused().length - calls).toBeLessThanOrEqual(30);
    expect(accountWrites()).toBe(writes);
    world.emulator.control.setToken({ token: 'token-admin', username: 'admin', scopes: '*' });
    await world.ready('CloudAccount', 'default', 11 * minute);
  });
});
