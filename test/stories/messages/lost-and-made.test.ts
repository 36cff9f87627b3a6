import { beforeEach, describe, expect, it } from 'vitest';
import { cloud, endpoint } from '../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../support/world/cloud-user.ts';
import { connectedWorld } from '../../support/world/connected-world.ts';
import type { World } from '../../support/world/world.ts';

const minute = 60_000;
let world: World;
let path: string;
beforeEach(async () => {
  ({ world } = await connectedWorld());
  await world.apply('CloudInstance', 'web', { region: 'us-southeast', type: 'g6-standard-1' });
  await world.apply('CloudDisk', 'root', { instanceRef: { name: 'web' }, sizeMB: 1024 });
  await world.apply('CloudInstanceConfig', 'boot', { instanceRef: { name: 'web' }, devices: { sda: { diskRef: { name: 'root' } } } });
  path = String((await world.ready('CloudInstanceConfig', 'boot', 20 * minute)).status?.['path']);
  await world.clock.advance(5 * minute);
});
const lost = (): Promise<unknown> => new CloudUser(world).delete(path);
const typed = async (line: string): Promise<string> => (await cloud(world, line, { limit: 10 * minute })).out;
const pause = (value: string | null): Promise<unknown> =>
  world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/pause': value } } });

describe('a configuration that is deleted alone in the account', () => {
  it('is made again by itself, and its history says that it was lost, and by whom', async () => {
    await lost();
    await world.clock.advance(30 * minute);
    const { status } = await world.ready('CloudInstanceConfig', 'boot');
    expect(status?.['path']).not.toBe(path);
    const lines = (await typed(`history ccfg/boot --endpoint ${endpoint}`)).split('\n');
    const at = lines.findIndex((line) => line.includes(` "${path} is gone from the account`));
    expect(lines[at]).toMatch(/ Recreated .*\(\w+ by colleague at [^)]*\), and another one is made for this object/);
    expect(lines.slice(at).join('\n')).toContain(`created ${String(status?.['path'])} in account`);
  });
  it('waits while the account is paused for the end of that alone, and needs no recreate', async () => {
    await pause('');
    await world.clock.advance(minute);
    await lost();
    const { message } = await world.reason('CloudInstanceConfig', 'boot', 'RemoteMissing', 60 * minute);
    expect(message).toMatch(
      / is paused: nothing is made before it goes on, and another one is made then; if much is lost at once, a person is asked first$/,
    );
    const why = await typed('why ccfg/boot');
    expect(why).toContain('\n  CloudAccount team-a/default: Paused: nothing is changed in it, paused until it is resumed\n');
    expect(why).toContain('\n  kubectl cloud resume -n team-a cacc/default\n');
    for (const never of ['recreate', 'delete cloudinstanceconfig']) expect(why).not.toContain(never);
    expect(await typed('status')).toContain(
      '\nCloudAccount team-a/default: Paused\n  holds up 1 object: CloudInstanceConfig team-a/boot\n',
    );
    expect((await cloud(world, 'resume cacc/default --yes')).exit).toBe(0);
    await world.ready('CloudInstanceConfig', 'boot', 10 * minute);
  });
  it('has no such line where there was no loss', async () => {
    await world.clock.advance(10 * minute);
    expect(await typed(`history ccfg/boot --endpoint ${endpoint}`)).not.toContain('Recreated');
  });
});
