import { beforeEach, expect, it } from 'vitest';
import { cloud } from '../../../support/plugin/cloud-cli.ts';
import { CloudUser } from '../../../support/world/cloud-user.ts';
import { connectedWorld } from '../../../support/world/connected-world.ts';
import type { World } from '../../../support/world/world.ts';

const minute = 60_000;
let world: World;
const names = Array.from({ length: 8 }, (_, n) => `v${n}`);
const out = async (line: string): Promise<string> => {
  const ran = await cloud(world, line, { limit: 10 * minute });
  return ran.out + ran.err;
};
const pause = (value: string | null): Promise<unknown> =>
  world.patch('CloudAccount', 'default', { metadata: { annotations: { 'cloudhosting.dev/pause': value } } });

beforeEach(async () => {
  ({ world } = await connectedWorld());
  for (const name of names)
    await world.apply('CloudVolume', name, { region: 'eu-central', sizeGiB: 20, lifecycle: { onMissing: 'Recreate' } });
  for (const name of names) await world.ready('CloudVolume', name);
  await pause('');
  await world.clock.advance(minute);
  for (const { id } of world.emulator.control.rows('volumes') as { id: number }[]) await new CloudUser(world).delete(`/volumes/${id}`);
  await world.clock.advance(30 * minute);
});

it('what is made by itself once the account goes on is not said to ask for it, and a release is for it, too', async () => {
  const { message } = await world.reason('CloudVolume', 'v0', 'RemoteMissing');
  expect(message).toMatch(/, and another one is made then; if much is lost at once, a person is asked first$/);
  const list = await out('release --list');
  expect(list).toMatch(
    /\n  8 objects RemoteMissing by now, and held up by the account as well: once released, another one of each is made, empty, as soon as changes may be made in the account\n/,
  );
  for (const said of [list, await out('status'), await out('doctor')])
    for (const never of ['onMissing: Stall', 'cloud recreate', 'the account counts']) expect(said).not.toContain(never);
  expect(await out('status')).toContain('\n    kubectl cloud release -n team-a cacc/default\n');
  expect(await out('recreate cvol')).toBe('Nothing to make anew: none of them that is RemoteMissing asks for it.\n');
  expect(await out('release --confirm 8')).toContain('Of kind CloudVolume 8 objects are released. ');
  await world.clock.advance(minute);
  await pause(null);
  for (const name of names) await world.ready('CloudVolume', name);
  expect(world.emulator.control.rows('volumes')).toHaveLength(8);
});

it('what asks for it besides is told apart', async () => {
  await world.patch('CloudVolume', 'v0', { spec: { lifecycle: { onMissing: 'Stall' } } });
  await world.clock.advance(minute);
  const list = await out('release --list');
  expect(list).toContain('\n  7 objects RemoteMissing by now, ');
  expect(list).toContain('\n  1 object is RemoteMissing (lifecycle.onMissing: Stall), and no release has them made anew. ');
  expect(list).not.toContain('the account counts');
});
