import { beforeEach, expect, it } from 'vitest';
import { cloud, dataOf } from '../../support/cloud-cli.ts';
import { connectedWorld } from '../../support/connected-world.ts';
import type { World } from '../../support/world.ts';

let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.apply('CloudVolume', 'data', { region: 'eu-central', sizeGiB: 20 });
  await world.ready('CloudVolume', 'data');
});

it('status names what is paused without an end', async () => {
  expect((await cloud(world, 'status')).out).not.toContain('is paused');
  await world.patch('CloudVolume', 'data', { metadata: { annotations: { 'cloudhosting.dev/pause': 'true' } } });
  await world.reason('CloudVolume', 'data', 'Paused');
  const { out } = await cloud(world, 'status');
  expect(out).toContain('CloudVolume team-a/data is paused until it is resumed');
  expect(out).toContain('kubectl cloud resume -n team-a cvol/data');
});

it('why does not say that an account may write whose token is refused', async () => {
  expect((await cloud(world, 'why cvol/data')).out).toContain('may write');
  world.emulator.control.revokeToken('token-admin');
  await world.reason('CloudAccount', 'default', 'Unauthorized', 3_600_000);
  const { out } = await cloud(world, 'why cvol/data');
  expect(out).toContain('Unauthorized, nothing can be written until that is mended');
  expect(out).not.toContain('may write');
});

it('status tells no mode of an account that is not there', async () => {
  await world.apply('CloudVolume', 'else', { region: 'eu-central', sizeGiB: 20, accountRef: { name: 'none' } });
  const { out } = await cloud(world, 'status');
  expect(out).toMatch(/^team-a\/default +Ready +admin +Manage +1 Ready /m);
  expect(out).toMatch(/^team-a\/none +NotFound {2,}1 \w+ +0 +\d$/m);
  const { accounts } = dataOf(await cloud(world, 'status -o json')) as { accounts: { account: string; mode?: string }[] };
  expect(accounts.map(({ account, mode }) => [account, mode])).toEqual([
    ['team-a/default', 'Manage'],
    ['team-a/none', undefined],
  ]);
});
