import { beforeEach, expect, it } from 'vitest';
import { cloud, dataOf } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

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

it('why says that deletions go on where the Secret of the token has gone', async () => {
  await world.admin('DELETE', '/api/v1/namespaces/team-a/secrets/cloud-token');
  await world.clock.advance(10 * 60_000);
  const { out } = await cloud(world, 'why cvol/data');
  expect(out).toContain('AccountNotReady, only deletions are made until that is mended: what is deleted now goes in the account, too');
  expect(out).not.toContain('nothing can be written');
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

it('doctor and status call nothing well that was only seen before the token was refused', async () => {
  const lines = async (line: string, find: RegExp) => (await cloud(world, line)).out.split('\n').filter((one) => find.test(one));
  expect(await lines('doctor', /D12/)).toEqual([
    'ok    D12  tokens lead to their accounts, as users who may do all, as operators read that last, up to 60 s ago (now: --account)',
  ]);
  expect((await cloud(world, 'status')).out).not.toContain('last read');
  world.emulator.control.revokeToken('token-admin');
  await world.reason('CloudAccount', 'default', 'Unauthorized', 3_600_000);
  const { out } = await cloud(world, 'status');
  expect(out).toMatch(/^team-a\/default +Unauthorized +admin +Manage +1 Ready /m);
  expect(out).toMatch(
    /\nteam-a\/default: what is shown as Ready is as of the last read, at least \d+ \w+ ago: nothing in it is seen since\n/,
  );
  expect(await lines('doctor', /^fail/)).toEqual([
    expect.stringMatching(/^fail {2}D11 {2}CloudAccount team-a\/default is not connected: Unauthorized: GET /),
  ]);
  const unlooked = await lines('doctor', /^\? /);
  for (const id of ['D12', 'D13', 'D14', 'D15', 'D20', 'D21', 'D22'])
    expect(unlooked.join('\n')).toMatch(
      new RegExp(`${id} .*: not checked: CloudAccount team-a/default is not connected \\(Unauthorized, D11\\)`),
    );
});
