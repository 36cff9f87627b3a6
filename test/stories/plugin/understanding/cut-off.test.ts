import { beforeEach, describe, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  for (const name of ['a', 'b', 'c']) {
    await world.apply('CloudVolume', name, { region: 'us-east', sizeGiB: 20, lifecycle: { onDelete: name === 'c' ? 'Retain' : 'Delete' } });
    await world.ready('CloudVolume', name);
  }
  await world.clock.advance(minute);
});
const volumes = (): number => world.emulator.control.rows('volumes').length;
const out = async (line: string): Promise<string> => (await cloud(world, line, { limit: 10 * minute })).out;
const token = (value: string): Promise<unknown> =>
  world.admin('PATCH', '/api/v1/namespaces/team-a/secrets/cloud-token', { data: { token: Buffer.from(value).toString('base64') } });
/** As `kubectl apply` of a line that was printed. */
async function typePatches(lines: string): Promise<void> {
  for (const [, name = '', patch = ''] of lines.matchAll(/cloudvolume[ /](\S+) --type[= ]merge -p '(.*)'/g))
    await world.patch('CloudVolume', name, JSON.parse(patch) as Record<string, unknown>);
}
const keep = 'kubectl cloud release --keep -n team-a cacc/default';

describe('what is being deleted in an account whose token is refused', () => {
  beforeEach(async () => {
    world.emulator.control.revokeToken('token-admin');
    await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
    for (const name of ['a', 'b', 'c']) await world.delete('CloudVolume', name);
    await world.clock.advance(minute);
  });

  it('is named by status and why before a new token carries it out, with the line that keeps what it has', async () => {
    expect(volumes()).toBe(3);
    expect(await out('status')).toContain(
      `\nteam-a/default: 2 objects in it are being deleted; what they have in the account is deleted, for good, as soon as it is connected again: CloudVolume team-a/a, b. To keep that: ${keep} prints the lines\n`,
    );
    for (const line of ['why cacc/default', 'why cvol/a']) {
      const told = await out(line);
      expect(told).toContain(
        '\nWhat to do: 2 objects in CloudAccount team-a/default are being deleted (CloudVolume team-a/a, b): what they have in the account is deleted, for good, as soon as it is connected again. To keep that: the first line prints what to type, and writes nothing. Put a valid token into',
      );
      expect(told).toMatch(new RegExp(`\\n  ${keep}\\n  kubectl create secret`));
    }
  });

  it('stays by the lines that are printed, and goes where they were not typed', async () => {
    const lines = await out('release --keep cacc/default');
    expect(lines.match(/cloudvolume\/\w/g)).toEqual(['cloudvolume/a', 'cloudvolume/b']);
    await typePatches(lines.split('\n')[0] ?? '');
    await world.clock.advance(minute);
    const told = await out('why cacc/default');
    expect(told).toContain('What to do: 1 object in CloudAccount team-a/default is being deleted (CloudVolume team-a/b): what it has');
    expect(told).toMatch(/\n {2}kubectl -n team-a patch cloudvolume b --type=merge .*"Retain".*\n {2}kubectl create secret/);
    world.emulator.control.setToken({ token: 'token-new', username: 'admin', scopes: '*' });
    await token('token-new');
    for (const name of ['a', 'b']) await world.gone('CloudVolume', name, 30 * minute);
    expect(volumes()).toBe(2);
  });

  it('is not spoken of where it stays', async () => {
    await typePatches(await out('release --keep cacc/default'));
    await world.clock.advance(minute);
    for (const line of ['status', 'why cacc/default', 'why cvol/a']) expect(await out(line)).not.toContain('for good');
    expect(await out('release --keep cacc/default')).toBe('Nothing of CloudAccount team-a/default is held.\n');
  });
});

describe('wait says Available as it was seen last', () => {
  const asSeen = 'That is as it was seen last: ';
  it('and nothing more while the account is connected', async () => {
    expect(await out('wait cvol/a')).not.toContain(asSeen);
  });
  it('where the token is refused by now, once for all in it', async () => {
    world.emulator.control.revokeToken('token-admin');
    await world.reason('CloudAccount', 'default', 'Unauthorized', 60 * minute);
    const { exit, out: told } = await cloud(world, 'wait cvol', { limit: 10 * minute });
    expect([exit, told.split(asSeen).length]).toEqual([0, 2]);
    expect(told).toContain(
      `${asSeen}CloudAccount team-a/default is not connected (Unauthorized), and nothing in it is seen or changed now. Account team-a/default: Unauthorized`,
    );
  });
});
